#include "wyvern/simulator/integrators/scalar_view_dense_output.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
ScalarViewDenseOutput<T>::ScalarViewDenseOutput(
    std::unique_ptr<DenseOutput<T>> base_output, int n)
    : base_output_(std::move(base_output)), n_(n) {
  if (base_output_ == nullptr) {
    throw std::logic_error("ScalarViewDenseOutput: the dense output is null.");
  }
  if (n < 0 || n >= base_output_->size()) {
    throw std::out_of_range(fmt::format(
        "ScalarViewDenseOutput: element {} of a dense output of {} elements.",
        n, base_output_->size()));
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::ScalarViewDenseOutput);
