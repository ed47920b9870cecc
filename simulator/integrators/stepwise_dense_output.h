#pragma once

#include "wyvern/simulator/integrators/dense_output.h"

namespace wyvern::systems {

/** Dense output that grows step by step. Steps wait until they are made part of
it, so that the last of them can be taken back. */
template <typename T>
class StepwiseDenseOutput : public DenseOutput<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(StepwiseDenseOutput);
  ~StepwiseDenseOutput() override = default;

  /** Drops the last step that waits. @throws std::logic_error if none does. */
  virtual void Rollback() = 0;
  /** Makes all steps that wait part of the output.
  @throws std::logic_error if none waits. */
  virtual void Consolidate() = 0;

 protected:
  StepwiseDenseOutput() = default;
};

}  // namespace wyvern::systems
