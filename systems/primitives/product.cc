#include "wyvern/systems/primitives/product.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/scalar_text.h"
#include "wyvern/systems/primitives/overflow_check.h"

namespace wyvern::systems {

template <typename T>
Product<T>::Product(const std::string& operations, int size)
    : LeafSystem<T>(SystemTypeTag<Product>{}), operations_(operations) {
  wyvern::internal::RequireNotEmpty("Product", "operations",
                                    operations.empty());
  wyvern::internal::RequireAtLeast("Product", "size", size, 0);
  for (const char operation : operations) {
    if (operation != '*' && operation != '/') {
      throw std::logic_error(fmt::format(
          "Product(): operations is \"{}\"; use only '*' and '/', one for each "
          "input.",
          operations));
    }
    this->DeclareVectorInputPort(kUseDefaultName, size);
  }
  this->DeclareVectorOutputPort("product", size, &Product<T>::CalcProduct,
                                {this->all_input_ports_ticket()});
}

template <typename T>
void Product<T>::CalcProduct(const Context<T>& context,
                             BasicVector<T>* product) const {
  auto y = product->get_mutable_value();
  y.setConstant(T(1));
  for (int i = 0; i < this->num_input_ports(); ++i) {
    const VectorX<T>& u = this->get_input_port(i).Eval(context);
    if (operations_[i] == '*') {
      y.array() *= u.array();
      continue;
    }
    for (int j = 0; j < u.size(); ++j) {
      if (u[j] == 0) {
        throw std::runtime_error(fmt::format(
            "Product: divisor {} of '{}' has a zero in element {} at time {} "
            "s; keep the divisor away from zero.",
            this->get_input_port(i).get_name(), this->GetSystemPathname(), j,
            ScalarText(context.get_time())));
      }
    }
    y.array() /= u.array();
  }
  internal::RequireNoOverflow(*this, context, *product);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Product);
