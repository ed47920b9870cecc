#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "wyvern/multibody/tree/tendon_force.h"
#include "wyvern/multibody/tree/tendon_path.h"
#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

/** A spring, a damper and limits on the length of a path over bodies, the
"spatial tendon" of MJCF. The tension pulls the bodies along the path. Springs
and dampers are those of a FixedTendon. JointActuator may act along it. */
template <typename T>
class SpatialTendon final
    : public internal::TypedForceElement<SpatialTendon, T,
                                         internal::TendonForce<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SpatialTendon);

  /** The tendon belongs to the model instance of the first body that is not the
  world.
  @throws std::logic_error if there is no segment, a body is null, all points
  are on the world, or a number is out of its range. */
  SpatialTendon(const std::string& name, std::vector<TendonSegment<T>> segments,
                const TendonProperties& properties = {});
  ~SpatialTendon() override;

  /** Name of the tendon. */
  const std::string& name() const { return name_; }
  /** The parts of the path, in order. */
  const std::vector<TendonSegment<T>>& segments() const {
    return path().segments();
  }

 private:
  friend class internal::TypedForceElement<SpatialTendon, T,
                                           internal::TendonForce<T>>;
  const internal::TendonPath<T>& path() const {
    return static_cast<const internal::TendonPath<T>&>(this->coordinate());
  }
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    const auto copy_of = [&tree](const RigidBody<T>* body) {
      return &tree.bodies().get(body->index());
    };
    std::vector<TendonSegment<U>> copies;
    for (const TendonSegment<T>& segment : segments()) {
      TendonSegment<U>& copy = copies.emplace_back();
      copy.start = {copy_of(segment.start.body), segment.start.p_BP};
      copy.end = {copy_of(segment.end.body), segment.end.p_BP};
      copy.divisor = segment.divisor;
      if (!segment.obstacle.has_value()) continue;
      const TendonObstacle<T>& o = *segment.obstacle;
      copy.obstacle = {copy_of(o.body), o.X_BG, o.radius, o.is_cylinder,
                       o.p_GS};
    }
    return std::tuple(name_, std::move(copies), this->properties());
  }

  const std::string name_;
};

}  // namespace wyvern::multibody
