#pragma once

/** @file
Copies of a tree's elements for a tree of expressions. Elements know how to copy
themselves to double and AutoDiffXd, by virtual functions; one for expressions
would have every program that links a joint compile it for them. So the classes
of the library are told apart here, and the others refused. */

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/tree/door_hinge.h"
#include "wyvern/multibody/tree/ellipsoid_drag.h"
#include "wyvern/multibody/tree/fixed_offset_frame.h"
#include "wyvern/multibody/tree/fixed_tendon.h"
#include "wyvern/multibody/tree/fluid_drag.h"
#include "wyvern/multibody/tree/gravity_compensation.h"
#include "wyvern/multibody/tree/linear_bushing_roll_pitch_yaw.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/prismatic_spring.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/revolute_spring.h"
#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::multibody {

namespace internal {
/** Names a FixedOffsetFrame that is none: as one, it reads what they hold. */
struct OffsetReader {};
}  // namespace internal

template <>
class FixedOffsetFrame<internal::OffsetReader> {
 public:
  template <typename U>
  static std::unique_ptr<Frame<symbolic::Expression>> Copy(
      const FixedOffsetFrame<U>& frame,
      const internal::MultibodyTree<symbolic::Expression>& tree) {
    return std::make_unique<FixedOffsetFrame<symbolic::Expression>>(
        frame.name(), tree.get_frame(frame.parent_frame_.index()), frame.X_PF_,
        frame.model_instance());
  }
};

namespace internal {

using symbolic::Expression;

template <typename Element>
[[noreturn]] void ThrowNotSymbolic(const char* kind, const Element& element) {
  throw std::logic_error(
      fmt::format("MultibodyPlant: the {} of class {} does "
                  "not convert to symbolic::Expression; leave it out.",
                  kind, NiceTypeName::Get(element)));
}

using JointCopier = std::unique_ptr<Joint<Expression>> (*)(
    const Joint<double>&, const Frame<Expression>& frame_on_parent,
    const Frame<Expression>& frame_on_child);
/** Maps each class of joints to its copy function. */
inline std::map<std::type_index, JointCopier>& JointCopiers() {
  static std::map<std::type_index, JointCopier> copiers;
  return copiers;
}

/** Returns the constructor arguments of a joint after its name and frames. */
template <class JointType>
auto ArgumentsOf(const JointType& joint) {
  if constexpr (requires { joint.screw_pitch(); }) {
    return std::tuple(joint.screw_axis(), joint.screw_pitch(),
                      joint.default_damping());
  } else if constexpr (requires { joint.revolute_axis(); }) {
    return std::tuple(joint.revolute_axis());
  } else if constexpr (requires { joint.translation_axis(); }) {
    return std::tuple(joint.translation_axis());
  } else if constexpr (requires { joint.get_trajectory(); }) {
    return std::tuple(joint.get_trajectory());
  } else if constexpr (requires { joint.X_FM(); }) {
    return std::tuple(joint.X_FM());
  } else {
    return std::tuple();
  }
}

/** Lets joints of class From be copied as To. */
template <class From, class To>
bool OfferJoint() {
  if constexpr (!std::is_abstract_v<From>) {
    JointCopiers()[typeid(From)] = [](const Joint<double>& joint,
                                      const Frame<Expression>& F,
                                      const Frame<Expression>& M) {
      return std::apply(
          [&](const auto&... arguments) -> std::unique_ptr<Joint<Expression>> {
            return std::make_unique<To>(joint.name(), F, M, arguments...);
          },
          ArgumentsOf(static_cast<const From&>(joint)));
    };
  }
  return true;
}
/** Registers the copy function; instantiate it for each class. */
template <class From, class To>
const bool kJointIsOffered = OfferJoint<From, To>();

inline std::unique_ptr<Joint<Expression>> CopyJoint(
    const Joint<double>& joint, const Frame<Expression>& F,
    const Frame<Expression>& M) {
  const auto found = JointCopiers().find(typeid(joint));
  if (found == JointCopiers().end()) ThrowNotSymbolic("joint", joint);
  return found->second(joint, F, M);
}

template <typename U>
std::unique_ptr<Frame<Expression>> CopyFrame(
    const Frame<U>& frame, const MultibodyTree<Expression>& tree) {
  if (const auto* f = dynamic_cast<const FixedOffsetFrame<U>*>(&frame)) {
    return FixedOffsetFrame<OffsetReader>::Copy(*f, tree);
  }
  ThrowNotSymbolic("frame", frame);
}

/** Copies the element if it is of one of the classes; returns null if not. */
template <template <typename> class... Elements, typename U>
std::unique_ptr<ForceElement<Expression>> CopyOneOf(
    const ForceElement<U>& element, const MultibodyTree<Expression>& tree) {
  std::unique_ptr<ForceElement<Expression>> copy;
  const auto copy_if = [&](const auto* found) {
    if (found != nullptr) copy = found->CloneFor(tree);
  };
  (copy_if(dynamic_cast<const Elements<U>*>(&element)), ...);
  return copy;
}

template <typename U>
std::unique_ptr<ForceElement<Expression>> CopyForceElement(
    const ForceElement<U>& element, const MultibodyTree<Expression>& tree) {
  auto copy =
      CopyOneOf<UniformGravityFieldElement, GravityCompensation, FluidDrag,
                EllipsoidDrag, FixedTendon, RevoluteSpring, PrismaticSpring,
                LinearSpringDamper, DoorHinge, LinearBushingRollPitchYaw>(
          element, tree);
  if (copy != nullptr) return copy;
  ThrowNotSymbolic("force element", element);
}

}  // namespace internal

#define WYVERN_COPY_TO_SYMBOLIC(U)                                             \
  template <>                                                                  \
  template <>                                                                  \
  inline std::unique_ptr<Frame<symbolic::Expression>> Frame<U>::CloneToScalar( \
      const internal::MultibodyTree<symbolic::Expression>& tree) const {       \
    return internal::CopyFrame(*this, tree);                                   \
  }                                                                            \
  template <>                                                                  \
  template <>                                                                  \
  inline std::unique_ptr<ForceElement<symbolic::Expression>>                   \
  ForceElement<U>::CloneToScalar(                                              \
      const internal::MultibodyTree<symbolic::Expression>& tree) const {       \
    return internal::CopyForceElement(*this, tree);                            \
  }                                                                            \
  template <>                                                                  \
  template <>                                                                  \
  inline std::unique_ptr<Joint<symbolic::Expression>> Joint<U>::CloneToScalar( \
      internal::MultibodyTree<symbolic::Expression>* tree) const {             \
    auto copy =                                                                \
        internal::CopyJoint(*this, tree->get_frame(frame_on_parent_.index()),  \
                            tree->get_frame(frame_on_child_.index()));         \
    copy->default_positions_ = default_positions_;                             \
    copy->limits_ = limits_;                                                   \
    copy->default_damping_ = default_damping_;                                 \
    copy->default_friction_ = default_friction_;                               \
    copy->default_armature_ = default_armature_;                               \
    copy->random_positions_ = random_positions_;                               \
    return copy;                                                               \
  }
WYVERN_COPY_TO_SYMBOLIC(double)
#undef WYVERN_COPY_TO_SYMBOLIC

}  // namespace wyvern::multibody
