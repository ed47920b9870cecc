#pragma once

#include <memory>
#include <tuple>

#include "wyvern/multibody/tree/basic_force_element.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

/** Copies a force element to other scalars, as TypedJoint copies a joint. An
element derives from it, as from TypedForceElement<FluidDrag, T>, names it a
friend, and returns the arguments of its constructor from
`clone_arguments(tree)`; those that are elements belong to the given tree. */
template <template <typename> class Element, typename T,
          typename Base = BasicForceElement<T>>
class TypedForceElement : public Base {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(TypedForceElement);

  /** Returns this element as one of a tree with the scalar U. */
  template <typename U>
  std::unique_ptr<ForceElement<U>> CloneFor(
      const MultibodyTree<U>& tree) const {
    return std::apply(
        [](const auto&... arguments) {
          return std::make_unique<Element<U>>(arguments...);
        },
        static_cast<const Element<T>&>(*this).clone_arguments(tree));
  }

 protected:
  using Base::Base;

 private:
  std::unique_ptr<ForceElement<double>> DoCloneToScalar(
      const MultibodyTree<double>& tree) const final {
    return CloneFor(tree);
  }
  std::unique_ptr<ForceElement<AutoDiffXd>> DoCloneToScalar(
      const MultibodyTree<AutoDiffXd>& tree) const final {
    if constexpr (kHasScalar<AutoDiffXd>) return CloneFor(tree);
    return nullptr;
  }
};

}  // namespace wyvern::multibody::internal
