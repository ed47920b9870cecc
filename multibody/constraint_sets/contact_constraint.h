#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wyvern/multibody/constraint_sets/body_pair_constraint.h"

namespace wyvern::multibody {

/** A point C fixed to a body has no velocity in the world along normals fixed
in the world: n_W · v_WC = 0, a row for each. It keeps no position, so that its
position error is 0. A multiplier is the force on the body at C along n, [N]. */
template <typename T>
class ContactConstraint final : public BodyPairConstraint<T> {
 public:
  /** For ConstraintSet::AddContactConstraint(); normals are added
  afterwards. */
  ContactConstraint(BodyIndex body, const Vector3<double>& p_BoC_B,
                    std::string name, std::optional<int> user_id)
      : BodyPairConstraint<T>(ConstraintType::kContact, world_index(), body,
                              std::move(name), user_id),
        p_BC_(p_BoC_B) {}

  /** Position of C in the body's frame, [m]. */
  const Vector3<double>& p_BoC_B() const { return p_BC_; }
  /** Unit normals in the world, one for each row. */
  const std::vector<Vector3<double>>& normals() const { return normals_; }
  /** For one more normal of the same point. */
  void AddNormal(const Vector3<double>& normal_W, const std::string& name) {
    normals_.push_back(normal_W);
    this->AddRow(name);
  }

 private:
  internal::HolonomicConstraint MakeRows() const final {
    internal::HolonomicConstraint rows;
    rows.kind = internal::HolonomicConstraint::Kind::kPoint;
    rows.X_BQ.p = p_BC_;
    rows.normals = normals_;
    return rows;
  }

  Vector3<double> p_BC_;
  std::vector<Vector3<double>> normals_;
};

}  // namespace wyvern::multibody
