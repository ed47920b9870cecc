#pragma once

#include "wyvern/simulator/integrators/dense_output.h"

namespace wyvern::systems {

/** Dense output of a solution that is one number. */
template <typename T>
class ScalarDenseOutput : public DenseOutput<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ScalarDenseOutput);
  ~ScalarDenseOutput() override = default;

  /** The solution at time `t` [s]; throws as Evaluate() does. */
  T EvaluateScalar(const T& t) const {
    this->RequireTimeWithin("EvaluateScalar", t);
    return DoEvaluateScalar(t);
  }

 protected:
  ScalarDenseOutput() = default;

  // The time has been checked.
  virtual T DoEvaluateScalar(const T& t) const = 0;
  VectorX<T> DoEvaluate(const T& t) const override {
    return VectorX<T>::Constant(1, DoEvaluateScalar(t));
  }

 private:
  int do_size() const final { return 1; }
};

}  // namespace wyvern::systems
