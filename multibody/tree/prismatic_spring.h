#pragma once

#include <memory>

#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/single_axis_spring.h"

namespace wyvern::multibody {

/** A spring along a slider: the force along its axis is
-stiffness (translation - nominal_position). */
template <typename T>
class PrismaticSpring final : public internal::SingleAxisSpring<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PrismaticSpring);

  /** @param nominal_position where it is slack, [m]. @param stiffness
  [N/m]. @throws std::logic_error if the stiffness is negative or a value not
  finite. */
  PrismaticSpring(const PrismaticJoint<T>& joint, double nominal_position,
                  double stiffness);
  ~PrismaticSpring() override;

  const PrismaticJoint<T>& joint() const {
    return static_cast<const PrismaticJoint<T>&>(this->spring_joint());
  }
  double nominal_position() const { return this->nominal(); }

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
