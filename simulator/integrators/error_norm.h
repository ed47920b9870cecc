#pragma once

#include <memory>
#include <string>

#include <Eigen/Core>

#include "wyvern/simulator/integrators/error_scales.h"
#include "wyvern/systems/framework/basic_vector.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::systems::internal {

/** The size of a small change dx = [dq; dv; dz] of a continuous state, as one
number to compare with the accuracy asked for.

    |dx| = max( |Wv N+(q) dq| / s, |Wv dv| / s, |Wz dz| / s )   (largest
                                                                 elements)

dq is measured as the velocity change it amounts to, v = N+ qdot, so that one
weight serves a generalized position and its velocity, and a quaternion counts
as the rotation it stands for: four numbers make three errors, and a change of
norm none. The dq of a System without velocities, or with tolerances for its
positions, counts as it is, with weight one. Weights are diagonal, one by
default, >= 0; zero ignores the element.

The units s come from ErrorScales: 1 for an element of ordinary scale, less for
a small one, or the element's own tolerance as a share of the accuracy. A weight
above 1 magnifies a unit below 1, up to 1. Allocates nothing after Resize(). */
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

  /** The units of errors. Resize() sets them to 1; Initialize() of the scales
  follows. */
  ErrorScales<T>& scales() { return scales_; }
  const ErrorScales<T>& scales() const { return scales_; }

  /** Names the element of dx that made the last Calc() what it is. */
  std::string NameWorst(const Context<T>& context) const;

  Eigen::VectorXd& mutable_generalized_weights() { return v_weights_; }
  Eigen::VectorXd& mutable_misc_weights() { return z_weights_; }
  const Eigen::VectorXd& generalized_weights() const { return v_weights_; }
  const Eigen::VectorXd& misc_weights() const { return z_weights_; }

 private:
  // Takes |w x| / unit of element `index` into the largest so far, *norm.
  void Include(const T& x, double weight, double unit, int index,
               T* norm) const;

  Eigen::VectorXd v_weights_;
  Eigen::VectorXd z_weights_;
  ErrorScales<T> scales_;
  mutable VectorX<T> dq_;
  mutable std::unique_ptr<BasicVector<T>> dq_as_v_;
  // The largest element: an index in x, or if negative, -1 - k for the position
  // change along velocity k.
  mutable int worst_{0};
};

}  // namespace wyvern::systems::internal
