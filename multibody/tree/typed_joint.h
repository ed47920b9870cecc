#pragma once

#include <memory>
#include <string>
#include <tuple>

#include "wyvern/multibody/tree/joint.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

/** Base that gives a joint class the name of its type and its copies on other
scalars. Every joint derives from it, as from
TypedJoint<RevoluteJoint, T, SingleAxisJoint<T>>, has a `kTypeName`, and a
constructor from a name, two frames and its clone_arguments(). Joint copies the
members that all joints have, such as limits and damping. */
template <template <typename> class JointTemplate, typename T,
          typename Base = Joint<T>>
class TypedJoint : public Base {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(TypedJoint);

  const std::string& type_name() const final {
    static const std::string name(JointTemplate<T>::kTypeName);
    return name;
  }

 protected:
  using Scalar = T;
  using JointType = JointTemplate<T>;
  using Base::Base;

  const JointType& self() const { return static_cast<const JointType&>(*this); }
  /** A joint whose constructor takes more arguments, such as an axis, defines
  its own, with this class as a friend. */
  std::tuple<> clone_arguments() const { return {}; }

 private:
  std::unique_ptr<Joint<double>> DoCloneToScalar(
      const Frame<double>& frame_on_parent,
      const Frame<double>& frame_on_child) const final {
    return Clone(frame_on_parent, frame_on_child);
  }
  std::unique_ptr<Joint<AutoDiffXd>> DoCloneToScalar(
      const Frame<AutoDiffXd>& frame_on_parent,
      const Frame<AutoDiffXd>& frame_on_child) const final {
    if constexpr (kHasScalar<AutoDiffXd>) {
      return Clone(frame_on_parent, frame_on_child);
    }
    return nullptr;
  }

  template <typename ToScalar>
  std::unique_ptr<Joint<ToScalar>> Clone(
      const Frame<ToScalar>& frame_on_parent,
      const Frame<ToScalar>& frame_on_child) const {
    return std::apply(
        [&](const auto&... arguments) {
          return std::make_unique<JointTemplate<ToScalar>>(
              this->name(), frame_on_parent, frame_on_child, arguments...);
        },
        self().clone_arguments());
  }
};

}  // namespace wyvern::multibody::internal
