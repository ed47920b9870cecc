#pragma once

#include <limits>
#include <memory>
#include <vector>

#include <Eigen/Core>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::trajectories {

/** A matrix-valued function of time, with derivatives. Time in s. */
template <typename T>
class Trajectory {
 public:
  virtual ~Trajectory();

  /** A copy of the whole object. */
  std::unique_ptr<Trajectory<T>> Clone() const;

  /** The value at time t. What lies outside [start_time(), end_time()] is for
  each kind of trajectory to say. */
  virtual MatrixX<T> value(const T& t) const = 0;

  /** The values of a vector-valued trajectory, a column (or, for row vectors, a
  row) per time.
  @throws std::logic_error if the trajectory is no vector. */
  MatrixX<T> vector_values(const std::vector<T>& t) const;
  /** Overload for times in a vector. */
  MatrixX<T> vector_values(const Eigen::Ref<const VectorX<T>>& t) const;

  /** Whether EvalDerivative() and MakeDerivative() can be called. */
  bool has_derivative() const;

  /** The derivative of an order >= 0 at time t.
  @throws std::logic_error if the order is negative, or if it is positive and
  has_derivative() is false. */
  MatrixX<T> EvalDerivative(const T& t, int derivative_order = 1) const;

  /** EvalDerivative() into a matrix of the right size, which trajectories that
  can do so fill without a heap allocation.
  @throws std::logic_error as EvalDerivative(), and on a wrong size. */
  void EvalDerivativeInto(const T& t, int derivative_order,
                          EigenPtr<MatrixX<T>> derivative) const;

  /** The derivative of an order >= 0 as a trajectory of its own.
  @throws std::logic_error as EvalDerivative(). */
  std::unique_ptr<Trajectory<T>> MakeDerivative(int derivative_order = 1) const;

  /** @name Breaks: times at which the value or a derivative may jump
  The start and the end of every trajectory are breaks, unless they are
  infinite. At a break the new value holds. A break can be wrong by rounding.
  @{ */
  /** Returns the first break after t [s]; infinity if there is none. */
  T CalcNextBreak(const T& t) const { return DoFindBreak(t, true); }
  /** Returns the last break before t [s]; minus infinity if there is none. */
  T CalcPreviousBreak(const T& t) const { return DoFindBreak(t, false); }
  /** @} */

  /** Number of rows of the value. */
  virtual Eigen::Index rows() const = 0;
  /** Number of columns of the value. */
  virtual Eigen::Index cols() const = 0;
  /** Start of the range of times; may be infinite. */
  virtual T start_time() const = 0;
  /** End of the range of times; may be infinite. */
  virtual T end_time() const = 0;

 protected:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(Trajectory);
  Trajectory() = default;

  virtual std::unique_ptr<Trajectory<T>> DoClone() const = 0;
  virtual bool do_has_derivative() const;
  /** Called with an order >= 1. */
  virtual MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const;
  virtual std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const;
  /** Called with an order >= 0 and a matrix of the right size. */
  virtual void DoEvalDerivativeInto(const T& t, int derivative_order,
                                    EigenPtr<MatrixX<T>> derivative) const;
  /** Returns the nearest break that is later than t, or earlier than t.
  Allocates nothing and takes at most logarithmic time in the number of breaks.
  The default implementation returns the start and the end. */
  virtual T DoFindBreak(const T& t, bool later) const;
  /** Returns the time that comes first in the direction of a search. */
  static T Nearer(const T& a, const T& b, bool later) {
    return (a < b) == later ? a : b;
  }
  /** Returns the end of all time in the direction of a search. */
  static T NoBreak(bool later) {
    const double inf = std::numeric_limits<double>::infinity();
    return T(later ? inf : -inf);
  }

 private:
  void RequireDerivativeOrder(const char* who, int derivative_order) const;
};

}  // namespace wyvern::trajectories
