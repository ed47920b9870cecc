#include "wyvern/simulator/integrators/scalar_view_dense_output.h"

#include <utility>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
ScalarViewDenseOutput<T>::ScalarViewDenseOutput(
    std::unique_ptr<DenseOutput<T>> base_output, int n)
    : base_output_(std::move(base_output)), n_(n) {
  constexpr char kWho[] = "ScalarViewDenseOutput";
  wyvern::internal::RequireNotNull(kWho, "base_output", base_output_);
  wyvern::internal::RequireIndex(kWho, "n", n, base_output_->size());
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::ScalarViewDenseOutput);
