// The tree without a plant, compiled once more for expressions. Its numbers
// come from the core and the kernels that a plant has.

#include "wyvern/multibody/symbolic/plant/symbolic_scalar_private.h"
#include "wyvern/multibody/symbolic/plant/symbolic_tree.h"
#include "wyvern/multibody/symbolic/plant/tree_clone_private.h"

namespace wyvern::multibody {

using symbolic::Expression;

namespace {

// Copies one of the library's three classes; there are no others (mobilizer.h).
std::unique_ptr<Mobilizer<Expression>> CopyMobilizer(
    const Mobilizer<double>& mobilizer, const MultibodyTree<Expression>& tree) {
  const auto& F = tree.get_frame(mobilizer.inboard_frame().index());
  const auto& M = tree.get_frame(mobilizer.outboard_frame().index());
  if (const auto* m =
          dynamic_cast<const RevoluteMobilizer<double>*>(&mobilizer)) {
    return std::make_unique<RevoluteMobilizer<Expression>>(F, M,
                                                           m->revolute_axis());
  }
  if (dynamic_cast<const SpaceXYZMobilizer<double>*>(&mobilizer) != nullptr) {
    return std::make_unique<SpaceXYZMobilizer<Expression>>(F, M);
  }
  return std::make_unique<QuaternionFloatingMobilizer<Expression>>(F, M);
}

}  // namespace

#define WYVERN_ELSEWHERE(U)                     \
  extern template class MobilizerImpl<U, 1, 1>; \
  extern template class MobilizerImpl<U, 3, 3>; \
  extern template class MobilizerImpl<U, 7, 6>; \
  extern template class Mobilizer<U>;           \
  extern template class MultibodyTree<U>;       \
  extern template class SpaceXYZMobilizer<U>;   \
  extern template class RevoluteMobilizer<U>;   \
  extern template class QuaternionFloatingMobilizer<U>;
WYVERN_ELSEWHERE(double)
WYVERN_ELSEWHERE(AutoDiffXd)
#undef WYVERN_ELSEWHERE

template <>
template <>
std::unique_ptr<Mobilizer<Expression>> Mobilizer<double>::CloneToScalar(
    const MultibodyTree<Expression>& tree) const {
  return CopyMobilizer(*this, tree);
}

template <>
template <>
std::unique_ptr<MultibodyTree<Expression>>
MultibodyTree<Expression>::CloneToScalar<Expression>() const;
template <>
template <>
std::unique_ptr<MultibodyTree<AutoDiffXd>>
MultibodyTree<Expression>::CloneToScalar<AutoDiffXd>() const;

}  // namespace wyvern::multibody

#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) static_assert(true);

#include <wyvern_standalone_sources.inc>

namespace wyvern::multibody {

template <>
template <>
std::unique_ptr<MultibodyTree<Expression>>
MultibodyTree<Expression>::CloneToScalar<Expression>() const {
  return CloneToScalar<double>()->CloneToScalar<Expression>();
}
template <>
template <>
std::unique_ptr<MultibodyTree<AutoDiffXd>>
MultibodyTree<Expression>::CloneToScalar<AutoDiffXd>() const {
  return CloneToScalar<double>()->ToAutoDiffXd();
}

template class internal::EngineMobilizer<Expression,
                                         dynamics::RevoluteMobilizer>;
template class internal::EngineMobilizer<Expression,
                                         dynamics::RpyBallMobilizer>;
template class internal::EngineMobilizer<Expression,
                                         dynamics::QuaternionFloatingMobilizer>;
template class MobilizerImpl<Expression, 1, 1>;
template class MobilizerImpl<Expression, 3, 3>;
template class MobilizerImpl<Expression, 7, 6>;
template std::unique_ptr<MultibodyTree<double>>
MultibodyTree<Expression>::CloneToScalar<double>() const;
template std::unique_ptr<MultibodyTree<Expression>>
MultibodyTree<double>::CloneToScalar<Expression>() const;

std::unique_ptr<MultibodyTree<Expression>> ToSymbolic(
    const MultibodyTree<double>& tree) {
  return tree.CloneToScalar<Expression>();
}

}  // namespace wyvern::multibody
