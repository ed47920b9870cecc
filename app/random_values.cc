#include "wyvern/app/random_values.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/sealed_record.h"
#include "wyvern/systems/common/stochastic.h"
#include "wyvern/systems/yaml/yaml_io.h"
#include "wyvern/systems/yaml/yaml_scalars.h"

/* Random numbers by name. The key's hash and the seed start a SplitMix64
sequence [Steele, Lea, Flood, OOPSLA 2014]: a counter, each value of which is
mixed by multiplications and shifts. A normal number is Marsaglia's polar
one [SIAM Review 6, 1964]: for (x, y) uniform in the unit disc and
s = x^2 + y^2, x sqrt(-2 ln(s) / s) has mean 0 and variance 1. The logarithm
is a series here, as those of mathematical libraries differ in the last bit;
fma is spelt out, so that no compiler chooses where to round. */

namespace wyvern::app {

using yaml::internal::Node;
using yaml::internal::NodePtr;
using yaml::internal::Place;

namespace {

std::uint64_t MixBits(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// ln(m 2^k) = k ln 2 + 2 artanh((m - 1) / (m + 1)), with m in [1/sqrt 2, sqrt
// 2): a term less than 2^-53 of the sum is the eleventh.
double PortableLog(double x) {
  int k = 0;
  double m = std::frexp(x, &k);
  if (m < 0.70710678118654752) {
    m *= 2;
    --k;
  }
  const double z = (m - 1) / (m + 1);
  const double z2 = z * z;
  double sum = 0.0;
  for (int n = 21; n >= 1; n -= 2) sum = std::fma(sum, z2, 1.0 / n);
  return std::fma(double(k), 0.69314718055994531, 2 * z * sum);
}

double RequireFiniteAt(const Place& place, const Node& node, const char* field,
                       double value) {
  if (!std::isfinite(value)) {
    Fail(place, node,
         fmt::format("has a {} of {}; give a number, neither nan nor infinite",
                     field, value));
  }
  return value;
}

template <typename T>
T ReadAs(const Place& place, const Node& node) {
  T result;
  yaml::internal::Read(place, node, &result);
  return result;
}

double DrawUniformAt(const Place& place, const Node& node,
                     const schema::Uniform& d, KeyedDraws draws) {
  RequireFiniteAt(place, node, "min", d.min);
  RequireFiniteAt(place, node, "max", d.max);
  if (d.max < d.min) {
    Fail(place, node,
         fmt::format("has a max of {}, less than its min of {}; exchange "
                     "them",
                     d.max, d.min));
  }
  RequireFiniteAt(place, node, "width", d.max - d.min);
  // The sum may round to max, no further.
  return std::min(d.max, std::fma(draws.NextUniform(), d.max - d.min, d.min));
}

double DrawGaussianAt(const Place& place, const Node& node,
                      const schema::Gaussian& d, KeyedDraws draws) {
  RequireFiniteAt(place, node, "mean", d.mean);
  RequireFiniteAt(place, node, "stddev", d.stddev);
  if (d.stddev < 0) {
    Fail(place, node,
         fmt::format("has a stddev of {}; give 0 or more", d.stddev));
  }
  return RequireFiniteAt(place, node, "draw",
                         std::fma(draws.NextGaussian(), d.stddev, d.mean));
}

double DrawAt(const Place& place, const Node& node, std::uint64_t seed,
              const std::string& path) {
  KeyedDraws draws(seed, path);
  if (node.tag == "!Deterministic") {
    return RequireFiniteAt(place, node, "value",
                           ReadAs<schema::Deterministic>(place, node).value);
  }
  if (node.tag == "!Uniform") {
    return DrawUniformAt(place, node, ReadAs<schema::Uniform>(place, node),
                         draws);
  }
  if (node.tag == "!Gaussian") {
    return DrawGaussianAt(place, node, ReadAs<schema::Gaussian>(place, node),
                          draws);
  }
  const auto d = ReadAs<schema::UniformDiscrete>(place, node);
  if (d.values.empty()) Fail(place, node, "has no values; give one or more");
  for (const double value : d.values) {
    RequireFiniteAt(place, node, "value", value);
  }
  // The bias of a remainder is the number of values / 2^64.
  return d.values[draws.NextBits() % d.values.size()];
}

void RequireSizeAt(const Place& place, const Node& node, const char* field,
                   Eigen::Index given, Eigen::Index wanted) {
  if (given == wanted) return;
  Fail(place, node,
       fmt::format("has {} of {} elements; give it {}", field, given, wanted));
}

NodePtr MakeNumber(const Node& from, double value) {
  auto number = std::make_shared<Node>();
  number->kind = Node::Kind::kScalar;
  number->spot = from.spot;
  number->text = ToNumberText(value);
  return number;
}

bool IsVectorDistribution(const Node& node) {
  return node.kind == Node::Kind::kMapping &&
         (node.tag == "!DeterministicVector" || node.tag == "!UniformVector" ||
          node.tag == "!GaussianVector");
}

// Each element has a key of its own, as if it were drawn by itself.
NodePtr DrawVectorAt(const Place& place, const Node& node, std::uint64_t seed) {
  auto result = std::make_shared<Node>();
  result->kind = Node::Kind::kSequence;
  result->spot = node.spot;
  const auto add = [&](const auto& draw, Eigen::Index size) {
    for (int i = 0; i < size; ++i) {
      const Place element(place, i);
      result->items.push_back(
          MakeNumber(node, draw(KeyedDraws(seed, ToString(element)), i)));
    }
  };
  if (node.tag == "!DeterministicVector") {
    const auto d =
        ReadAs<schema::DeterministicVector<Eigen::Dynamic>>(place, node);
    add(
        [&](KeyedDraws, int i) {
          return RequireFiniteAt(place, node, "value", d.value[i]);
        },
        d.value.size());
  } else if (node.tag == "!UniformVector") {
    const auto d = ReadAs<schema::UniformVector<Eigen::Dynamic>>(place, node);
    RequireSizeAt(place, node, "a max", d.max.size(), d.min.size());
    add(
        [&](KeyedDraws draws, int i) {
          return DrawUniformAt(place, node, {d.min[i], d.max[i]}, draws);
        },
        d.min.size());
  } else {
    const auto d = ReadAs<schema::GaussianVector<Eigen::Dynamic>>(place, node);
    const bool is_one = d.stddev.size() == 1;
    if (!is_one) {
      RequireSizeAt(place, node, "a stddev", d.stddev.size(), d.mean.size());
    }
    add(
        [&](KeyedDraws draws, int i) {
          return DrawGaussianAt(place, node,
                                {d.mean[i], d.stddev[is_one ? 0 : i]}, draws);
        },
        d.mean.size());
  }
  return result;
}

// sin(y) = y (1 - y^2/6 (1 - y^2/20 (...))), for |y| <= pi / 2.
double PortableSine(double y) {
  double sum = 1.0;
  for (int n = 23; n >= 3; n -= 2) {
    sum = std::fma(-(y * y) / (n * (n - 1)), sum, 1.0);
  }
  return y * sum;
}

// `rotation: !Uniform {}`. The angle of a rotation that is uniform over all has
// the density (1 - cos(angle)) / pi, the axis any direction.
NodePtr DrawRotationAt(const Place& place, const Node& node,
                       std::uint64_t seed) {
  KeyedDraws draws(seed, ToString(place));
  double turn = 0.0, half_sine = 0.0;
  do {
    turn = draws.NextUniform();
    half_sine = PortableSine(0.5 * std::numbers::pi * turn);
  } while (draws.NextUniform() >= half_sine * half_sine);
  Eigen::Vector3d axis;
  do {
    for (double& along : axis) along = 2 * draws.NextUniform() - 1;
  } while (!(axis.squaredNorm() > 1e-4 && axis.squaredNorm() <= 1));
  auto sequence = std::make_shared<Node>();
  sequence->kind = Node::Kind::kSequence;
  sequence->spot = node.spot;
  for (const double along : axis) {
    sequence->items.push_back(MakeNumber(node, along));
  }
  auto result = std::make_shared<Node>();
  result->kind = Node::Kind::kMapping;
  result->tag = "!AngleAxis";
  result->spot = node.spot;
  result->entries = {{"angle_deg", MakeNumber(node, 180 * turn)},
                     {"axis", sequence}};
  result->key_spots.resize(2);
  return result;
}

bool IsUniformRotation(const std::string& key, const Node& node) {
  return key == "rotation" && node.tag == "!Uniform" && node.entries.empty();
}

NodePtr WithDrawnNumbersAt(const Place& place, const NodePtr& node,
                           std::uint64_t seed) {
  if (IsDistribution(*node)) {
    return MakeNumber(*node, DrawAt(place, *node, seed, ToString(place)));
  }
  if (IsVectorDistribution(*node)) return DrawVectorAt(place, *node, seed);
  std::shared_ptr<Node> changed;
  const auto change = [&]() -> Node& {
    if (changed == nullptr) changed = std::make_shared<Node>(*node);
    return *changed;
  };
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    NodePtr item = WithDrawnNumbersAt(Place(place, static_cast<int>(i)),
                                      node->items[i], seed);
    if (item != node->items[i]) change().items[i] = std::move(item);
  }
  for (std::size_t i = 0; i < node->entries.size(); ++i) {
    const auto& [key, value] = node->entries[i];
    const Place here(place, key.c_str());
    NodePtr entry = IsUniformRotation(key, *value)
                        ? DrawRotationAt(here, *value, seed)
                        : WithDrawnNumbersAt(here, value, seed);
    if (entry != value) change().entries[i].second = std::move(entry);
  }
  return changed == nullptr ? node : changed;
}

const yaml::LoadYamlOptions kStrict{};

}  // namespace

KeyedDraws::KeyedDraws(std::uint64_t seed, std::string_view key)
    : state_(MixBits(seed + 0x9e3779b97f4a7c15) ^ internal::HashBytes(key)) {}

std::uint64_t KeyedDraws::NextBits() {
  state_ += 0x9e3779b97f4a7c15;
  return MixBits(state_);
}

double KeyedDraws::NextUniform() {
  return static_cast<double>(NextBits() >> 11) * 0x1p-53;
}

double KeyedDraws::NextGaussian() {
  for (;;) {
    const double x = 2 * NextUniform() - 1;
    const double y = 2 * NextUniform() - 1;
    const double s = std::fma(x, x, y * y);
    if (s > 0 && s < 1) return x * std::sqrt(-2 * PortableLog(s) / s);
  }
}

std::string ToNumberText(double value) {
  const bool is_whole = std::floor(value) == value && std::abs(value) < 1e15;
  return is_whole ? fmt::format("{:.0f}", value)
                  : yaml::internal::FromDouble(value);
}

bool IsDistribution(const Node& node) {
  return node.kind == Node::Kind::kMapping && !node.entries.empty() &&
         (node.tag == "!Deterministic" || node.tag == "!Uniform" ||
          node.tag == "!Gaussian" || node.tag == "!UniformDiscrete");
}

double DrawFrom(const Node& distribution, std::uint64_t seed,
                const std::string& path, const std::string& source) {
  return DrawAt(Place(&source, &kStrict), distribution, seed, path);
}

NodePtr WithDrawnNumbers(const NodePtr& root, std::uint64_t seed,
                         const std::string& source) {
  return WithDrawnNumbersAt(Place(&source, &kStrict), root, seed);
}

}  // namespace wyvern::app
