#pragma once

#include <memory>
#include <vector>

#include "wyvern/simulator/integrators/integrator_base.h"

namespace wyvern::systems::internal {

/** The steppers of Boost.Odeint that are wrapped. */
enum class OdeintMethod {
  kCashKarp5,
  kDormandPrince5,
  kFehlberg78,
  kBulirschStoer
};

/** One step by a stepper of Boost.Odeint, whose headers stay in the .cc. Only
the stepper is used: step sizes, and what is to be done about values that are
not finite, are IntegratorBase's, since Odeint's own step control accepts a NaN
error and grows the step. */
template <typename T>
class OdeintIntegrator : public IntegratorBase<T> {
 public:
  ~OdeintIntegrator() override;

 protected:
  OdeintIntegrator(const System<T>& system, Context<T>* context,
                   OdeintMethod method);

 private:
  class Stepper;
  template <typename OdeintStepper>
  class StepperOf;
  class Extrapolation;

  void DoInitialize() final;
  bool DoStep(const T& h) final;
  // The derivatives at (t, x); the Context goes there.
  // @returns false if one is not finite.
  bool CalcDerivatives(const std::vector<T>& x, std::vector<T>* xdot,
                       const T& t);

  const OdeintMethod method_;
  std::unique_ptr<Stepper> stepper_;
  std::vector<T> start_;
  std::vector<T> start_derivative_;
  std::vector<T> end_;
  std::vector<T> error_;
  VectorX<T> xdot_;
};

}  // namespace wyvern::systems::internal
