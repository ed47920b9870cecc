#pragma once

#include <tuple>

#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/single_axis_spring.h"
#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

/** A torsion spring on a hinge: the torque about its axis is
-stiffness (angle - nominal_angle). */
template <typename T>
class RevoluteSpring final
    : public internal::TypedForceElement<RevoluteSpring, T,
                                         internal::SingleAxisSpring<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RevoluteSpring);

  /** @param nominal_angle where it is slack, [rad]. @param stiffness
  [N·m/rad]. @throws std::logic_error if the stiffness is negative or a value
  not finite. */
  RevoluteSpring(const RevoluteJoint<T>& joint, double nominal_angle,
                 double stiffness);
  ~RevoluteSpring() override;

  /** The hinge that the spring acts on. */
  const RevoluteJoint<T>& joint() const {
    return static_cast<const RevoluteJoint<T>&>(this->spring_joint());
  }
  /** Angle at which the spring is slack, [rad]. */
  double nominal_angle() const { return this->nominal(); }

 private:
  friend class internal::TypedForceElement<RevoluteSpring, T,
                                           internal::SingleAxisSpring<T>>;
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    return std::tuple<const RevoluteJoint<U>&, double, double>(
        dynamic_cast<const RevoluteJoint<U>&>(tree.get_joint(joint().index())),
        nominal_angle(), this->stiffness());
  }
};

}  // namespace wyvern::multibody
