#include "wyvern/systems/primitives/backlash.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
Backlash<T>::Backlash(double width, double initial_output, int size)
    : LeafSystem<T>(SystemTypeTag<Backlash>{}),
      width_(width),
      initial_output_(initial_output) {
  wyvern::internal::RequireNonNegative("Backlash", "width", width);
  wyvern::internal::RequireFinite("Backlash", "initial_output", initial_output);
  wyvern::internal::RequireAtLeast("Backlash", "size", size, 1);
  this->DeclareVectorInputPort("u", size);
  this->DeclareDiscreteState(
      BasicVector<T>(VectorX<T>::Constant(size, T(initial_output))));
  this->DeclareVectorOutputPort(
      "y", size, &Backlash<T>::CalcOutput,
      {this->all_input_ports_ticket(), this->xd_ticket()});
  this->DeclarePerStepDiscreteUpdateEvent(&Backlash<T>::Remember);
}

template <typename T>
T Backlash<T>::Calc(const Context<T>& context, int i) const {
  const T& u = this->get_input_port(0).Eval(context)[i];
  const T& y = context.get_discrete_state(0)[i];
  const double half = width_ / 2;
  return y > u + half ? T(u + half) : (y < u - half ? T(u - half) : y);
}

template <typename T>
void Backlash<T>::CalcOutput(const Context<T>& context,
                             BasicVector<T>* y) const {
  for (int i = 0; i < y->size(); ++i) (*y)[i] = Calc(context, i);
}

template <typename T>
EventStatus Backlash<T>::Remember(const Context<T>& context,
                                  DiscreteValues<T>* next) const {
  for (int i = 0; i < next->size(); ++i) (*next)[i] = Calc(context, i);
  return EventStatus::Succeeded();
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Backlash);
