#include "wyvern/systems/primitives/comparison.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {

// Whether the relation holds for a number and another, of which -1, 0 or 1 says
// how they are ordered.
bool Holds(Relation relation, int order) {
  switch (relation) {
    case Relation::kLess:
      return order < 0;
    case Relation::kLessOrEqual:
      return order <= 0;
    case Relation::kEqual:
      return order == 0;
    case Relation::kNotEqual:
      return order != 0;
    case Relation::kGreaterOrEqual:
      return order >= 0;
    case Relation::kGreater:
      return order > 0;
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
    const int order = left < right ? -1 : (left > right ? 1 : 0);
    (*y)[i] = T(Holds(relation_, order) ? 1 : 0);
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Comparison);
