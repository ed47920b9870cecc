#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/geometry/viewer/viewer_link.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/context.h"

namespace wyvern::multibody {

/** Tells pages of a Viewer about the bodies of a plant: names and masses once,
and while a person looks at them the velocity of a selected body, its joints'
positions and velocities, and a table of all contacts, at most 30 times a
second. Without a page that asks, Publish() evaluates and allocates nothing.

All functions belong to the simulation's thread. */
class BodyInspector final {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(BodyInspector);

  /** `plant` must outlive this.
  @throws std::logic_error if a pointer is null, or the plant is not
  finalized. */
  BodyInspector(const MultibodyPlant<double>* plant,
                std::shared_ptr<geometry::Viewer> viewer);
  ~BodyInspector();

  /** Sends what pages ask for, except what cannot be computed. `root` is the
  Context of the whole Diagram. Call it between two steps;
  LiveSimulation::AddListener() does. */
  void Publish(const systems::Context<double>& root);

 private:
  using Clock = std::chrono::steady_clock;

  void Receive(const geometry::internal::PageMessage& message);
  void SendBody(const systems::Context<double>& context,
                const std::string& frame, BodyIndex body);
  void SendContacts(const systems::Context<double>& context);
  // Sends an item, unless pages have it already.
  void Send(const std::string& kind, const std::string& path, std::string json);
  double FrictionOf(const systems::Context<double>& context,
                    geometry::GeometryId a, geometry::GeometryId b) const;

  const MultibodyPlant<double>& plant_;
  const std::shared_ptr<geometry::Viewer> viewer_;
  std::vector<std::string> names_;                   // By BodyIndex.
  std::map<std::string, BodyIndex> body_of_;         // By the frame's number.
  std::map<geometry::GeometryId, BodyIndex> owner_;  // By collision geometry.
  Clock::time_point next_look_{};
  // Items that pages have, by kind and path.
  std::map<std::pair<std::string, std::string>, std::string> sent_;

  // Told by pages: until when each frame, or "contacts", is asked for.
  std::mutex mutex_;
  std::map<std::string, Clock::time_point> wanted_;
  // Begins when all of this is there, and ends first.
  std::optional<geometry::internal::ViewerLink> link_;
};

}  // namespace wyvern::multibody
