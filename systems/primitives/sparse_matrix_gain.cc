#include "wyvern/systems/primitives/sparse_matrix_gain.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/overflow_check.h"

namespace wyvern::systems {

namespace {

using Entry = Eigen::SparseMatrix<double>::InnerIterator;

const Eigen::SparseMatrix<double>& RequireFiniteEntries(
    const char* who, const Eigen::SparseMatrix<double>& D) {
  for (int j = 0; j < D.outerSize(); ++j) {
    for (Entry entry(D, j); entry; ++entry) {
      wyvern::internal::RequireFinite(
          who, fmt::format("D({}, {})", entry.row(), entry.col()),
          entry.value());
    }
  }
  return D;
}

}  // namespace

template <typename T>
SparseMatrixGain<T>::SparseMatrixGain(const Eigen::SparseMatrix<double>& D)
    : LeafSystem<T>(SystemTypeTag<SparseMatrixGain>{}),
      D_(RequireFiniteEntries("SparseMatrixGain", D)) {
  this->DeclareVectorInputPort(kUseDefaultName, static_cast<int>(D.cols()));
  this->DeclareVectorOutputPort(kUseDefaultName, static_cast<int>(D.rows()),
                                &SparseMatrixGain<T>::CalcOutput,
                                {this->all_input_ports_ticket()});
}

template <typename T>
void SparseMatrixGain<T>::set_D(const Eigen::SparseMatrix<double>& D) {
  if (D.rows() != D_.rows() || D.cols() != D_.cols()) {
    throw std::logic_error(
        fmt::format("SparseMatrixGain::set_D(): D is {} x {}; it must be {} x "
                    "{} as it was at "
                    "construction.",
                    D.rows(), D.cols(), D_.rows(), D_.cols()));
  }
  D_ = RequireFiniteEntries("SparseMatrixGain::set_D()", D);
  this->NoteSettingsChange();
}

template <typename T>
void SparseMatrixGain<T>::CalcOutput(const Context<T>& context,
                                     BasicVector<T>* output) const {
  const VectorX<T>& u = this->get_input_port().Eval(context);
  auto y = output->get_mutable_value();
  y.setZero();
  for (int j = 0; j < D_.outerSize(); ++j) {
    for (Entry entry(D_, j); entry; ++entry) {
      y[entry.row()] += entry.value() * u[j];
    }
  }
  internal::RequireNoOverflow(*this, context, *output);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::SparseMatrixGain);
