#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "wyvern/multibody/tree/force_element.h"

namespace wyvern::multibody {

template <typename T>
class Joint;

/** A joint of one degree of freedom that contributes to a tendon's length. */
template <typename T>
struct TendonTerm {
  const Joint<T>* joint{};
  /** Length per unit of the joint's position, [m/rad] for a length in
  metres. */
  double coefficient{};
};

/** A spring and a damper on the length of a tendon that joints wind up, L = sum
of coefficient q over its terms. It is the "fixed tendon" of MJCF. The tension
stiffness (L - L0) + damping dL/dt acts on each joint, multiplied by the joint's
coefficient. L0 is the resting length that is nearest to L, so the spring is
slack between the two resting lengths. A plant also keeps L within limits, as it
does for joints. */
template <typename T>
class FixedTendon final : public ForceElement<T> {
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

  const std::vector<TendonTerm<T>>& terms() const { return terms_; }
  double shortest() const { return shortest_; }
  double longest() const { return longest_; }
  double stiffness() const { return stiffness_; }
  double damping() const { return damping_; }
  double lower_limit() const { return lower_limit_; }
  double upper_limit() const { return upper_limit_; }

  T CalcLength(const systems::Context<T>& context) const;
  T CalcRate(const systems::Context<T>& context) const;

  /** Zero where the spring is slack. */
  T CalcPotentialEnergy(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc) const override;
  T CalcConservativePower(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc) const override;
  T CalcNonConservativePower(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc) const override;

 private:
  T CalcStretch(const systems::Context<T>& context) const;
  void DoRequireMembers(const internal::MultibodyTree<T>& tree) const override;
  void DoCalcAndAddForceContribution(
      const systems::Context<T>& context,
      const internal::PositionKinematicsCache<T>& pc,
      const internal::VelocityKinematicsCache<T>& vc,
      MultibodyForces<T>* forces) const override;
  std::unique_ptr<ForceElement<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>& tree_clone) const override;
  std::unique_ptr<ForceElement<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>& tree_clone) const override;
  template <typename ToScalar>
  std::unique_ptr<ForceElement<ToScalar>> TemplatedClone(
      const internal::MultibodyTree<ToScalar>& tree_clone) const;

  const std::vector<TendonTerm<T>> terms_;
  const double shortest_;
  const double longest_;
  const double stiffness_;
  const double damping_;
  const double lower_limit_;
  const double upper_limit_;
};

}  // namespace wyvern::multibody
