#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::multibody::internal {

/** A System that moves paths of a Viewer with bodies. What is drawn there, one
that derives from it says.

Input port: `body_poses`. */
class BodyFollower : public systems::LeafSystem<double> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(BodyFollower);

 protected:
  /** Makes a follower that reads the bodies of `plant` each `publish_period` s
  and moves them in `viewer`.
  @throws std::logic_error as `who`, if `plant` is not finalized, `viewer`
  is null, or the period is not positive. */
  BodyFollower(const char* who, const MultibodyPlant<double>& plant,
               std::shared_ptr<geometry::Viewer> viewer, double publish_period,
               std::string prefix, bool visible_by_default);

  /** The path "prefix/name (index)", which is to be where the body is. */
  std::string Follow(const RigidBody<double>& body);
  geometry::Viewer& viewer() const { return *viewer_; }

 private:
  /** Draws all that is to move, when everything below the prefix is gone. */
  virtual void Draw() const = 0;
  systems::EventStatus OnInitialization(const systems::Context<double>&) const;
  systems::EventStatus Show(const systems::Context<double>& context) const;

  struct Path {
    BodyIndex body;
    std::string path;
  };

  const std::shared_ptr<geometry::Viewer> viewer_;
  const std::string prefix_;
  const bool visible_by_default_;
  std::vector<Path> paths_;
};

}  // namespace wyvern::multibody::internal
