#pragma once

#include <memory>

#include "wyvern/multibody/tree/multibody_element.h"
#include "wyvern/multibody/tree/multibody_forces.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::multibody {

namespace internal {
template <typename T>
struct PositionKinematicsCache;
template <typename T>
struct VelocityKinematicsCache;
}  // namespace internal

/** Something that exerts forces which follow from the state: gravity, a spring.
Derive from it to add another. */
template <typename T>
class ForceElement : public MultibodyElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ForceElement);
  /** Makes an element of this model instance. */
  explicit ForceElement(ModelInstanceIndex model_instance);
  ~ForceElement() override;

  /** Index among the force elements of the model; gravity has index 0. */
  ForceElementIndex index() const { return index_; }

  /** Adds this element's forces. @throws std::logic_error if `forces` is null
  or not of the model's size. */
  void CalcAndAddForceContribution(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc,
      MultibodyForces<T>* forces) const;

  /** Energy stored in this element's configuration, [J]. */
  virtual T CalcPotentialEnergy(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc) const = 0;
  /** Minus the rate of that energy, [W]. */
  virtual T CalcConservativePower(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc) const = 0;
  /** Power of this element's other forces, [W]; what dissipates is negative. */
  virtual T CalcNonConservativePower(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc) const = 0;

  /** A copy for a model on another scalar, whose bodies and joints are already
  there. */
  template <typename ToScalar>
  std::unique_ptr<ForceElement<ToScalar>> CloneToScalar(
      const internal::MultibodyTree<ToScalar>& cloned_tree) const {
    return DoCloneToScalar(cloned_tree);
  }

 protected:
  /** For parameters of the element's own: declare them by
  DeclareNumericParameter(), and set them to their defaults. */
  virtual void DoDeclareForceElementParameters(
      internal::MultibodyTreeSystem<T>*) {}
  virtual void DoSetDefaultForceElementParameters(
      systems::Parameters<T>*) const {}

  /** Throws, by tree.RequireMember(), if what this element refers to is not in
  the model that it is being added to. By default it refers to nothing. */
  virtual void DoRequireMembers(const internal::MultibodyTree<T>&) const {}

  virtual void DoCalcAndAddForceContribution(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc,
      MultibodyForces<T>* forces) const = 0;
  virtual std::unique_ptr<ForceElement<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>& tree_clone) const = 0;
  virtual std::unique_ptr<ForceElement<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>& tree_clone) const = 0;

 private:
  friend class internal::MultibodyTree<T>;

  void DoDeclareParameters(
      internal::MultibodyTreeSystem<T>* tree_system) final {
    DoDeclareForceElementParameters(tree_system);
  }
  void DoSetDefaultParameters(systems::Parameters<T>* parameters) const final {
    DoSetDefaultForceElementParameters(parameters);
  }

  ForceElementIndex index_;
};

}  // namespace wyvern::multibody
