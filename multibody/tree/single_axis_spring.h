#pragma once

#include "wyvern/multibody/tree/coordinate_force.h"
#include "wyvern/multibody/tree/single_axis_joint.h"

namespace wyvern::multibody::internal {

/** Base of the springs on joints with one degree of freedom: the generalized
force is -stiffness (q - nominal). The energy is zero at the nominal
position. */
template <typename T>
class SingleAxisSpring : public CoordinateForce<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SingleAxisSpring);
  ~SingleAxisSpring() override;

  double stiffness() const { return stiffness_; }

 protected:
  /** Makes a spring with its nominal position, m or rad, and stiffness, N/m or
  N·m/rad.
  @throws std::logic_error, for an element of type `kind`, if the nominal
  position is not finite or the stiffness negative or not finite. */
  SingleAxisSpring(const SingleAxisJoint<T>& joint, double nominal,
                   double stiffness, const char* kind);

  double nominal() const { return nominal_; }
  const SingleAxisJoint<T>& spring_joint() const { return joint_; }

 private:
  T CalcElasticEnergy(const T& q) const final;
  T CalcElasticForce(const T& q) const final;

  const SingleAxisJoint<T>& joint_;
  const double nominal_;
  const double stiffness_;
};

}  // namespace wyvern::multibody::internal
