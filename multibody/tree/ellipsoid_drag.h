#pragma once

#include <tuple>

#include "wyvern/multibody/tree/ellipsoid_drag_coefficients.h"
#include "wyvern/multibody/tree/medium_force.h"
#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

/** Forces of a medium on an ellipsoid that stands for a body or a part of it,
by the ellipsoid model of MuJoCo's documentation (Computation, Fluid forces):
drag and lift, which grow with the square of the speed, viscous drag of a sphere
of the mean radius (Stokes), and the gyroscopic part of the added mass of the
ellipsoid in potential flow. The part of the added mass that is proportional to
accelerations is left out. */
template <typename T>
class EllipsoidDrag final
    : public internal::TypedForceElement<EllipsoidDrag, T,
                                         internal::MediumForce<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(EllipsoidDrag);

  /** @param X_BD the frame D at the middle of the ellipsoid, along its axes, in
  the body frame. @param semi_axes lengths of the semi-axes along D's axes, [m],
  positive.
  @throws std::logic_error if a semi-axis is not positive, a density or
  viscosity is negative, a value is not finite, or IsFiniteEllipsoidDrag()
  returns false. */
  EllipsoidDrag(const RigidBody<T>& body,
                const math::RigidTransform<double>& X_BD,
                const Vector3<double>& semi_axes, const FluidMedium& medium,
                const EllipsoidDragCoefficients& coefficients = {});
  ~EllipsoidDrag() override;

  /** Lengths of the semi-axes along D's axes, [m]. */
  const Vector3<double>& semi_axes() const { return semi_axes_; }
  /** The coefficients that were given to the constructor. */
  const EllipsoidDragCoefficients& coefficients() const {
    return coefficients_;
  }
  /** Returns the mass, [kg], that the fluid adds for accelerations along each
  axis. */
  const Vector3<double>& added_mass() const { return added_mass_; }
  /** Returns the moment of inertia, [kg·m²], that the fluid adds about each
  axis. */
  const Vector3<double>& added_inertia() const { return added_inertia_; }

 private:
  friend class internal::TypedForceElement<EllipsoidDrag, T,
                                           internal::MediumForce<T>>;
  using Load = typename internal::MediumForce<T>::Load;
  Load CalcLoad(const Vector3<T>& w, const Vector3<T>& v) const final;
  void AddDragAndLift(const Vector3<T>& v, Load* load) const;
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    return std::tie(tree.bodies().get(this->body().index()), this->X_BD(),
                    semi_axes_, this->medium(), coefficients_);
  }

  const Vector3<double> semi_axes_;
  const EllipsoidDragCoefficients coefficients_;
  Vector3<double> added_mass_;
  Vector3<double> added_inertia_;
};

}  // namespace wyvern::multibody
