#pragma once

#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "wyvern/multibody/tree/joint_coordinate_force.h"
#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

/** A spring and a damper on the length of a tendon that joints wind up, L = sum
of coefficient q over its terms. It is the "fixed tendon" of MJCF. The tension
stiffness (L - L0) + damping dL/dt acts on each joint, multiplied by the joint's
coefficient. L0 is the resting length that is nearest to L, so the spring is
slack between the two resting lengths. A plant also keeps L within limits, as it
does for joints. */
template <typename T>
class FixedTendon final
    : public internal::TypedForceElement<FixedTendon, T,
                                         internal::JointCoordinateForce<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FixedTendon);

  /** @param terms one or more. @param shortest and @param longest the resting
  lengths. @param stiffness and @param damping not negative. @param lower_limit
  and @param upper_limit of L, infinite for none.
  @throws std::logic_error if there is no term, a joint is null or has not one
  degree of freedom, or a value is out of its range. */
  FixedTendon(std::vector<TendonTerm<T>> terms, double shortest, double longest,
              double stiffness, double damping,
              double lower_limit = -std::numeric_limits<double>::infinity(),
              double upper_limit = std::numeric_limits<double>::infinity());
  ~FixedTendon() override;

  const std::vector<TendonTerm<T>>& terms() const {
    return this->coordinate_terms();
  }
  double shortest() const { return shortest_; }
  double longest() const { return longest_; }
  double stiffness() const { return stiffness_; }
  double damping() const { return damping_; }
  double lower_limit() const { return lower_limit_; }
  double upper_limit() const { return upper_limit_; }

  T CalcLength(const systems::Context<T>& context) const {
    return this->CalcCoordinate(context);
  }
  T CalcRate(const systems::Context<T>& context) const {
    return this->CalcCoordinateRate(context);
  }

 private:
  friend class internal::TypedForceElement<FixedTendon, T,
                                           internal::JointCoordinateForce<T>>;
  T CalcStretch(const T& length) const;
  T CalcElasticEnergy(const T& length) const final;
  T CalcElasticForce(const T& length) const final;
  T CalcRateForce(const T& rate) const final;
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    std::vector<TendonTerm<U>> terms;
    for (const TendonTerm<T>& term : this->coordinate_terms()) {
      terms.push_back({&tree.get_joint(term.joint->index()), term.coefficient});
    }
    return std::tuple(std::move(terms), shortest_, longest_, stiffness_,
                      damping_, lower_limit_, upper_limit_);
  }

  const double shortest_;
  const double longest_;
  const double stiffness_;
  const double damping_;
  const double lower_limit_;
  const double upper_limit_;
};

}  // namespace wyvern::multibody
