#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/constraint_sets/constraint.h"
#include "wyvern/multibody/step/rows/holonomic_constraint.h"

namespace wyvern::multibody {

/** A constraint between two bodies whose multipliers are equal and opposite
spatial forces on them: contact and loop constraints. Row r of G is
F_r'(J_successor - J_predecessor) for a unit force F_r. What the rows are is
internal::HolonomicConstraint's. */
template <typename T>
class BodyPairConstraint : public Constraint<T> {
 public:
  /** The system of the plant that is constrained. */
  using Plant = typename Constraint<T>::Plant;

  /** The body on which the opposite of the multipliers' forces acts. */
  BodyIndex predecessor() const { return predecessor_; }
  /** The body on which the multipliers' forces act. */
  BodyIndex successor() const { return successor_; }
  /** The names of its rows, as they were given; some may be empty. */
  const std::vector<std::string>& row_names() const { return row_names_; }

  /** @name Evaluation, besides that of every Constraint
  Throw std::runtime_error, with its name, where it has no direction. Allocate
  nothing.
  @{ */
  /** Unit forces (t_Wo; f) of the rows on the successor, in W.
  @param rates kErrors: of the rates of position errors, which a LoopConstraint
  about one axis has apart. */
  void CalcUnitForces(
      const Plant& plant, const systems::Context<T>& context,
      Eigen::Ref<Matrix6X<T>> F,
      internal::RowRates rates = internal::RowRates::kVelocities) const;
  /** Returns the sum of the lengths [m] that make up the places of its two
  ends. */
  double CalcReach(const Plant& plant,
                   const systems::Context<T>& context) const;
  /** G v, from F. */
  void CalcVelocities(const Plant& plant, const systems::Context<T>& context,
                      const Eigen::Ref<const Matrix6X<T>>& F,
                      Eigen::Ref<VectorX<T>> velocities) const;
  /** gamma, given bias accelerations A_bias of the nodes, from
  dynamics::CalcBiasAccelerations(). */
  void CalcGammaFromBias(const Plant& plant, const systems::Context<T>& context,
                         const std::vector<Vector6<T>>& A_bias,
                         Eigen::Ref<VectorX<T>> gamma) const;
  /** @} */

 protected:
  BodyPairConstraint(ConstraintType type, BodyIndex predecessor,
                     BodyIndex successor, std::string name,
                     std::optional<int> user_id);
  /** For one more row. */
  void AddRow(const std::string& name) {
    ++this->size_;
    row_names_.push_back(name);
  }
  /** Its rows, but for the bodies. */
  virtual internal::HolonomicConstraint MakeRows() const = 0;

 private:
  std::string DoDescribe(const Plant* plant) const final;
  void DoCalcPositionError(const Plant& plant,
                           const systems::Context<T>& context,
                           Eigen::Ref<VectorX<T>> error) const final;
  void DoCalcJacobian(const Plant& plant, const systems::Context<T>& context,
                      Eigen::Ref<MatrixX<T>> G) const final;
  void DoCalcGamma(const Plant& plant, const systems::Context<T>& context,
                   Eigen::Ref<VectorX<T>> gamma) const final;
  void DoCalcSpatialForces(const Plant& plant,
                           const systems::Context<T>& context,
                           const Eigen::Ref<const VectorX<T>>& multipliers,
                           bool in_world, std::vector<BodyIndex>* bodies,
                           std::vector<math::RigidTransform<T>>* frames,
                           std::vector<SpatialForce<T>>* forces) const final;

  // calc(rows), with the bodies of the plant; its errors get a name.
  template <typename Calc>
  void CallWithRows(const Plant& plant, const Calc& calc) const;

  BodyIndex predecessor_;
  BodyIndex successor_;
  std::vector<std::string> row_names_;
};

}  // namespace wyvern::multibody
