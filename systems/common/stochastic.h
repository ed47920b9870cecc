#pragma once

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/random.h"

/** @file
Numbers and vectors that may be random, as documents spell them: `1.5`,
`!Uniform {min: 0, max: 1}`, `!GaussianVector {mean: [0, 0, 1], stddev:
[0.1]}`. Sample() of any throws std::logic_error if what it has is not finite
or out of order. */

namespace wyvern::schema {

/** Where a number comes from. */
class Distribution {
 public:
  virtual ~Distribution();
  /** Draws a number. */
  virtual double Sample(RandomGenerator* generator) const = 0;
  /** The mean of the numbers that Sample() draws. */
  virtual double Mean() const = 0;

 protected:
  Distribution() = default;
  Distribution(const Distribution&) = default;
  Distribution& operator=(const Distribution&) = default;
};

/** `!Deterministic {value: 1}` */
struct Deterministic final : public Distribution {
  Deterministic() = default;
  /** Takes the value. */
  explicit Deterministic(double value_in) : value(value_in) {}

  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(value, "The value."));
  }
  double Sample(RandomGenerator*) const final { return value; }
  double Mean() const final { return value; }

  /** The value. */
  double value{};
};

/** `!Gaussian {mean: 0, stddev: 1}` */
struct Gaussian final : public Distribution {
  Gaussian() = default;
  /** Takes mean and standard deviation. */
  Gaussian(double mean_in, double stddev_in)
      : mean(mean_in), stddev(stddev_in) {}

  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(mean, "Mean."));
    a->Visit(WYVERN_DNVP(stddev, "Standard deviation."));
  }
  double Sample(RandomGenerator* generator) const final;
  double Mean() const final { return mean; }

  /** Mean. */
  double mean{};
  /** Standard deviation, not negative. */
  double stddev{};
};

/** `!Uniform {min: 0, max: 1}`: in [min, max). */
struct Uniform final : public Distribution {
  Uniform() = default;
  /** Takes the ends of the interval. */
  Uniform(double min_in, double max_in) : min(min_in), max(max_in) {}

  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(min, "Lower end."));
    a->Visit(WYVERN_DNVP(max, "Upper end."));
  }
  double Sample(RandomGenerator* generator) const final;
  double Mean() const final { return 0.5 * min + 0.5 * max; }

  /** Lower end. */
  double min{};
  /** Upper end. */
  double max{};
};

/** `!UniformDiscrete {values: [1, 2, 4]}`: one of these. */
struct UniformDiscrete final : public Distribution {
  UniformDiscrete() = default;
  /** Takes the values. */
  explicit UniformDiscrete(std::vector<double> values_in)
      : values(std::move(values_in)) {}

  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(values, "Values, all equally likely."));
  }
  double Sample(RandomGenerator* generator) const final;
  /** The mean of the values.
  @throws std::logic_error if there are no values. */
  double Mean() const final;

  /** The values, all equally likely. */
  std::vector<double> values;
};

/** A number, or where it comes from. */
using DistributionVariant =
    std::variant<double, Deterministic, Gaussian, Uniform, UniformDiscrete>;

/** Returns the distribution; a number is Deterministic. */
std::unique_ptr<Distribution> ToDistribution(const DistributionVariant& var);
/** Draws a number. */
double Sample(const DistributionVariant& var, RandomGenerator* generator);
/** Returns the mean. */
double Mean(const DistributionVariant& var);
/** One after the other, in order. */
Eigen::VectorXd Sample(const std::vector<DistributionVariant>& vec,
                       RandomGenerator* generator);
/** Returns the mean of each. */
Eigen::VectorXd Mean(const std::vector<DistributionVariant>& vec);
/** Whether it is always the same: a Gaussian of no width is, or a single value.
 */
bool IsDeterministic(const DistributionVariant& var);
/** Returns the number that every draw gives.
@throws std::logic_error unless IsDeterministic(). */
double GetDeterministicValue(const DistributionVariant& var);

/** Where a vector comes from; its elements are independent. */
class DistributionVector {
 public:
  virtual ~DistributionVector();
  /** Draws a vector. */
  virtual Eigen::VectorXd Sample(RandomGenerator* generator) const = 0;
  /** The mean of the vectors that Sample() draws. */
  virtual Eigen::VectorXd Mean() const = 0;

 protected:
  DistributionVector() = default;
  DistributionVector(const DistributionVector&) = default;
  DistributionVector& operator=(const DistributionVector&) = default;
};

/** `!DeterministicVector {value: [1, 2]}`; Size may be Eigen::Dynamic or 1 to
6, here and below. */
template <int Size>
struct DeterministicVector final : public DistributionVector {
  /** The type of a value. */
  using Vector = Eigen::Matrix<double, Size, 1>;
  DeterministicVector() = default;
  /** Takes the value. */
  explicit DeterministicVector(const Vector& value_in) : value(value_in) {}

  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(value, "The vector."));
  }
  Eigen::VectorXd Sample(RandomGenerator*) const final { return value; }
  Eigen::VectorXd Mean() const final { return value; }

  /** The value. */
  Vector value{Vector::Zero(Size < 0 ? 0 : Size)};
};

/** `!GaussianVector {mean: [0, 0], stddev: [1, 2]}`; one stddev stands for all.
 */
template <int Size>
struct GaussianVector final : public DistributionVector {
  /** The type of the mean. */
  using Vector = Eigen::Matrix<double, Size, 1>;
  /** The type of the deviations: of Size entries, or one for all. */
  using UpToVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, Size, 1>;
  GaussianVector() = default;
  /** Takes mean and standard deviations. */
  GaussianVector(const Vector& mean_in, const UpToVector& stddev_in)
      : mean(mean_in), stddev(stddev_in) {}

  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(mean, "Mean."));
    a->Visit(WYVERN_DNVP(
        stddev, "Standard deviation of each element, or one for all."));
  }
  Eigen::VectorXd Sample(RandomGenerator* generator) const final;
  Eigen::VectorXd Mean() const final { return mean; }

  /** Mean of each element. */
  Vector mean{Vector::Zero(Size < 0 ? 0 : Size)};
  /** Standard deviation of each element, or one for all. */
  UpToVector stddev{UpToVector::Zero(Size < 0 ? 0 : Size)};
};

/** `!UniformVector {min: [0, 0], max: [1, 2]}` */
template <int Size>
struct UniformVector final : public DistributionVector {
  /** The type of a value. */
  using Vector = Eigen::Matrix<double, Size, 1>;
  UniformVector() = default;
  /** Takes the ends of the intervals. */
  UniformVector(const Vector& min_in, const Vector& max_in)
      : min(min_in), max(max_in) {}

  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(min, "Lower ends."));
    a->Visit(WYVERN_DNVP(max, "Upper ends."));
  }
  Eigen::VectorXd Sample(RandomGenerator* generator) const final;
  /** The mean of each element, (min + max) / 2.
  @throws std::logic_error if the sizes differ. */
  Eigen::VectorXd Mean() const final;

  /** Lower end of each element. */
  Vector min{Vector::Zero(Size < 0 ? 0 : Size)};
  /** Upper end of each element. */
  Vector max{Vector::Zero(Size < 0 ? 0 : Size)};
};

/** A vector, or where it comes from. */
template <int Size>
using DistributionVectorVariant =
    std::variant<Eigen::Matrix<double, Size, 1>, DeterministicVector<Size>,
                 GaussianVector<Size>, UniformVector<Size>>;
/** A vector of any size, or its distribution. */
using DistributionVectorVariantX = DistributionVectorVariant<Eigen::Dynamic>;

/** Returns the distribution; a vector is Deterministic. */
template <int Size>
std::unique_ptr<DistributionVector> ToDistributionVector(
    const DistributionVectorVariant<Size>& vec);
/** Returns true if every draw gives the same vector. */
template <int Size>
bool IsDeterministic(const DistributionVectorVariant<Size>& vec);
/** Returns the vector that every draw gives.
@throws std::logic_error unless IsDeterministic(). */
template <int Size>
Eigen::VectorXd GetDeterministicValue(
    const DistributionVectorVariant<Size>& vec);

}  // namespace wyvern::schema
