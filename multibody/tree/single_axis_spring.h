#pragma once

#include "wyvern/multibody/tree/force_element.h"
#include "wyvern/multibody/tree/single_axis_joint.h"

namespace wyvern::multibody::internal {

/** What the springs on joints with one degree of freedom share: the generalized
force -stiffness (q - nominal). */
template <typename T>
class SingleAxisSpring : public ForceElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SingleAxisSpring);
  ~SingleAxisSpring() override;

  double stiffness() const { return stiffness_; }

  /** Zero at the nominal position. */
  T CalcPotentialEnergy(const systems::Context<T>& context,
                        const PositionKinematicsCache<T>& pc) const override;
  T CalcConservativePower(const systems::Context<T>& context,
                          const PositionKinematicsCache<T>& pc,
                          const VelocityKinematicsCache<T>& vc) const override;
  /** Zero. */
  T CalcNonConservativePower(
      const systems::Context<T>& context, const PositionKinematicsCache<T>& pc,
      const VelocityKinematicsCache<T>& vc) const override;

 protected:
  /** @throws std::logic_error, for an element of type `kind`, if the nominal
  position is not finite or the stiffness negative or not finite. */
  SingleAxisSpring(const SingleAxisJoint<T>& joint, double nominal,
                   double stiffness, const char* kind);

  double nominal() const { return nominal_; }
  const SingleAxisJoint<T>& spring_joint() const { return joint_; }

 private:
  T CalcForce(const systems::Context<T>& context) const;
  void DoRequireMembers(const MultibodyTree<T>& tree) const override;
  void DoCalcAndAddForceContribution(const systems::Context<T>& context,
                                     const PositionKinematicsCache<T>& pc,
                                     const VelocityKinematicsCache<T>& vc,
                                     MultibodyForces<T>* forces) const override;

  const SingleAxisJoint<T>& joint_;
  const double nominal_;
  const double stiffness_;
};

}  // namespace wyvern::multibody::internal
