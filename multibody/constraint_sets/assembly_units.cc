#include "wyvern/multibody/constraint_sets/assembly_units.h"

#include <algorithm>
#include <cmath>

#include "wyvern/multibody/constraint_sets/loop_constraint.h"
#include "wyvern/multibody/dynamics/length_scale.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {

template <typename T>
double AssemblyUnits<T>::LengthOf(const internal::MultibodyTreeSystem<T>& plant,
                                  const systems::Context<T>& context) {
  const double length = dynamics::CalcLengthScale<T>(
      plant.model(), plant.EvalModelParameters(context));
  return length > 0 ? length : 1;
}

template <typename T>
AssemblyUnits<T>::AssemblyUnits(const internal::MultibodyTreeSystem<T>& plant,
                                const systems::Context<T>& context,
                                const ConstraintSet<T>& set)
    : of_velocities_(plant.num_v()) {
  const double length = LengthOf(plant, context);
  for (int i = 0; i < plant.num_v(); ++i) {
    of_velocities_[i] = dynamics::UnitOfVelocity(plant.model(), i, length);
  }
  of_rows_.setConstant(set.size(), length);
  for (int g = 0; g < set.num_groups(); ++g) {
    const auto rows = set.GetGroupRows(g);
    const Constraint<T>& group = set.GetGroupConstraint(g);
    if (set.GetGroupType(g) == ConstraintType::kLoop) {
      const auto& axes = static_cast<const LoopConstraint<T>&>(group).axes();
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!axes[i].template head<3>().isZero()) of_rows_[rows[i]] = 1;
      }
    } else if (set.GetGroupType(g) == ConstraintType::kCustom) {
      MatrixX<T> G(group.size(), plant.num_v());
      group.CalcJacobian(plant, context, G);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        double unit = 0;
        for (int k = 0; k < G.cols(); ++k) {
          const double change = ToDouble(G(i, k));
          unit = std::max(unit, std::abs(change) * of_velocities_[k]);
        }
        of_rows_[rows[i]] = unit > 0 ? unit : 1;
      }
    }
  }
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::AssemblyUnits);

}  // namespace wyvern::multibody
