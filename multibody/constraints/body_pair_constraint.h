#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/constraints/constraint.h"

namespace wyvern::multibody {

/** A constraint between two bodies whose multipliers are equal and opposite
spatial forces on them: contact and loop constraints. Row r of G is
F_r'(J_successor - J_predecessor) for a unit force F_r. */
template <typename T>
class BodyPairConstraint : public Constraint<T> {
 public:
  BodyIndex predecessor() const { return predecessor_; }
  BodyIndex successor() const { return successor_; }
  /** The names of its rows, as they were given; some may be empty. */
  const std::vector<std::string>& row_names() const { return row_names_; }

  /** Unit forces (t_Wo; f) of the rows on the successor, in W. */
  void CalcUnitForces(const internal::MultibodyTreeSystem<T>& plant,
                      const systems::Context<T>& context,
                      Eigen::Ref<Matrix6X<T>> F) const {
    DoCalcUnitForces(plant, context, F);
  }
  /** The same of the rates of position errors, which a LoopConstraint about one
  axis has apart. */
  void CalcPositionUnitForces(const internal::MultibodyTreeSystem<T>& plant,
                              const systems::Context<T>& context,
                              Eigen::Ref<Matrix6X<T>> F) const {
    DoCalcPositionUnitForces(plant, context, F);
  }
  /** gamma, given bias accelerations A_bias of the nodes, from
  engine::CalcBiasAccelerations(). */
  void CalcGammaFromBias(const internal::MultibodyTreeSystem<T>& plant,
                         const systems::Context<T>& context,
                         const std::vector<Vector6<T>>& A_bias,
                         Eigen::Ref<VectorX<T>> gamma) const {
    DoCalcGammaFromBias(plant, context, A_bias, gamma);
  }

 protected:
  BodyPairConstraint(ConstraintType type, BodyIndex predecessor,
                     BodyIndex successor, std::string name,
                     std::optional<int> user_id);
  /** For one more row. */
  void AddRow(const std::string& name) {
    ++this->size_;
    row_names_.push_back(name);
  }

  void DoCalcJacobian(const internal::MultibodyTreeSystem<T>& plant,
                      const systems::Context<T>& context,
                      Eigen::Ref<MatrixX<T>> G) const final;
  void DoCalcGamma(const internal::MultibodyTreeSystem<T>& plant,
                   const systems::Context<T>& context,
                   Eigen::Ref<VectorX<T>> gamma) const final;
  std::string DoDescribe(
      const internal::MultibodyTreeSystem<T>* plant) const final;

  virtual void DoCalcPositionUnitForces(
      const internal::MultibodyTreeSystem<T>& plant,
      const systems::Context<T>& context, Eigen::Ref<Matrix6X<T>> F) const {
    DoCalcUnitForces(plant, context, F);
  }
  virtual void DoCalcUnitForces(const internal::MultibodyTreeSystem<T>& plant,
                                const systems::Context<T>& context,
                                Eigen::Ref<Matrix6X<T>> F) const = 0;
  virtual void DoCalcGammaFromBias(
      const internal::MultibodyTreeSystem<T>& plant,
      const systems::Context<T>& context, const std::vector<Vector6<T>>& A_bias,
      Eigen::Ref<VectorX<T>> gamma) const = 0;

 private:
  BodyIndex predecessor_;
  BodyIndex successor_;
  std::vector<std::string> row_names_;
};

}  // namespace wyvern::multibody
