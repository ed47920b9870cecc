#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/tree/basic_force_element.h"

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

namespace internal {

/** Returns the terms of a tendon.
@throws std::logic_error that begins with `kind` and `name` if there is no term,
a joint is null or has not one degree of freedom, or a coefficient is not finite
or above 1e100. An empty `name` stands for that of the first joint. */
template <typename T>
std::vector<TendonTerm<T>> RequireTendonTerms(const char* kind,
                                              std::string name,
                                              std::vector<TendonTerm<T>> terms);

/** Base of the elements that act on a single coordinate s = sum of coefficient
q over joints of one degree of freedom. A spring on a joint has one such term.
The elastic force and the other force act on s; each joint gets their sum,
multiplied by its coefficient. */
template <typename T>
class JointCoordinateForce : public BasicForceElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(JointCoordinateForce);
  ~JointCoordinateForce() override;

 protected:
  /** Requires one term or more. */
  explicit JointCoordinateForce(std::vector<TendonTerm<T>> terms);

  const std::vector<TendonTerm<T>>& coordinate_terms() const { return terms_; }
  T CalcCoordinate(const systems::Context<T>& context) const;
  T CalcCoordinateRate(const systems::Context<T>& context) const;

 private:
  virtual T CalcElasticEnergy(const T& s) const = 0;
  /** Computes minus the derivative of the elastic energy. */
  virtual T CalcElasticForce(const T& s) const = 0;
  /** Computes the force that depends on the rate. The default is zero. */
  virtual T CalcRateForce(const T& s_rate) const;

  T CalcEnergy(const ForceState<T>& state) const final;
  T CalcReleasedPower(const ForceState<T>& state) const final;
  T CalcOtherPower(const ForceState<T>& state) const final;
  void AddForces(const ForceState<T>& state,
                 MultibodyForces<T>* forces) const final;
  void DoRequireMembers(const MultibodyTree<T>& tree) const final;

  const std::vector<TendonTerm<T>> terms_;
};

}  // namespace internal

}  // namespace wyvern::multibody
