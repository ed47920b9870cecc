#include "wyvern/systems/primitives/comparison.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {

// As IEEE 754 has it: with a NaN, only kNotEqual holds.
bool Holds(Relation relation, double left, double right) {
  switch (relation) {
    case Relation::kLess:
      return left < right;
    case Relation::kLessOrEqual:
      return left <= right;
    case Relation::kEqual:
      return left == right;
    case Relation::kNotEqual:
      return left != right;
    case Relation::kGreaterOrEqual:
      return left >= right;
    case Relation::kGreater:
      return left > right;
  }
  return false;
}

}  // namespace

template <typename T>
Comparison<T>::Comparison(Relation relation, int size)
    : Comparison(relation, size, Eigen::VectorXd()) {}

template <typename T>
Comparison<T>::Comparison(Relation relation, const Eigen::VectorXd& b)
    : Comparison(relation, static_cast<int>(b.size()), b) {}

template <typename T>
Comparison<T>::Comparison(Relation relation, int size, const Eigen::VectorXd& b)
    : LeafSystem<T>(SystemTypeTag<Comparison>{}), relation_(relation), b_(b) {
  wyvern::internal::RequireAtLeast("Comparison", "size", size, 1);
  wyvern::internal::RequireNotNan("Comparison", "b", b);
  this->DeclareVectorInputPort("a", size);
  if (b.size() == 0) this->DeclareVectorInputPort("b", size);
  this->DeclareVectorOutputPort("y", size, &Comparison<T>::CalcOutput,
                                {this->all_input_ports_ticket()});
}

template <typename T>
void Comparison<T>::CalcOutput(const Context<T>& context,
                               BasicVector<T>* y) const {
  const VectorX<T>& a = this->get_input_port(0).Eval(context);
  const VectorX<T>* b =
      b_.size() == 0 ? &this->get_input_port(1).Eval(context) : nullptr;
  for (int i = 0; i < a.size(); ++i) {
    const double left = wyvern::internal::NumberIn(a[i]);
    const double right =
        b != nullptr ? wyvern::internal::NumberIn((*b)[i]) : b_[i];
    (*y)[i] = T(Holds(relation_, left, right) ? 1 : 0);
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Comparison);
