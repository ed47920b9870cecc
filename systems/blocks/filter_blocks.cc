#include "wyvern/systems/blocks/filter_blocks.h"

#include <complex>
#include <cstdint>
#include <string_view>
#include <utility>

#include "wyvern/systems/blocks/block_fields.h"
#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/blocks/standard_blocks.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/primitives/linear/filters.h"

namespace wyvern::systems {

namespace blocks {

namespace {

// A filter has a square matrix of its order.
constexpr int kMaxOrder = 1000;

void CheckOrder(const char* block, std::string_view field, int64_t size) {
  wyvern::internal::RequireInRange(block, field, static_cast<double>(size), 0,
                                   kMaxOrder);
}

std::vector<std::complex<double>> ToComplex(const MatrixX<double>& rows,
                                            const char* field) {
  CheckOrder("ZeroPole", field, rows.rows());
  if (rows.rows() > 0) {
    wyvern::internal::RequireShape("ZeroPole", field, rows.rows(), rows.cols(),
                                   rows.rows(), 2,
                                   "give [real, imaginary] of each");
  }
  std::vector<std::complex<double>> result;
  for (int i = 0; i < rows.rows(); ++i) {
    result.emplace_back(rows(i, 0), rows(i, 1));
  }
  return result;
}

}  // namespace

std::unique_ptr<System<double>> TransferFunction::Make() const {
  CheckOrder("TransferFunction", "the size of denominator", denominator.size());
  return MakeTransferFunctionBlock(numerator, denominator, time_period);
}

std::unique_ptr<System<double>> ZeroPole::Make() const {
  return MakeZeroPoleBlock(ToComplex(zeros, "zeros"), ToComplex(poles, "poles"),
                           gain, time_period);
}

std::unique_ptr<System<double>> FilteredDerivative::Make() const {
  return MakeFilteredDerivative(time_constant);
}

std::unique_ptr<System<double>> SecondOrderLowPass::Make() const {
  return MakeSecondOrderLowPass(corner_frequency, damping_ratio);
}

std::unique_ptr<System<double>> Notch::Make() const {
  return MakeNotch(frequency, ratio);
}

std::unique_ptr<System<double>> LeadLag::Make() const {
  return MakeLeadLag(gain, lead_time, lag_time);
}

std::unique_ptr<System<double>> FirFilter::Make() const {
  CheckOrder("FirFilter", "the size of coefficients", coefficients.size());
  return MakeFirFilter(coefficients, time_period);
}

std::unique_ptr<System<double>> IirFilter::Make() const {
  CheckOrder("IirFilter", "the size of a", a.size());
  CheckOrder("IirFilter", "the size of b", b.size());
  return MakeIirFilter(b, a, time_period);
}

std::unique_ptr<System<double>> MovingAverage::Make() const {
  CheckOrder("MovingAverage", "num_samples", num_samples);
  return MakeMovingAverage(num_samples, time_period);
}

}  // namespace blocks

void internal::AddFilterBlocks(BlockRegistry* registry) {
  registry->Add<blocks::TransferFunction>();
  registry->Add<blocks::ZeroPole>();
  registry->Add<blocks::FilteredDerivative>();
  registry->Add<blocks::SecondOrderLowPass>();
  registry->Add<blocks::Notch>();
  registry->Add<blocks::LeadLag>();
  registry->Add<blocks::FirFilter>();
  registry->Add<blocks::IirFilter>();
  registry->Add<blocks::MovingAverage>();
}

}  // namespace wyvern::systems
