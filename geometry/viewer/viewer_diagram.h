#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/geometry/viewer/viewer_link.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/block_description.h"
#include "wyvern/systems/framework/context.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::geometry {

/** How often the values of ports are shown. */
struct ViewerDiagramParams {
  double publish_period{1.0 / 64};  // [s], simulated.
  /** Names the elements of ports; null: the page shows their indices. */
  systems::ElementNames element_names{};
};

/** Draws a Diagram in a Viewer's page: its blocks, ports and wires, and the
values of the ports that somebody looks at. The drawing is sent once. It stays
when this object is gone, without values.

A ViewerSimulation has one, and calls Publish() after each step; use this by
itself where something else than a Simulator makes the steps.

All functions are to be called by one thread, that of the simulation, but for
the constructor and the destructor, which may be called by any; pages, heard on
the Viewer's thread, only say which ports they want. Of these, 64 at most are
evaluated, no more often than the period, and none if no page asked in the last
5 s. An element after the 64th of a port is not shown. After its first call for
the same ports Publish() allocates nothing but what the ports do. */
class ViewerDiagram {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ViewerDiagram);

  /** `system` is a root: a Diagram, or a single block. It must outlive this.
  @throws std::logic_error if `viewer` is null, the period is not positive, or
  `system` is in a Diagram, or as DescribeBlock(). */
  ViewerDiagram(const systems::System<double>& system,
                std::shared_ptr<Viewer> viewer,
                const ViewerDiagramParams& params = {});
  ~ViewerDiagram();

  /** Sets the unit that the page shows beside the values of a port. */
  void SetUnit(const systems::OutputPort<double>& port, std::string_view unit);

  /** Sends the values of the ports that pages want, if a period has passed
  since the last time or `is_due` says so. A port that throws marks its block
  with the message, and is left out.
  @throws std::logic_error if `context` is not the root's. */
  void Publish(const systems::Context<double>& context, bool is_due = false);

  /** Marks the block that threw `message`: that whose pathname is in it, or
  else that whose outputs or derivatives throw in `context` though its inputs do
  not, or else the root. */
  void ShowFault(std::string_view message,
                 const systems::Context<double>& context);
  /** Removes the marks of ShowFault(). */
  void ClearFaults();

 private:
  using Clock = std::chrono::steady_clock;

  // A port that pages want.
  struct Port {
    std::string signal;
    const systems::System<double>* system{};
    bool is_output{};
    int index{};
    bool failed{false};
  };

  void Receive(const internal::PageMessage& message);
  void UpdatePorts();
  std::optional<Port> FindPort(const std::string& name) const;
  void Show(const systems::Context<double>& context, Port* port);
  void Send();
  void MarkBlock(const systems::SystemBase& system, std::string_view message);
  const systems::SystemBase* FindCulprit(
      std::string_view message, const systems::Context<double>& context) const;

  const systems::System<double>& system_;
  const std::shared_ptr<Viewer> viewer_;
  const ViewerDiagramParams params_;
  const systems::BlockDescription root_;
  std::map<const systems::SystemBase*, std::string> place_of_;
  std::map<std::string, std::string> units_;  // By port, as pages name it.
  std::vector<std::string> faults_;

  // Told by pages: until when each port is wanted.
  std::mutex wanted_mutex_;
  std::map<std::string, Clock::time_point> wanted_;
  std::atomic<int64_t> num_changes_{0};

  int64_t num_changes_seen_{0};
  Clock::time_point next_look_{};
  std::vector<Port> ports_;
  std::optional<double> last_time_;

  internal::ViewerLink link_;  // Ends first.
};

}  // namespace wyvern::geometry
