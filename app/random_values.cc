// Random numbers by name. The key's hash and the seed start a SplitMix64
// sequence [Steele, Lea, Flood, OOPSLA 2014]: a counter, each value of which is
// mixed by multiplications and shifts. A normal number is Marsaglia's polar
// one [SIAM Review 6, 1964]: for (x, y) uniform in the unit disc and
// s = x^2 + y^2, x sqrt(-2 ln(s) / s) has mean 0 and variance 1. The logarithm
// is a series here, as those of mathematical libraries differ in the last bit;
// fma is spelt out, so that no compiler chooses where to round.
#include "wyvern/app/random_values.h"

#include <cmath>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/common/name_value.h"
#include "wyvern/systems/common/sealed_record.h"
#include "wyvern/systems/yaml/yaml_io.h"
#include "wyvern/systems/yaml/yaml_scalars.h"

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

struct Deterministic {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(value));
  }
  double value{};
};
struct Uniform {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(min));
    a->Visit(WYVERN_NVP(max));
  }
  double min{};
  double max{};
};
struct Gaussian {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(mean));
    a->Visit(WYVERN_NVP(stddev));
  }
  double mean{};
  double stddev{};
};
struct UniformDiscrete {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(values));
  }
  std::vector<double> values;
};

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

double DrawAt(const Place& place, const Node& node, std::uint64_t seed,
              const std::string& path) {
  KeyedDraws draws(seed, path);
  if (node.tag == "!Deterministic") {
    return RequireFiniteAt(place, node, "value",
                           ReadAs<Deterministic>(place, node).value);
  }
  if (node.tag == "!Uniform") {
    const auto d = ReadAs<Uniform>(place, node);
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
  if (node.tag == "!Gaussian") {
    const auto d = ReadAs<Gaussian>(place, node);
    RequireFiniteAt(place, node, "mean", d.mean);
    RequireFiniteAt(place, node, "stddev", d.stddev);
    if (d.stddev < 0) {
      Fail(place, node,
           fmt::format("has a stddev of {}; give 0 or more", d.stddev));
    }
    return RequireFiniteAt(place, node, "draw",
                           std::fma(draws.NextGaussian(), d.stddev, d.mean));
  }
  const auto d = ReadAs<UniformDiscrete>(place, node);
  if (d.values.empty()) Fail(place, node, "has no values; give one or more");
  for (const double value : d.values) {
    RequireFiniteAt(place, node, "value", value);
  }
  // The bias of a remainder is the number of values / 2^64.
  return d.values[draws.NextBits() % d.values.size()];
}

NodePtr WithDrawnNumbersAt(const Place& place, const NodePtr& node,
                           std::uint64_t seed) {
  if (IsDistribution(*node)) {
    auto number = std::make_shared<Node>();
    number->kind = Node::Kind::kScalar;
    number->spot = node->spot;
    const double value = DrawAt(place, *node, seed, ToString(place));
    number->text = ToNumberText(value);
    return number;
  }
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
    NodePtr entry = WithDrawnNumbersAt(Place(place, key.c_str()), value, seed);
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
