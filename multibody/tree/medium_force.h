#pragma once

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/tree/basic_force_element.h"

namespace wyvern::multibody {

template <typename T>
class RigidBody;

/** A medium at rest, or moving with the velocity `wind`. */
struct FluidMedium {
  double density{0};    ///< [kg/m³]
  double viscosity{0};  ///< [Pa·s]
  /** Velocity in the world, [m/s]. */
  Vector3<double> wind{Vector3<double>::Zero()};
};

namespace internal {

/** Base of the forces that a medium exerts on a shape, which is fixed to a body
and stands for it. They depend on the motion of the shape in the medium. */
template <typename T>
class MediumForce : public BasicForceElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(MediumForce);
  ~MediumForce() override;

  const RigidBody<T>& body() const { return body_; }
  /** The pose in the body frame of the frame D in the middle of the shape,
  along its axes. */
  const math::RigidTransform<double>& X_BD() const { return X_BD_; }
  const FluidMedium& medium() const { return medium_; }

 protected:
  /** Makes a force of `medium` on `body`, with the pose of the drag frame D in
  the body frame B.
  @throws std::logic_error that begins with `kind` if the density or the
  viscosity is negative, or a value is not finite. */
  MediumForce(const char* kind, const RigidBody<T>& body,
              const math::RigidTransform<double>& X_BD,
              const FluidMedium& medium);

  /** Torque and force. */
  struct Load {
    Vector3<T> t{Vector3<T>::Zero()};
    Vector3<T> f{Vector3<T>::Zero()};
  };

 private:
  // Pose and motion of D, and the load on it, all in the world.
  struct Motion {
    Vector3<T> p_WD;
    Vector6<T> V_WD;
    Load load_W;
  };
  /** Returns the load about Do, for the angular velocity w and the velocity v
  of D relative to the medium, all in D. */
  virtual Load CalcLoad(const Vector3<T>& w, const Vector3<T>& v) const = 0;
  Motion CalcMotion(const ForceState<T>& state) const;
  void DoRequireMembers(const MultibodyTree<T>& tree) const final;
  T CalcOtherPower(const ForceState<T>& state) const final;
  void AddForces(const ForceState<T>& state,
                 MultibodyForces<T>* forces) const final;

  const RigidBody<T>& body_;
  const math::RigidTransform<double> X_BD_;
  const FluidMedium medium_;
};

}  // namespace internal

}  // namespace wyvern::multibody
