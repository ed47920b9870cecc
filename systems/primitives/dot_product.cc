#include "wyvern/systems/primitives/dot_product.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/overflow_check.h"

namespace wyvern::systems {

template <typename T>
DotProduct<T>::DotProduct(int size)
    : LeafSystem<T>(SystemTypeTag<DotProduct>{}) {
  wyvern::internal::RequireAtLeast("DotProduct", "size", size, 1);
  this->DeclareVectorInputPort(kUseDefaultName, size);
  this->DeclareVectorInputPort(kUseDefaultName, size);
  this->DeclareVectorOutputPort("product", 1, &DotProduct<T>::CalcProduct,
                                {this->all_input_ports_ticket()});
}

template <typename T>
void DotProduct<T>::CalcProduct(const Context<T>& context,
                                BasicVector<T>* product) const {
  (*product)[0] = this->get_input_port(0).Eval(context).dot(
      this->get_input_port(1).Eval(context));
  internal::RequireNoOverflow(*this, context, *product);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::DotProduct);
