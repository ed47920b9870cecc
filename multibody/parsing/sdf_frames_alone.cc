#include "wyvern/multibody/parsing/sdf_frames_alone.h"

namespace wyvern::multibody::internal {

void FixFramesAlone(const SdfElement& element, WarningLog* log) {
  bool has_frames = false;
  bool has_more = false;
  for (const SdfElement& child : element.children()) {
    FixFramesAlone(child, log);
    const std::string name = child.name();
    has_frames = has_frames || name == "frame";
    has_more = has_more || name == "link" || name == "model" ||
               name == "include" || name == "joint";
  }
  if (element.name() != "model" || !has_frames || has_more) return;
  if (element.Bool("static").value_or(false)) return;
  element.SetBool("static", true);
  element.Warn(
      "the model has frames and no links; it is made static, and its frames "
      "are fixed in the world.",
      log);
}

}  // namespace wyvern::multibody::internal
