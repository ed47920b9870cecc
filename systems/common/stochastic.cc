#include "wyvern/systems/common/stochastic.h"

#include <random>
#include <stdexcept>
#include <type_traits>

#include "wyvern/systems/common/check_argument.h"

/* Numbers from distributions, by those of the standard library; a vector's
elements one after the other. */

namespace wyvern::schema {

using Eigen::VectorXd;
using internal::Caller;

namespace {

double DrawGaussian(const Caller& who, double mean, double stddev,
                    RandomGenerator* generator) {
  internal::RequireFinite(who, "mean", mean);
  internal::RequireNonNegative(who, "stddev", stddev);
  internal::RequireNotNull(who, "the generator", generator);
  // The library's wants a width.
  if (stddev == 0) return mean;
  return std::normal_distribution<double>(mean, stddev)(*generator);
}

double DrawUniform(const Caller& who, double min, double max,
                   RandomGenerator* generator) {
  internal::RequireFinite(who, "min", min);
  internal::RequireFinite(who, "max", max);
  internal::RequireNonNegative(who, "max - min", max - min);
  internal::RequireNotNull(who, "the generator", generator);
  return std::uniform_real_distribution<double>(min, max)(*generator);
}

[[noreturn]] void ThrowRandom() {
  throw std::logic_error(
      "schema::GetDeterministicValue(): what is given is random; Sample() it, "
      "or give what is fixed.");
}

}  // namespace

Distribution::~Distribution() = default;
DistributionVector::~DistributionVector() = default;

double Gaussian::Sample(RandomGenerator* generator) const {
  return DrawGaussian("schema::Gaussian::Sample", mean, stddev, generator);
}

double Uniform::Sample(RandomGenerator* generator) const {
  return DrawUniform("schema::Uniform::Sample", min, max, generator);
}

double UniformDiscrete::Sample(RandomGenerator* generator) const {
  constexpr char kWho[] = "schema::UniformDiscrete::Sample";
  internal::RequireNotEmpty(kWho, "values", values.empty());
  internal::RequireNotNull(kWho, "the generator", generator);
  std::uniform_int_distribution<std::size_t> pick(0, values.size() - 1);
  return values[pick(*generator)];
}

double UniformDiscrete::Mean() const {
  internal::RequireNotEmpty("schema::UniformDiscrete::Mean", "values",
                            values.empty());
  return Eigen::Map<const VectorXd>(values.data(), values.size()).mean();
}

std::unique_ptr<Distribution> ToDistribution(const DistributionVariant& var) {
  return std::visit(
      []<typename D>(const D& one) -> std::unique_ptr<Distribution> {
        if constexpr (std::is_same_v<D, double>) {
          return std::make_unique<Deterministic>(one);
        } else {
          return std::make_unique<D>(one);
        }
      },
      var);
}

double Sample(const DistributionVariant& var, RandomGenerator* generator) {
  return ToDistribution(var)->Sample(generator);
}

double Mean(const DistributionVariant& var) {
  return ToDistribution(var)->Mean();
}

VectorXd Sample(const std::vector<DistributionVariant>& vec,
                RandomGenerator* generator) {
  VectorXd result(vec.size());
  for (int i = 0; i < result.size(); ++i) result[i] = Sample(vec[i], generator);
  return result;
}

VectorXd Mean(const std::vector<DistributionVariant>& vec) {
  VectorXd result(vec.size());
  for (int i = 0; i < result.size(); ++i) result[i] = Mean(vec[i]);
  return result;
}

bool IsDeterministic(const DistributionVariant& var) {
  if (const auto* gaussian = std::get_if<Gaussian>(&var)) {
    return gaussian->stddev == 0;
  }
  if (const auto* uniform = std::get_if<Uniform>(&var)) {
    return uniform->min == uniform->max;
  }
  const auto* discrete = std::get_if<UniformDiscrete>(&var);
  return discrete == nullptr || discrete->values.size() == 1;
}

double GetDeterministicValue(const DistributionVariant& var) {
  if (!IsDeterministic(var)) ThrowRandom();
  return Mean(var);
}

template <int Size>
VectorXd GaussianVector<Size>::Sample(RandomGenerator* generator) const {
  constexpr char kWho[] = "schema::GaussianVector::Sample";
  if (stddev.size() != 1) {
    internal::RequireSize(kWho, "stddev", stddev.size(), mean.size(),
                          "give one for all, or one each");
  }
  VectorXd result(mean.size());
  for (int i = 0; i < result.size(); ++i) {
    result[i] = DrawGaussian(kWho, mean[i], stddev[stddev.size() == 1 ? 0 : i],
                             generator);
  }
  return result;
}

template <int Size>
VectorXd UniformVector<Size>::Sample(RandomGenerator* generator) const {
  constexpr char kWho[] = "schema::UniformVector::Sample";
  internal::RequireSize(kWho, "max", max.size(), min.size());
  VectorXd result(min.size());
  for (int i = 0; i < result.size(); ++i) {
    result[i] = DrawUniform(kWho, min[i], max[i], generator);
  }
  return result;
}

template <int Size>
VectorXd UniformVector<Size>::Mean() const {
  internal::RequireSize("schema::UniformVector::Mean", "max", max.size(),
                        min.size());
  return 0.5 * min + 0.5 * max;
}

template <int Size>
std::unique_ptr<DistributionVector> ToDistributionVector(
    const DistributionVectorVariant<Size>& vec) {
  return std::visit(
      []<typename D>(const D& one) -> std::unique_ptr<DistributionVector> {
        if constexpr (std::is_base_of_v<DistributionVector, D>) {
          return std::make_unique<D>(one);
        } else {
          return std::make_unique<DeterministicVector<Size>>(one);
        }
      },
      vec);
}

template <int Size>
bool IsDeterministic(const DistributionVectorVariant<Size>& vec) {
  if (const auto* gaussian = std::get_if<GaussianVector<Size>>(&vec)) {
    return gaussian->stddev.isZero(0);
  }
  const auto* uniform = std::get_if<UniformVector<Size>>(&vec);
  return uniform == nullptr || (uniform->min.size() == uniform->max.size() &&
                                uniform->min == uniform->max);
}

template <int Size>
VectorXd GetDeterministicValue(const DistributionVectorVariant<Size>& vec) {
  if (!IsDeterministic(vec)) ThrowRandom();
  return ToDistributionVector(vec)->Mean();
}

#define WYVERN_INSTANTIATE_STOCHASTIC(Size)                              \
  template struct GaussianVector<Size>;                                  \
  template struct UniformVector<Size>;                                   \
  template std::unique_ptr<DistributionVector> ToDistributionVector(     \
      const DistributionVectorVariant<Size>&);                           \
  template bool IsDeterministic(const DistributionVectorVariant<Size>&); \
  template VectorXd GetDeterministicValue(                               \
      const DistributionVectorVariant<Size>&);

WYVERN_INSTANTIATE_STOCHASTIC(Eigen::Dynamic)
WYVERN_INSTANTIATE_STOCHASTIC(1)
WYVERN_INSTANTIATE_STOCHASTIC(2)
WYVERN_INSTANTIATE_STOCHASTIC(3)
WYVERN_INSTANTIATE_STOCHASTIC(4)
WYVERN_INSTANTIATE_STOCHASTIC(5)
WYVERN_INSTANTIATE_STOCHASTIC(6)
#undef WYVERN_INSTANTIATE_STOCHASTIC

}  // namespace wyvern::schema
