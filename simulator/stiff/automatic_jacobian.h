#pragma once

#include <cstdint>
#include <memory>

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::systems::internal {

/** Computes the Jacobian of a System's derivatives by converting the System to
AutoDiffXd and differentiating it. The System is converted again after a setting
has changed. */
template <typename T>
class AutomaticJacobian {
 public:
  /** Makes the Jacobian of a System by automatic differentiation.
  @throws std::logic_error if T is not double, or if `system`, which must
  outlive this, cannot be converted. */
  explicit AutomaticJacobian(const System<T>& system);
  ~AutomaticJacobian();

  /** J = df/dx at `context`. */
  void Calc(const Context<T>& context, MatrixX<T>* J);

  /** J = d/dy [f_v; f_z](q0 + h N(q) v, y) by y = [v; z], at `context`, of
  which q is. */
  void CalcByVelocity(const Context<T>& context, const VectorX<T>& q0,
                      const T& h, MatrixX<T>* J);

 private:
  void Convert();
  void CopyFrom(const Context<T>& context);

  const System<T>& system_;
  // SystemBase::num_settings_changes() at the time of the conversion.
  int64_t settings_{-1};
  std::unique_ptr<System<AutoDiffXd>> converted_;
  std::unique_ptr<Context<AutoDiffXd>> context_;
  std::unique_ptr<BasicVector<AutoDiffXd>> qdot_;
};

}  // namespace wyvern::systems::internal
