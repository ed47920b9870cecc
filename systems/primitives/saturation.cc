#include "wyvern/systems/primitives/saturation.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/if_then_else.h"
#include "wyvern/systems/common/scalar_text.h"

namespace wyvern::systems {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr int kMaxPort = 1;
constexpr int kMinPort = 2;

template <typename T>
VectorX<T> Fill(int size, double value) {
  return VectorX<T>::Constant(std::max(size, 0), T(value));
}

}  // namespace

template <typename T>
Saturation<T>::Saturation(const VectorX<T>& min_value,
                          const VectorX<T>& max_value)
    : Saturation(static_cast<int>(min_value.size()), false, min_value,
                 max_value) {}

template <typename T>
Saturation<T>::Saturation(double min_value, double max_value, int size)
    : Saturation(size, false, Fill<T>(size, min_value),
                 Fill<T>(size, max_value)) {}

template <typename T>
Saturation<T>::Saturation(int input_size)
    : Saturation(input_size, true, Fill<T>(input_size, -kInf),
                 Fill<T>(input_size, kInf)) {}

template <typename T>
Saturation<T>::Saturation(int size, bool has_limit_ports,
                          const VectorX<T>& min_value,
                          const VectorX<T>& max_value)
    : LeafSystem<T>(SystemTypeTag<Saturation>{}),
      size_(size),
      has_limit_ports_(has_limit_ports),
      min_value_(min_value),
      max_value_(max_value) {
  wyvern::internal::RequireAtLeast("Saturation", "the input size", size, 1);
  wyvern::internal::RequireSize("Saturation", "max_value", max_value.size(),
                                size);
  wyvern::internal::RequireNotNan("Saturation", "min_value", min_value);
  wyvern::internal::RequireNotNan("Saturation", "max_value", max_value);
  RequireOrdered(min_value, max_value);
  this->DeclareVectorInputPort(kUseDefaultName, size);
  if (has_limit_ports) {
    this->DeclareVectorInputPort(kUseDefaultName, size).set_optional();
    this->DeclareVectorInputPort(kUseDefaultName, size).set_optional();
  }
  this->DeclareVectorOutputPort(kUseDefaultName, size,
                                &Saturation<T>::CalcOutput,
                                {this->all_input_ports_ticket()});
}

template <typename T>
const InputPort<T>& Saturation<T>::get_min_value_port() const {
  RequireLimitPorts("get_min_value_port");
  return LeafSystem<T>::get_input_port(kMinPort);
}

template <typename T>
const InputPort<T>& Saturation<T>::get_max_value_port() const {
  RequireLimitPorts("get_max_value_port");
  return LeafSystem<T>::get_input_port(kMaxPort);
}

template <typename T>
void Saturation<T>::RequireLimitPorts(const char* method) const {
  if (has_limit_ports_) return;
  throw std::logic_error(fmt::format(
      "Saturation::{}(): '{}' was given constant limits and has no ports for "
      "them; construct it from a size to get the ports.",
      method, this->GetSystemPathname()));
}

template <typename T>
void Saturation<T>::RequireOrdered(const VectorX<T>& u_min,
                                   const VectorX<T>& u_max) const {
  for (int i = 0; i < size_; ++i) {
    using wyvern::internal::MayHold;
    if (MayHold(u_min[i] <= u_max[i])) continue;
    throw std::logic_error(fmt::format(
        "Saturation: min_value[{0}] = {1} is above max_value[{0}] = {2}; give "
        "limits with min <= max.",
        i, ScalarText(u_min[i]), ScalarText(u_max[i])));
  }
}

template <typename T>
void Saturation<T>::CalcOutput(const Context<T>& context,
                               BasicVector<T>* y) const {
  const VectorX<T>* u_min = &min_value_;
  const VectorX<T>* u_max = &max_value_;
  if (has_limit_ports_) {
    const InputPort<T>& min_port = get_min_value_port();
    const InputPort<T>& max_port = get_max_value_port();
    const bool has_min = min_port.HasValue(context);
    const bool has_max = max_port.HasValue(context);
    if (!has_min && !has_max) {
      throw std::logic_error(fmt::format(
          "Saturation: neither limit port of '{}' is connected; connect "
          "min_value or max_value.",
          this->GetSystemPathname()));
    }
    if (has_min) u_min = &min_port.Eval(context);
    if (has_max) u_max = &max_port.Eval(context);
    RequireOrdered(*u_min, *u_max);
  }
  const VectorX<T>& u = get_input_port().Eval(context);
  auto out = y->get_mutable_value();
  for (int i = 0; i < size_; ++i) {
    const T& low = (*u_min)[i];
    const T& high = (*u_max)[i];
    out[i] =
        if_then_else(u[i] < low, low, if_then_else(u[i] > high, high, u[i]));
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Saturation);
