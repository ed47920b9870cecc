#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/tree/scalar_coordinate.h"

namespace wyvern::multibody {

/** A joint of one degree of freedom that contributes to a tendon's length. */
template <typename T>
struct TendonTerm {
  /** The joint; must not be null. */
  const Joint<T>* joint{};
  /** Length per unit of the joint's position, [m/rad] for a length in
  metres. */
  double coefficient{};
};

namespace internal {

/** Returns the terms of a tendon.
@throws std::logic_error that begins with `kind` and `name` if there is no term,
a joint is null or has not one degree of freedom, or a coefficient is not finite
or above 1e100. An empty `name` stands for that of the first joint. */
template <typename T>
std::vector<TendonTerm<T>> RequireTendonTerms(const char* kind,
                                              std::string name,
                                              std::vector<TendonTerm<T>> terms);

/** The coordinate s = sum of coefficient q over joints of one degree of
freedom: the position of a joint, or the length of a tendon that joints wind up.
*/
template <typename T>
class LinearCoordinate final : public ScalarCoordinate<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LinearCoordinate);
  /** Requires one term or more, each with a joint. */
  explicit LinearCoordinate(std::vector<TendonTerm<T>> terms);
  ~LinearCoordinate() override;

  const std::vector<TendonTerm<T>>& terms() const { return terms_; }

  ModelInstanceIndex model_instance() const override;
  T CalcValue(const MultibodyTreeSystem<T>& system,
              const ForceState<T>& state) const override;
  T CalcRate(const MultibodyTreeSystem<T>& system,
             const ForceState<T>& state) const override;
  void AddForce(const MultibodyTreeSystem<T>& system,
                const ForceState<T>& state, const T& force,
                MultibodyForces<T>* forces) const override;
  void AddGeneralizedForce(const MultibodyTreeSystem<T>& system,
                           const ForceState<T>& state, const T& force,
                           Eigen::Ref<VectorX<T>> tau) const override;
  std::vector<const Joint<T>*> FindJoints(
      const MultibodyTree<T>& tree) const override;
  void RequireMembers(const MultibodyTree<T>& tree,
                      std::string_view function) const override;

 private:
  const std::vector<TendonTerm<T>> terms_;
};

}  // namespace internal
}  // namespace wyvern::multibody
