#include "wyvern/systems/primitives/barycentric_system.h"

#include <utility>

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems {

namespace {

template <typename T, typename U>
math::BarycentricMesh<T> ConvertMesh(const math::BarycentricMesh<U>& mesh) {
  typename math::BarycentricMesh<T>::MeshGrid grid;
  for (const auto& coordinates : mesh.get_input_grid()) {
    auto& converted = grid.emplace_back();
    for (const U& x : coordinates) converted.insert(ScalarCast<T>(x));
  }
  return math::BarycentricMesh<T>(std::move(grid));
}

}  // namespace

template <typename T>
BarycentricMeshSystem<T>::BarycentricMeshSystem(
    math::BarycentricMesh<T> mesh,
    const Eigen::Ref<const MatrixX<T>>& output_values)
    : LeafSystem<T>(SystemTypeTag<BarycentricMeshSystem>{}),
      mesh_(std::move(mesh)),
      output_values_(output_values) {
  constexpr char kWho[] = "BarycentricMeshSystem";
  wyvern::internal::RequireSize(kWho, "the number of columns of output_values",
                                output_values.cols(),
                                mesh_.get_num_mesh_points());
  wyvern::internal::RequireFinite(kWho, "output_values", output_values_);
  this->DeclareVectorInputPort(kUseDefaultName, mesh_.get_input_size());
  this->DeclareVectorOutputPort(
      kUseDefaultName, static_cast<int>(output_values.rows()),
      &BarycentricMeshSystem<T>::CalcOutput, {this->all_input_ports_ticket()});
}

template <typename T>
template <typename U>
BarycentricMeshSystem<T>::BarycentricMeshSystem(
    const BarycentricMeshSystem<U>& other)
    : BarycentricMeshSystem(
          ConvertMesh<T>(other.get_mesh()),
          math::internal::CastTo<T>(other.get_output_values())) {}

template <typename T>
void BarycentricMeshSystem<T>::CalcOutput(const Context<T>& context,
                                          BasicVector<T>* y) const {
  auto value = y->get_mutable_value();
  mesh_.Eval(output_values_, this->get_input_port().Eval(context), &value);
}

#if WYVERN_AUTODIFF
template BarycentricMeshSystem<double>::BarycentricMeshSystem(
    const BarycentricMeshSystem<AutoDiffXd>&);
template BarycentricMeshSystem<AutoDiffXd>::BarycentricMeshSystem(
    const BarycentricMeshSystem<double>&);
#endif

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::BarycentricMeshSystem);
