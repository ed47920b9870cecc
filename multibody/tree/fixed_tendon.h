#pragma once

#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "wyvern/multibody/tree/tendon_force.h"
#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

/** A spring and a damper on the length of a tendon that joints wind up, L = sum
of coefficient q over its terms. It is the "fixed tendon" of MJCF. The tension
stiffness (L - L0) + damping dL/dt acts on each joint, multiplied by the joint's
coefficient. L0 is the resting length that is nearest to L, so the spring is
slack between the two resting lengths. A plant also keeps L within limits, as it
does for joints. */
template <typename T>
class FixedTendon final
    : public internal::TypedForceElement<FixedTendon, T,
                                         internal::TendonForce<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FixedTendon);

  /** @param terms one or more. @param shortest and @param longest the resting
  lengths. @param stiffness and @param damping not negative. @param lower_limit
  and @param upper_limit of L, infinite for none.
  @throws std::logic_error if there is no term, a joint is null or has not one
  degree of freedom, or a value is out of its range. */
  FixedTendon(std::vector<TendonTerm<T>> terms, double shortest, double longest,
              double stiffness, double damping,
              double lower_limit = -std::numeric_limits<double>::infinity(),
              double upper_limit = std::numeric_limits<double>::infinity());
  ~FixedTendon() override;

  /** The joints that wind up the tendon, with their coefficients. */
  const std::vector<TendonTerm<T>>& terms() const {
    return static_cast<const internal::LinearCoordinate<T>&>(this->coordinate())
        .terms();
  }

 private:
  friend class internal::TypedForceElement<FixedTendon, T,
                                           internal::TendonForce<T>>;
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    std::vector<TendonTerm<U>> copies;
    for (const TendonTerm<T>& term : terms()) {
      copies.push_back(
          {&tree.get_joint(term.joint->index()), term.coefficient});
    }
    return std::tuple(std::move(copies), this->shortest(), this->longest(),
                      this->stiffness(), this->damping(), this->lower_limit(),
                      this->upper_limit());
  }
};

}  // namespace wyvern::multibody
