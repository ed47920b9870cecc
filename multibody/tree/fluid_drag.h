#pragma once

#include <tuple>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/tree/typed_force_element.h"

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

/** Drag of a body that moves in a medium, by the model of a box. The medium
exerts a pressure on the box's faces, which grows with the square of the speed.
The viscous drag of a sphere of the box's mean size (Stokes) is added. */
template <typename T>
class FluidDrag final : public internal::TypedForceElement<FluidDrag, T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FluidDrag);

  /** @param X_BD the frame D at the middle of the box, in the body frame.
  @param size lengths of the box's edges along D's axes, [m].
  @throws std::logic_error if a size, density or viscosity is negative, or a
  value not finite. */
  FluidDrag(const RigidBody<T>& body, const math::RigidTransform<double>& X_BD,
            const Vector3<double>& size, const FluidMedium& medium);
  ~FluidDrag() override;

  const RigidBody<T>& body() const { return body_; }
  const math::RigidTransform<double>& X_BD() const { return X_BD_; }
  const Vector3<double>& size() const { return size_; }
  const FluidMedium& medium() const { return medium_; }

 private:
  friend internal::TypedForceElement<FluidDrag, T>;
  // Pose and motion of D, and the force on it, all in the world.
  struct Drag {
    Vector3<T> p_WD;
    Vector6<T> V_WD;
    Vector3<T> t_W;
    Vector3<T> f_W;
  };
  Drag CalcDrag(const internal::ForceState<T>& state) const;
  void DoRequireMembers(const internal::MultibodyTree<T>& tree) const override;
  T CalcOtherPower(const internal::ForceState<T>& state) const final;
  void AddForces(const internal::ForceState<T>& state,
                 MultibodyForces<T>* forces) const final;
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    return std::tie(tree.bodies().get(body_.index()), X_BD_, size_, medium_);
  }

  const RigidBody<T>& body_;
  const math::RigidTransform<double> X_BD_;
  const Vector3<double> size_;
  const FluidMedium medium_;
};

}  // namespace wyvern::multibody
