#include "wyvern/systems/primitives/nary_function.h"

#include <cmath>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {

bool DecideLogic(NaryOperation operation, int num_true, int num_inputs) {
  switch (operation) {
    case NaryOperation::kAnd:
      return num_true == num_inputs;
    case NaryOperation::kNand:
      return num_true < num_inputs;
    case NaryOperation::kOr:
      return num_true > 0;
    case NaryOperation::kNor:
      return num_true == 0;
    default:
      return num_true % 2 == 1;
  }
}

}  // namespace

template <typename T>
NaryFunction<T>::NaryFunction(NaryOperation operation, int num_inputs, int size)
    : LeafSystem<T>(SystemTypeTag<NaryFunction>{}), operation_(operation) {
  wyvern::internal::RequireAtLeast("NaryFunction", "num_inputs", num_inputs, 1);
  wyvern::internal::RequireAtLeast("NaryFunction", "size", size, 1);
  for (int i = 0; i < num_inputs; ++i) {
    this->DeclareVectorInputPort(kUseDefaultName, size);
  }
  this->DeclareVectorOutputPort("y", size, &NaryFunction<T>::CalcOutput,
                                {this->all_input_ports_ticket()});
}

template <typename T>
void NaryFunction<T>::CalcOutput(const Context<T>& context,
                                 BasicVector<T>* y) const {
  const bool is_min = operation_ == NaryOperation::kMin;
  const bool is_max = operation_ == NaryOperation::kMax;
  for (int j = 0; j < y->size(); ++j) {
    T extreme(0);
    int num_true = 0;
    for (int i = 0; i < this->num_input_ports(); ++i) {
      const T& u = this->get_input_port(i).Eval(context)[j];
      if (i == 0 || (is_min && u < extreme) || (is_max && u > extreme) ||
          std::isnan(wyvern::internal::NumberIn(u))) {
        extreme = u;
      }
      if (u != 0) ++num_true;
    }
    (*y)[j] =
        is_min || is_max
            ? extreme
            : T(DecideLogic(operation_, num_true, this->num_input_ports()) ? 1
                                                                           : 0);
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::NaryFunction);
