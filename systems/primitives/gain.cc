#include "wyvern/systems/primitives/gain.h"

#include <stdexcept>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/overflow_check.h"
#include "wyvern/systems/primitives/the_one_value.h"

namespace wyvern::systems {

namespace {

Eigen::VectorXd Repeat(double k, int size) {
  wyvern::internal::RequireAtLeast("Gain", "size", size, 0);
  wyvern::internal::RequireFinite("Gain", "k", k);
  return Eigen::VectorXd::Constant(size, k);
}

}  // namespace

template <typename T>
Gain<T>::Gain(double k, int size) : Gain(Repeat(k, size)) {}

template <typename T>
Gain<T>::Gain(const Eigen::VectorXd& k)
    : LeafSystem<T>(SystemTypeTag<Gain>{}), k_(k) {
  wyvern::internal::RequireFinite("Gain", "k", k);
  const int size = static_cast<int>(k.size());
  this->DeclareVectorInputPort(kUseDefaultName, size);
  this->DeclareVectorOutputPort(
      kUseDefaultName, size, &Gain<T>::CalcOutput,
      {this->all_input_ports_ticket(), this->all_parameters_ticket()});
}

template <typename T>
void Gain<T>::MakeTunable() {
  if (is_tunable_) {
    throw std::logic_error(
        "Gain::MakeTunable(): the gain is tunable already; call it once.");
  }
  const VectorX<T> k = k_.template cast<T>();
  this->DeclareNumericParameter(BasicVector<T>(k));
  is_tunable_ = true;
}

template <typename T>
double Gain<T>::get_gain() const {
  return internal::TheOneValue("Gain::get_gain()", k_, "get_gain_vector()");
}

template <typename T>
void Gain<T>::CalcOutput(const Context<T>& context, BasicVector<T>* y) const {
  const VectorX<T>& u = this->get_input_port(0).Eval(context);
  if (is_tunable_) {
    y->get_mutable_value().array() =
        context.get_numeric_parameter(0).value().array() * u.array();
  } else {
    y->get_mutable_value().array() = k_.array() * u.array();
  }
  internal::RequireNoOverflow(*this, context, *y);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Gain);
