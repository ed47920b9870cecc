#include "wyvern/systems/primitives/manual_switch.h"

#include <cmath>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
ManualSwitch<T>::ManualSwitch(int num_inputs, int size, int selected)
    : LeafSystem<T>(SystemTypeTag<ManualSwitch>{}), selected_(selected) {
  wyvern::internal::RequireAtLeast("ManualSwitch", "num_inputs", num_inputs, 1);
  wyvern::internal::RequireAtLeast("ManualSwitch", "size", size, 1);
  wyvern::internal::RequireIndex("ManualSwitch", "selected", selected,
                                 num_inputs);
  for (int i = 0; i < num_inputs; ++i) {
    this->DeclareVectorInputPort(kUseDefaultName, size);
  }
  this->DeclareNumericParameter(
      BasicVector<T>(VectorX<T>::Constant(1, T(selected))));
  this->DeclareVectorOutputPort(
      "y", size, &ManualSwitch<T>::CalcOutput,
      {this->all_input_ports_ticket(), this->all_parameters_ticket()});
}

template <typename T>
void ManualSwitch<T>::Select(Context<T>* context, int selected) const {
  this->ValidateContext(context);
  wyvern::internal::RequireIndex("ManualSwitch::Select()", "selected", selected,
                                 this->num_input_ports());
  context->get_mutable_numeric_parameter(0)[0] = T(selected);
}

template <typename T>
void ManualSwitch<T>::CalcOutput(const Context<T>& context,
                                 BasicVector<T>* y) const {
  const double chosen =
      wyvern::internal::NumberIn(context.get_numeric_parameter(0)[0]);
  wyvern::internal::RequireInRange(
      wyvern::internal::Caller("ManualSwitch").OfResults(),
      "the parameter that selects an input", chosen, -0.5,
      std::nextafter(this->num_input_ports() - 0.5, 0));
  const int i = static_cast<int>(std::floor(chosen + 0.5));
  y->get_mutable_value() = this->get_input_port(i).Eval(context);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::ManualSwitch);
