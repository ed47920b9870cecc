#pragma once

#include <memory>
#include <string>

#include <Eigen/Core>

#include "wyvern/systems/framework/basic_vector.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::systems::internal {

/** The size of a small change dx = [dq; dv; dz] of a continuous state, as one
number to hold against the accuracy asked for.

    |dx| = max( |Wv N+(q) dq|, |Wv dv|, |Wz dz| )      (largest elements)

dq is measured as the velocity change it amounts to, v = N+ qdot, so that one
weight serves a generalized position and its velocity, and a quaternion counts
as the rotation it stands for: four numbers make three errors, and a change of
norm none. Without velocities, dq counts with weight one. Weights are diagonal,
one by default, >= 0; zero ignores the element. Allocates nothing after
Resize(). */
template <typename T>
class ErrorNorm {
 public:
  /** Adapts to the state's sizes; weights that have the wrong number of
  elements become ones.
  @throws std::logic_error on a weight that is negative or not finite. */
  void Resize(const ContinuousState<T>& xc);

  /** The norm; `context` is where N+ is evaluated. NaN if dx holds a NaN. */
  T Calc(const System<T>& system, const Context<T>& context,
         const ContinuousState<T>& dx) const;

  /** Names the element of dx that made the last Calc() what it is. */
  std::string NameWorst(const Context<T>& context) const;

  Eigen::VectorXd& mutable_generalized_weights() { return v_weights_; }
  Eigen::VectorXd& mutable_misc_weights() { return z_weights_; }
  const Eigen::VectorXd& generalized_weights() const { return v_weights_; }
  const Eigen::VectorXd& misc_weights() const { return z_weights_; }

 private:
  // Takes |w x| into the largest so far, which is *norm at *worst_.
  void Include(const VectorBase<T>& x, const Eigen::VectorXd* weights,
               int first, T* norm) const;

  Eigen::VectorXd v_weights_;
  Eigen::VectorXd z_weights_;
  mutable VectorX<T> dq_;
  mutable std::unique_ptr<BasicVector<T>> dq_as_v_;
  // Element of [N+ dq; dq; dv; dz] laid end to end that was the largest.
  mutable int worst_{0};
};

}  // namespace wyvern::systems::internal
