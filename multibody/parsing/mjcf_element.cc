#include "wyvern/multibody/parsing/mjcf_element.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/parse_number.h"

/* An MJCF element with its defaults. The layers of an element are its own
attributes, those of its class, and those of the classes around it. An attribute
has the value of the first layer that gives it; an empty text counts as not
given. Arrays are filled from the outermost layer inwards, because an inner
layer may give fewer numbers and leave the rest. Errors name the place of the
layer that gave the value. Without a class the element is its own only layer. */

namespace wyvern::multibody::internal {

std::vector<double> ReadMjcfNumbers(const XmlElement& element,
                                    std::string_view attribute,
                                    std::size_t most) {
  const std::string_view text = element.RequiredAttribute(attribute);
  const auto numbers = ParseNumbers(text);
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!numbers.has_value() || !std::ranges::all_of(*numbers, is_finite)) {
    element.Throw(
        fmt::format("{}=\"{}\" in <{}> is not finite numbers parted by spaces.",
                    attribute, text, element.name()));
  }
  if (numbers->empty() || numbers->size() > most) {
    element.Throw(fmt::format("{} in <{}> has {} numbers; give 1 to {}.",
                              attribute, element.name(), numbers->size(),
                              most));
  }
  return *numbers;
}

bool ReadMjcfFlag(const XmlElement& element, std::string_view attribute,
                  bool fallback) {
  const auto text = element.Attribute(attribute);
  if (!text.has_value()) return fallback;
  if (*text != "true" && *text != "false") {
    element.Throw(fmt::format("{}=\"{}\" in <{}> is neither true nor false.",
                              attribute, *text, element.name()));
  }
  return *text == "true";
}

namespace {

// As in MuJoCo, an empty attribute counts as not given.
bool IsGiven(const XmlElement& layer, std::string_view attribute) {
  return !Trim(layer.Attribute(attribute).value_or("")).empty();
}

}  // namespace

MjcfElement::MjcfElement(const XmlElement& own,
                         std::vector<XmlElement> defaults) {
  layers_.push_back(own);
  for (XmlElement& layer : defaults) layers_.push_back(std::move(layer));
}

std::optional<XmlElement> MjcfElement::Holder(
    std::string_view attribute) const {
  for (const XmlElement& layer : layers_) {
    if (IsGiven(layer, attribute)) return layer;
  }
  return {};
}

std::string MjcfElement::Text(std::string_view attribute,
                              std::string_view fallback) const {
  const auto holder = Holder(attribute);
  return std::string(holder ? *holder->Attribute(attribute) : fallback);
}

double MjcfElement::Number(std::string_view attribute, double fallback) const {
  const auto holder = Holder(attribute);
  return holder ? ReadMjcfNumbers(*holder, attribute, 1)[0] : fallback;
}

double MjcfElement::NotNegative(std::string_view attribute,
                                double fallback) const {
  const double result = Number(attribute, fallback);
  if (result < 0) {
    Holder(attribute)->Throw(
        fmt::format("{} in <{}> is {}; it must not be "
                    "negative.",
                    attribute, own().name(), result));
  }
  return result;
}

VectorX<double> MjcfElement::Numbers(std::string_view attribute,
                                     const VectorX<double>& fallback) const {
  VectorX<double> result = fallback;
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    if (!IsGiven(*layer, attribute)) continue;
    const std::vector<double> numbers =
        ReadMjcfNumbers(*layer, attribute, fallback.size());
    std::ranges::copy(numbers, result.data());
  }
  return result;
}

Vector3<double> MjcfElement::Triple(std::string_view attribute,
                                    const Vector3<double>& fallback) const {
  const auto holder = Holder(attribute);
  return holder ? *holder->Triple(attribute) : fallback;
}

bool MjcfElement::Flag(std::string_view attribute, bool fallback) const {
  const auto holder = Holder(attribute);
  return holder ? ReadMjcfFlag(*holder, attribute, fallback) : fallback;
}

bool MjcfElement::IsLimited(std::string_view limited, std::string_view range,
                            bool autolimits) const {
  const std::string text = Text(limited, "auto");
  if (text != "auto") return Flag(limited, false);
  if (!Has(range)) return false;
  if (!autolimits) {
    Throw(
        fmt::format("<{}> has {} but not {}; say {}=\"true\", or leave "
                    "autolimits on in <compiler>.",
                    own().name(), range, limited, limited));
  }
  return !Range(range).isZero(0);
}

Vector2<double> MjcfElement::Range(std::string_view attribute) const {
  const VectorX<double> range = Numbers(attribute, VectorX<double>::Zero(2));
  if (range[0] > range[1]) {
    Holder(attribute)->Throw(fmt::format(
        "{} in <{}> is [{}, {}]; the lower bound must not be above the upper.",
        attribute, own().name(), range[0], range[1]));
  }
  return range;
}

std::optional<std::pair<XmlElement, std::string_view>> MjcfElement::OneOf(
    std::initializer_list<std::string_view> attributes) const {
  for (const XmlElement& layer : layers_) {
    std::optional<std::pair<XmlElement, std::string_view>> result;
    for (const std::string_view attribute : attributes) {
      if (!IsGiven(layer, attribute)) continue;
      if (result.has_value()) {
        layer.Throw(fmt::format("<{}> has {} and {}; give one of them.",
                                layer.name(), result->second, attribute));
      }
      result.emplace(layer, attribute);
    }
    if (result.has_value()) return result;
  }
  return {};
}

}  // namespace wyvern::multibody::internal
