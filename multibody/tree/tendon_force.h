#pragma once

#include <limits>
#include <memory>
#include <string>

#include "wyvern/multibody/tree/coordinate_force.h"

namespace wyvern::multibody {

/** Spring, damper and limits of a tendon of length L. The tension is k s + d
dL/dt, where s is the stretch beyond the resting lengths. The spring is slack
between the two. */
struct TendonProperties {
  /** Resting lengths, [m] for a length in metres, the shorter first. */
  double shortest{0};
  /** The longer resting length. */
  double longest{0};
  /** Stiffness k, not negative. */
  double stiffness{0};
  /** Damping d, not negative. */
  double damping{0};
  /** Limits of L that a plant keeps, as it does for joints; infinite for none.
   */
  double lower_limit{-std::numeric_limits<double>::infinity()};
  /** Upper limit of L. */
  double upper_limit{std::numeric_limits<double>::infinity()};
};

namespace internal {

/** Base of the elements that are a spring, a damper and limits on a coordinate,
such as the length of a tendon. ActuationPart keeps the limits. */
template <typename T>
class TendonForce : public CoordinateForce<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(TendonForce);
  ~TendonForce() override;

  /** The name of the element in errors. */
  const std::string& description() const { return description_; }
  const TendonProperties& properties() const { return properties_; }
  double shortest() const { return properties_.shortest; }
  double longest() const { return properties_.longest; }
  double stiffness() const { return properties_.stiffness; }
  double damping() const { return properties_.damping; }
  double lower_limit() const { return properties_.lower_limit; }
  double upper_limit() const { return properties_.upper_limit; }
  bool is_limited() const;

  T CalcLength(const systems::Context<T>& context) const;
  T CalcRate(const systems::Context<T>& context) const;

 protected:
  /** @param description such as "FixedTendon 'elbow'".
  @throws std::logic_error if a property is out of its range. */
  TendonForce(std::string description,
              std::unique_ptr<const ScalarCoordinate<T>> coordinate,
              const TendonProperties& properties);

 private:
  T CalcStretch(const T& length) const;
  T CalcElasticEnergy(const T& length) const final;
  T CalcElasticForce(const T& length) const final;
  T CalcRateForce(const T& rate) const final;
  bool HasForce() const final;

  const std::string description_;
  const TendonProperties properties_;
};

}  // namespace internal
}  // namespace wyvern::multibody
