#pragma once

#include <tuple>

#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/single_axis_spring.h"
#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

/** A spring along a slider: the force along its axis is
-stiffness (translation - nominal_position). */
template <typename T>
class PrismaticSpring final
    : public internal::TypedForceElement<PrismaticSpring, T,
                                         internal::SingleAxisSpring<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PrismaticSpring);

  /** @param nominal_position where it is slack, [m]. @param stiffness
  [N/m]. @throws std::logic_error if the stiffness is negative or a value not
  finite. */
  PrismaticSpring(const PrismaticJoint<T>& joint, double nominal_position,
                  double stiffness);
  ~PrismaticSpring() override;

  /** The slider that the spring acts on. */
  const PrismaticJoint<T>& joint() const {
    return static_cast<const PrismaticJoint<T>&>(this->spring_joint());
  }
  /** Translation at which the spring is slack, [m]. */
  double nominal_position() const { return this->nominal(); }

 private:
  friend class internal::TypedForceElement<PrismaticSpring, T,
                                           internal::SingleAxisSpring<T>>;
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    return std::tuple<const PrismaticJoint<U>&, double, double>(
        dynamic_cast<const PrismaticJoint<U>&>(tree.get_joint(joint().index())),
        nominal_position(), this->stiffness());
  }
};

}  // namespace wyvern::multibody
