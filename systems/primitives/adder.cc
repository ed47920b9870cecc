#include "wyvern/systems/primitives/adder.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/overflow_check.h"

namespace wyvern::systems {

namespace {

std::string PlusSigns(int count) {
  wyvern::internal::RequireAtLeast("Adder", "num_inputs", count, 1);
  return std::string(count, '+');
}

}  // namespace

template <typename T>
Adder<T>::Adder(int num_inputs, int size)
    : Adder(PlusSigns(num_inputs), size) {}

template <typename T>
Adder<T>::Adder(const std::string& signs, int size)
    : LeafSystem<T>(SystemTypeTag<Adder>{}), signs_(signs) {
  wyvern::internal::RequireNotEmpty("Adder", "signs", signs.empty());
  wyvern::internal::RequireAtLeast("Adder", "size", size, 0);
  for (const char sign : signs) {
    if (sign != '+' && sign != '-') {
      throw std::logic_error(fmt::format(
          "Adder(): signs is \"{}\"; use only '+' and '-', one for each input.",
          signs));
    }
    this->DeclareVectorInputPort(kUseDefaultName, size);
  }
  this->DeclareVectorOutputPort("sum", size, &Adder<T>::CalcSum,
                                {this->all_input_ports_ticket()});
}

template <typename T>
void Adder<T>::CalcSum(const Context<T>& context, BasicVector<T>* sum) const {
  auto y = sum->get_mutable_value();
  for (int i = 0; i < this->num_input_ports(); ++i) {
    const VectorX<T>& u = this->get_input_port(i).Eval(context);
    // Plain loops, since most sums have a few elements.
    const bool is_positive = signs_[i] == '+';
    if (i == 0) {
      for (int k = 0; k < u.size(); ++k) y[k] = is_positive ? u[k] : T(-u[k]);
    } else if (is_positive) {
      for (int k = 0; k < u.size(); ++k) y[k] += u[k];
    } else {
      for (int k = 0; k < u.size(); ++k) y[k] -= u[k];
    }
  }
  internal::RequireNoOverflow(*this, context, *sum);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Adder);
