#pragma once

#include <tuple>

#include "wyvern/multibody/tree/medium_force.h"
#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

/** Drag of a body that moves in a medium, by the model of a box. The medium
exerts a pressure on the box's faces, which grows with the square of the speed.
The viscous drag of a sphere of the box's mean size (Stokes) is added. */
template <typename T>
class FluidDrag final
    : public internal::TypedForceElement<FluidDrag, T,
                                         internal::MediumForce<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FluidDrag);

  /** @param X_BD the frame D at the middle of the box, in the body frame.
  @param size lengths of the box's edges along D's axes, [m].
  @throws std::logic_error if a size, density or viscosity is negative, or a
  value not finite. */
  FluidDrag(const RigidBody<T>& body, const math::RigidTransform<double>& X_BD,
            const Vector3<double>& size, const FluidMedium& medium);
  ~FluidDrag() override;

  /** Lengths of the box's edges along D's axes, [m]. */
  const Vector3<double>& size() const { return size_; }

 private:
  friend class internal::TypedForceElement<FluidDrag, T,
                                           internal::MediumForce<T>>;
  using Load = typename internal::MediumForce<T>::Load;
  Load CalcLoad(const Vector3<T>& w, const Vector3<T>& v) const final;
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    return std::tie(tree.bodies().get(this->body().index()), this->X_BD(),
                    size_, this->medium());
  }

  const Vector3<double> size_;
};

}  // namespace wyvern::multibody
