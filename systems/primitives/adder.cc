#include "wyvern/systems/primitives/adder.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/overflow_check.h"

namespace wyvern::systems {

template <typename T>
Adder<T>::Adder(int num_inputs, int size)
    : LeafSystem<T>(SystemTypeTag<Adder>{}) {
  wyvern::internal::RequireAtLeast("Adder", "num_inputs", num_inputs, 1);
  wyvern::internal::RequireAtLeast("Adder", "size", size, 0);
  for (int i = 0; i < num_inputs; ++i) {
    this->DeclareVectorInputPort(kUseDefaultName, size);
  }
  this->DeclareVectorOutputPort("sum", size, &Adder<T>::CalcSum,
                                {this->all_input_ports_ticket()});
}

template <typename T>
void Adder<T>::CalcSum(const Context<T>& context, BasicVector<T>* sum) const {
  auto y = sum->get_mutable_value();
  y = this->get_input_port(0).Eval(context);
  for (int i = 1; i < this->num_input_ports(); ++i) {
    y += this->get_input_port(i).Eval(context);
  }
  internal::RequireNoOverflow(*this, context, *sum);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Adder);
