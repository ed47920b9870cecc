#include "wyvern/app/sweep_plan.h"

#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/app/random_values.h"
#include "wyvern/systems/yaml/yaml_io.h"
#include "wyvern/systems/yaml/yaml_scalars.h"

/* A plan numbers the samples of a sweep. Parameters with lists of values form a
grid: the digits of the sample's number in mixed radix, the last parameter
first, are the places in the lists. Parameters with distributions are drawn from
a seed that depends only on the plan's seed and the sample's number, so that any
process finds the same sample. Without distributions the plan is the grid alone.
*/

namespace wyvern::app {

using yaml::internal::Node;

namespace {

constexpr std::uint64_t kMostValues = 1'000'000;
constexpr std::uint64_t kMostSamples = 1'000'000'000'000;

[[noreturn]] void ThrowBadParameter(const std::string& text,
                                    const std::string& what) {
  throw std::runtime_error(fmt::format(
      "--param {}: {}; give path=from:to:count, path=[a, b, c] or "
      "path=!Uniform {{min: 0, max: 1}} (or !Gaussian, !UniformDiscrete).",
      text, what));
}

// A value on one line, as setting and table have it.
std::string ToOneLine(const Node& node) {
  std::string text = node.tag.empty() ? "" : node.tag + " ";
  switch (node.kind) {
    case Node::Kind::kNull:
      return text + "null";
    case Node::Kind::kScalar: {
      if (!node.is_quoted) return text + node.text;
      std::string quoted;
      for (const char c : node.text) {
        quoted += c == '\'' ? std::string("''") : std::string(1, c);
      }
      return fmt::format("{}'{}'", text, quoted);
    }
    case Node::Kind::kSequence: {
      std::string items;
      for (const auto& item : node.items) {
        items += (items.empty() ? "" : ", ") + ToOneLine(*item);
      }
      return fmt::format("{}[{}]", text, items);
    }
    case Node::Kind::kMapping: {
      std::string items;
      for (const auto& [key, value] : node.entries) {
        items += fmt::format("{}{}: {}", items.empty() ? "" : ", ", key,
                             ToOneLine(*value));
      }
      return fmt::format("{}{{{}}}", text, items);
    }
  }
  return text;
}

// The numbers of "from:to:count", or none if the text is not of that form.
std::optional<std::vector<std::string>> ReadRange(const std::string& text,
                                                  const std::string& whole) {
  const std::size_t first = text.find(':');
  const std::size_t second = text.find(':', first + 1);
  if (first == text.npos || second == text.npos) return std::nullopt;
  const auto from = yaml::internal::ToDouble(text.substr(0, first));
  const auto to =
      yaml::internal::ToDouble(text.substr(first + 1, second - first - 1));
  const auto count = yaml::internal::ToUnsigned(text.substr(second + 1));
  if (!from || !to || !count) return std::nullopt;
  if (!std::isfinite(*from) || !std::isfinite(*to) || *count < 2 ||
      *count > kMostValues) {
    ThrowBadParameter(
        whole, "a range has two numbers, not infinite, and a count from 2 on");
  }
  std::vector<std::string> values;
  for (std::uint64_t i = 0; i < *count; ++i) {
    // Both ends exactly.
    const double share = static_cast<double>(i) / (*count - 1);
    const double value = std::fma(share, *to, (1 - share) * *from);
    values.push_back(ToNumberText(value));
  }
  return values;
}

}  // namespace

SweepParameter ParseSweepParameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) {
    ThrowBadParameter(text, "there is no path and value");
  }
  SweepParameter result{.path = text.substr(0, equals), .values = {}};
  if (result.path == "random_seed") {
    ThrowBadParameter(text,
                      "the seed of each sample follows from --seed; there is "
                      "no need to sweep it");
  }
  const std::string value = text.substr(equals + 1);
  if (auto range = ReadRange(value, text)) {
    result.values = std::move(*range);
    return result;
  }
  yaml::internal::NodePtr node;
  try {
    node = yaml::internal::Parse(value, "value");
  } catch (const std::runtime_error& error) {
    ThrowBadParameter(text, error.what());
  }
  if (IsDistribution(*node)) {
    try {
      DrawFrom(*node, 0, result.path, "value");
    } catch (const std::runtime_error& error) {
      ThrowBadParameter(text, error.what());
    }
    result.distribution = std::move(node);
    return result;
  }
  if (node->kind != Node::Kind::kSequence || node->items.empty() ||
      node->items.size() > kMostValues) {
    ThrowBadParameter(text,
                      fmt::format("{} is neither a range nor a list nor a "
                                  "distribution",
                                  Describe(*node)));
  }
  for (const auto& item : node->items) {
    result.values.push_back(ToOneLine(*item));
  }
  return result;
}

SweepPlan::SweepPlan(std::vector<SweepParameter> parameters,
                     std::uint64_t num_samples, std::uint64_t seed)
    : parameters_(std::move(parameters)),
      num_samples_(num_samples),
      seed_(seed) {
  std::set<std::string> paths;
  std::uint64_t grid = 1;
  for (const SweepParameter& parameter : parameters_) {
    if (!paths.insert(parameter.path).second) {
      throw std::runtime_error(fmt::format(
          "SweepPlan: the path '{}' occurs twice; give it one --param.",
          parameter.path));
    }
    const std::uint64_t count =
        std::max<std::size_t>(1, parameter.values.size());
    grid = grid > kMostSamples / count ? kMostSamples + 1 : grid * count;
  }
  if (num_samples_ == 0) num_samples_ = grid;
  if (num_samples_ > kMostSamples) {
    throw std::runtime_error(fmt::format(
        "SweepPlan: these are more than {} samples; give fewer values, or "
        "draw them from distributions.",
        kMostSamples));
  }
}

SweepSample SweepPlan::MakeSample(std::uint64_t index) const {
  SweepSample sample{.index = index, .values = {}};
  // 53 bits, which every reader of the table keeps.
  sample.seed =
      KeyedDraws(seed_, fmt::format("sample {}", index)).NextBits() >> 11;
  sample.values.resize(parameters_.size());
  std::uint64_t rest = index;
  for (std::size_t p = parameters_.size(); p-- > 0;) {
    const SweepParameter& parameter = parameters_[p];
    if (parameter.distribution != nullptr) {
      sample.values[p] = ToNumberText(DrawFrom(
          *parameter.distribution, sample.seed, parameter.path, "value"));
    } else {
      sample.values[p] = parameter.values[rest % parameter.values.size()];
      rest /= parameter.values.size();
    }
  }
  return sample;
}

std::vector<std::string> SweepPlan::MakeSettings(
    const SweepSample& sample) const {
  std::vector<std::string> settings{fmt::format("random_seed={}", sample.seed)};
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    settings.push_back(
        fmt::format("{}={}", parameters_[p].path, sample.values[p]));
  }
  return settings;
}

std::string SweepPlan::Describe() const {
  std::string text =
      fmt::format("samples: {}\nseed: {}\n", num_samples_, seed_);
  for (const SweepParameter& parameter : parameters_) {
    text += parameter.path + "=";
    if (parameter.distribution != nullptr) {
      text += ToOneLine(*parameter.distribution);
    }
    for (const std::string& value : parameter.values) text += " " + value;
    text += "\n";
  }
  return text;
}

}  // namespace wyvern::app
