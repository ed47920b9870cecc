#pragma once

#include <memory>
#include <set>
#include <string>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/framework/context.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::multibody {

template <typename T>
class DeformableModel;
template <typename T>
class MultibodyPlant;

/** The volume that a force density is of. */
enum class ForceDensityType {
  kPerCurrentVolume,    ///< N per m³ of the body as it is.
  kPerReferenceVolume,  ///< N per m³ of the body without stress.
};

/** A force density [N/m³] in space that acts on deformable bodies: derive from
it and say DoEvaluateAt() and DoClone().

@tparam T double or AutoDiffXd. */
template <typename T>
class ForceDensityFieldBase {
 public:
  virtual ~ForceDensityFieldBase() = default;

  /** At the point Q of the world, in the world, N/m³.
  @param context of the plant that the field was added to
  @throws std::runtime_error if it is not finite. */
  Vector3<T> EvaluateAt(const systems::Context<T>& context,
                        const Vector3<T>& p_WQ) const {
    const Vector3<T> result = DoEvaluateAt(context, p_WQ);
    wyvern::internal::RequireFinite(
        wyvern::internal::Caller("ForceDensityField::EvaluateAt").OfResults(),
        "the force density", result);
    return result;
  }
  /** A copy of the same derived type. */
  std::unique_ptr<ForceDensityFieldBase<T>> Clone() const { return DoClone(); }
  /** The volume that the density refers to. */
  ForceDensityType density_type() const { return density_type_; }

 protected:
  explicit ForceDensityFieldBase(
      ForceDensityType density_type = ForceDensityType::kPerCurrentVolume)
      : density_type_(density_type) {}
  ForceDensityFieldBase(const ForceDensityFieldBase&) = default;
  ForceDensityFieldBase& operator=(const ForceDensityFieldBase&) = default;

  virtual Vector3<T> DoEvaluateAt(const systems::Context<T>& context,
                                  const Vector3<T>& p_WQ) const = 0;
  virtual std::unique_ptr<ForceDensityFieldBase<T>> DoClone() const = 0;

 private:
  ForceDensityType density_type_;
};

/** A force density that may have input ports and cache entries in the plant it
is added to: override DoDeclareInputPorts() and DoDeclareCacheEntries(), keep
the indices, and read them from the Context of DoEvaluateAt(), by
parent_system_or_throw(). A copy reads the same plant. */
template <typename T>
class ForceDensityField : public ForceDensityFieldBase<T> {
 public:
  /** Whether a plant that has it was finalized. */
  bool has_parent_system() const { return parent_ != nullptr; }
  /** That plant. @throws std::logic_error if there is none. */
  const systems::LeafSystem<T>& parent_system_or_throw() const;

 protected:
  using ForceDensityFieldBase<T>::ForceDensityFieldBase;

  /** @name For the two functions below, as LeafSystem's
  @{ */
  static systems::CacheEntry& DeclareCacheEntry(
      MultibodyPlant<T>* plant, std::string description,
      systems::ValueProducer value_producer,
      std::set<systems::DependencyTicket> prerequisites_of_calc);
  static systems::InputPort<T>& DeclareAbstractInputPort(
      MultibodyPlant<T>* plant, std::string name,
      const AbstractValue& model_value);
  static systems::InputPort<T>& DeclareVectorInputPort(
      MultibodyPlant<T>* plant, std::string name,
      const systems::BasicVector<T>& model_vector);
  /** @} */

 private:
  friend class DeformableModel<T>;

  /** Both are called by the plant's Finalize(), ports first. */
  virtual void DoDeclareInputPorts(MultibodyPlant<T>*) {}
  virtual void DoDeclareCacheEntries(MultibodyPlant<T>*) {}

  void DeclareSystemResources(MultibodyPlant<T>* plant);

  const systems::LeafSystem<T>* parent_{};
};

/** A uniform weight: `mass_density` times `gravity_vector`, per volume of the
body without stress, so that its mass stays what it is. For bodies whose gravity
is to differ from the plant's, which acts as well. */
template <typename T>
class GravityForceField : public ForceDensityField<T> {
 public:
  /** @param gravity_vector of the world [m/s²] @param mass_density [kg/m³]
  @throws std::logic_error if a number is not finite, or the density is not
  positive. */
  GravityForceField(const Vector3<T>& gravity_vector, const T& mass_density)
      : ForceDensityField<T>(ForceDensityType::kPerReferenceVolume),
        force_density_(mass_density * gravity_vector) {
    wyvern::internal::RequireFinite("GravityForceField", "gravity_vector",
                                    gravity_vector);
    wyvern::internal::RequirePositive("GravityForceField", "mass_density",
                                      mass_density);
  }

 private:
  Vector3<T> DoEvaluateAt(const systems::Context<T>&,
                          const Vector3<T>&) const override {
    return force_density_;
  }
  std::unique_ptr<ForceDensityFieldBase<T>> DoClone() const override {
    return std::make_unique<GravityForceField>(*this);
  }

  Vector3<T> force_density_;
};

}  // namespace wyvern::multibody
