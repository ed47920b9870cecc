#include "wyvern/multibody/visualization/body_follower.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::multibody::internal {

using systems::Context;
using systems::EventStatus;

BodyFollower::BodyFollower(const char* who, const MultibodyPlant<double>& plant,
                           std::shared_ptr<geometry::Viewer> viewer,
                           double publish_period, std::string prefix,
                           bool visible_by_default)
    : viewer_(std::move(viewer)),
      prefix_(std::move(prefix)),
      visible_by_default_(visible_by_default) {
  wyvern::internal::RequireNotNull(who, "the viewer", viewer_, "pass one");
  wyvern::internal::RequirePositive(who, "publish_period", publish_period);
  if (!plant.is_finalized()) {
    throw std::logic_error(fmt::format(
        "{}: the plant is not finalized; call Finalize() first.", who));
  }
  DeclareAbstractInputPort("body_poses",
                           Value<std::vector<math::RigidTransformd>>{});
  DeclareInitializationPublishEvent(&BodyFollower::OnInitialization);
  DeclarePeriodicPublishEvent(publish_period, 0.0, &BodyFollower::Show);
  DeclareForcedPublishEvent(&BodyFollower::Show);
}

std::string BodyFollower::Follow(const RigidBody<double>& body) {
  paths_.push_back({body.index(), fmt::format("{}/{} ({})", prefix_,
                                              body.name(), body.index())});
  return paths_.back().path;
}

EventStatus BodyFollower::OnInitialization(const Context<double>&) const {
  viewer_->Delete(prefix_);
  viewer_->SetProperty(prefix_, "visible", visible_by_default_);
  Draw();
  return EventStatus::Succeeded();
}

EventStatus BodyFollower::Show(const Context<double>& context) const {
  const auto& poses =
      get_input_port(0).Eval<std::vector<math::RigidTransformd>>(context);
  for (const Path& path : paths_) {
    viewer_->SetTransform(path.path, poses[path.body], context.get_time());
  }
  return EventStatus::Succeeded();
}

}  // namespace wyvern::multibody::internal
