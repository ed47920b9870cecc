#pragma once

#include <memory>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/framework/context.h"

namespace wyvern::multibody {

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
  std::unique_ptr<ForceDensityFieldBase<T>> Clone() const { return DoClone(); }
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

/** The same by the name that users derive from. A field has no ports of its
own; what it reads, it reads from the plant's Context. */
template <typename T>
class ForceDensityField : public ForceDensityFieldBase<T> {
 protected:
  using ForceDensityFieldBase<T>::ForceDensityFieldBase;
};

}  // namespace wyvern::multibody
