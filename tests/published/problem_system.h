#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/published/initial_value_problems.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::test {

/** An InitialValueProblem as a System, whose state is "z". Allocates nothing.
 */
class ProblemSystem final : public systems::LeafSystem<double> {
 public:
  explicit ProblemSystem(InitialValueProblem problem)
      : problem_(std::move(problem)) {
    DeclareContinuousState(systems::BasicVector<double>(
        Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(
            problem_.start.data(),
            static_cast<Eigen::Index>(problem_.start.size())))));
  }
  const InitialValueProblem& problem() const { return problem_; }
  double CalcErrorOf(const systems::Context<double>& context) const {
    return CalcError(problem_, State(context.get_continuous_state()).data());
  }

 private:
  static const Eigen::VectorXd& State(
      const systems::ContinuousState<double>& xc) {
    return dynamic_cast<const systems::BasicVector<double>&>(xc.get_vector())
        .value();
  }
  void DoCalcTimeDerivatives(
      const systems::Context<double>& context,
      systems::ContinuousState<double>* derivatives) const final {
    auto& xdot = dynamic_cast<systems::BasicVector<double>&>(
        derivatives->get_mutable_vector());
    problem_.f(context.get_time(), State(context.get_continuous_state()).data(),
               xdot.get_mutable_value().data());
  }
  const InitialValueProblem problem_;
};

/** The settings for a problem: relative tolerance r, and r times the scale of
each element for the absolute tolerance; steps of any size. */
inline systems::SimulatorConfig MakeConfig(const InitialValueProblem& problem,
                                           const std::string& scheme,
                                           double r) {
  systems::SimulatorConfig config;
  config.integration_scheme = scheme;
  config.max_step_size = problem.end;
  config.relative_tolerance = r;
  systems::StateTolerance absolute;
  absolute.absolute.emplace();
  for (const double scale : problem.scale) {
    absolute.absolute->push_back(r * scale);
  }
  config.tolerances = std::vector<systems::StateTolerance>{absolute};
  return config;
}

}  // namespace wyvern::test
