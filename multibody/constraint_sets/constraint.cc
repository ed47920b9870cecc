#include "wyvern/multibody/constraint_sets/constraint.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace {

void RequireShape(const char* function, Eigen::Index rows, Eigen::Index columns,
                  int wanted_rows, int wanted_columns) {
  if (rows == wanted_rows && columns == wanted_columns) return;
  throw std::logic_error(fmt::format(
      "Constraint::{}(): the argument is {} x {}; wanted is {} x {}.", function,
      rows, columns, wanted_rows, wanted_columns));
}

// Checks the rows that a constraint has written.
template <typename T, typename Rows>
void RequireFiniteResult(const char* function, const Constraint<T>& constraint,
                         const Rows& rows) {
  for (int c = 0; c < rows.cols(); ++c) {
    for (int r = 0; r < rows.rows(); ++r) {
      const double entry = ToDouble(rows(r, c));
      if (std::isfinite(entry)) continue;
      throw std::runtime_error(fmt::format(
          "Constraint::{}(): row {} of {} is {}; it is to be finite wherever "
          "the constraint is asked.",
          function, r, constraint.Describe(), entry));
    }
  }
}

}  // namespace

template <typename T>
Constraint<T>::Constraint(ConstraintType type, int size, std::string name,
                          std::optional<int> user_id)
    : type_(type), size_(size), name_(std::move(name)), user_id_(user_id) {}

template <typename T>
Constraint<T>::Constraint(int size, std::string name,
                          std::optional<int> user_id)
    : Constraint(ConstraintType::kCustom, size, std::move(name), user_id) {
  if (size < 1) {
    throw std::logic_error(fmt::format(
        "Constraint(): {} was given {} equations; it takes at least 1.",
        name_.empty() ? "a custom constraint without a name"
                      : fmt::format("constraint '{}'", name_),
        size));
  }
}

template <typename T>
Constraint<T>::~Constraint() = default;

template <typename T>
std::string Constraint<T>::Describe(const Plant* plant) const {
  if (!name_.empty()) return fmt::format("constraint '{}'", name_);
  return DoDescribe(plant);
}

template <typename T>
std::string Constraint<T>::DoDescribe(const Plant*) const {
  return fmt::format("a custom constraint of {} row{} without a name", size_,
                     size_ == 1 ? "" : "s");
}

template <typename T>
void Constraint<T>::CalcPositionError(const Plant& plant,
                                      const systems::Context<T>& context,
                                      Eigen::Ref<VectorX<T>> error) const {
  RequireShape("CalcPositionError", error.rows(), 1, size_, 1);
  DoCalcPositionError(plant, context, error);
  RequireFiniteResult("CalcPositionError", *this, error);
}

template <typename T>
void Constraint<T>::CalcJacobian(const Plant& plant,
                                 const systems::Context<T>& context,
                                 Eigen::Ref<MatrixX<T>> G) const {
  RequireShape("CalcJacobian", G.rows(), G.cols(), size_, plant.num_v());
  DoCalcJacobian(plant, context, G);
  RequireFiniteResult("CalcJacobian", *this, G);
}

template <typename T>
void Constraint<T>::CalcGamma(const Plant& plant,
                              const systems::Context<T>& context,
                              Eigen::Ref<VectorX<T>> gamma) const {
  RequireShape("CalcGamma", gamma.rows(), 1, size_, 1);
  DoCalcGamma(plant, context, gamma);
  RequireFiniteResult("CalcGamma", *this, gamma);
}

template <typename T>
void Constraint<T>::CalcSpatialForces(
    const Plant& plant, const systems::Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& multipliers, bool in_world,
    std::vector<BodyIndex>* bodies,
    std::vector<math::RigidTransform<T>>* frames,
    std::vector<SpatialForce<T>>* forces) const {
  RequireShape("CalcSpatialForces", multipliers.rows(), 1, size_, 1);
  bodies->clear();
  frames->clear();
  forces->clear();
  DoCalcSpatialForces(plant, context, multipliers, in_world, bodies, frames,
                      forces);
}

template <typename T>
void Constraint<T>::DoCalcPositionError(const Plant&,
                                        const systems::Context<T>&,
                                        Eigen::Ref<VectorX<T>> error) const {
  error.setZero();
}

template <typename T>
void Constraint<T>::DoCalcSpatialForces(const Plant&,
                                        const systems::Context<T>&,
                                        const Eigen::Ref<const VectorX<T>>&,
                                        bool, std::vector<BodyIndex>*,
                                        std::vector<math::RigidTransform<T>>*,
                                        std::vector<SpatialForce<T>>*) const {
  throw std::logic_error(fmt::format(
      "Constraint::CalcSpatialForces(): {} does not say what forces "
      "its multipliers are; override DoCalcSpatialForces().",
      Describe()));
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::Constraint);

}  // namespace wyvern::multibody
