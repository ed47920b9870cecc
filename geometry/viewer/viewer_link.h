#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/geometry/viewer/viewer_state.h"
#include "wyvern/systems/common/class_macros.h"

namespace wyvern::geometry::internal {

/** Message of a page to a panel's class: a path, a value and lists of both.
Pages are not trusted: a path may be any text, a value any finite number. */
struct PageMessage {
  std::string path;
  std::optional<double> value;
  /** The first 256 of a list. */
  std::vector<std::string> paths;
  /** The first 16 of a list of numbers; empty if an element is none. */
  std::vector<double> values;
};

/** For classes of the library that have a panel of their own in a Viewer's
page: what they show, and what pages say to them. */
class ViewerLink {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ViewerLink);

  using Receive = std::function<void(const PageMessage&)>;

  /** `receive` is called on the server's thread with each message of `type`; it
  must not call the Viewer. A later link of the same type takes its place. */
  ViewerLink(Viewer* viewer, std::string type, Receive receive);
  /** After this `receive` is called no more, nor is it being called. */
  ~ViewerLink();

  ViewerState& state() { return *state_; }
  /** Pages that are open now. */
  int num_pages() const { return viewer_->GetNumActiveConnections(); }

 private:
  Viewer* const viewer_;
  ViewerState* const state_;
  const std::string type_;
  int64_t number_{};
};

}  // namespace wyvern::geometry::internal
