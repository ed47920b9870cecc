#pragma once

#include <memory>

#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/single_axis_spring.h"

namespace wyvern::multibody {

/** A torsion spring on a hinge: the torque about its axis is
-stiffness (angle - nominal_angle). */
template <typename T>
class RevoluteSpring final : public internal::SingleAxisSpring<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RevoluteSpring);

  /** @param nominal_angle where it is slack, [rad]. @param stiffness
  [N·m/rad]. @throws std::logic_error if the stiffness is negative or a value
  not finite. */
  RevoluteSpring(const RevoluteJoint<T>& joint, double nominal_angle,
                 double stiffness);
  ~RevoluteSpring() override;

  const RevoluteJoint<T>& joint() const {
    return static_cast<const RevoluteJoint<T>&>(this->spring_joint());
  }
  double nominal_angle() const { return this->nominal(); }

 private:
  std::unique_ptr<ForceElement<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>& tree_clone) const override;
  std::unique_ptr<ForceElement<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>& tree_clone) const override;
  template <typename ToScalar>
  std::unique_ptr<ForceElement<ToScalar>> TemplatedClone(
      const internal::MultibodyTree<ToScalar>& tree_clone) const;
};

}  // namespace wyvern::multibody
