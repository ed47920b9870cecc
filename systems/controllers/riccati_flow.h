#pragma once

#include <memory>

#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/trajectories/trajectory.h"

namespace wyvern::systems::controllers::internal {

/** dx/dt = f + A (x - x0) + B (u - u0), to first order. */
struct FirstOrderDynamics {
  Eigen::MatrixXd A;
  Eigen::MatrixXd B;
  Eigen::VectorXd f;
};

/** A System seen to first order at any time and around any point. */
class LinearizedDynamics {
 public:
  /** Prepares derivatives of a System by its state and by `input`, with the
  parameters and other inputs of `context`.
  @throws std::logic_error unless the System has continuous state only. */
  LinearizedDynamics(const System<double>& system,
                     const Context<double>& context,
                     const InputPort<double>& input);
  ~LinearizedDynamics();

  FirstOrderDynamics Calc(double t, const Eigen::VectorXd& x,
                          const Eigen::VectorXd& u) const;

 private:
  std::unique_ptr<System<AutoDiffXd>> system_;
  std::unique_ptr<Context<AutoDiffXd>> context_;
  InputPortIndex input_;
};

/** A finite-horizon problem in the terms of
FiniteHorizonLinearQuadraticRegulator(), with everything given. */
struct FiniteHorizonProblem {
  const LinearizedDynamics* dynamics{};
  const trajectories::Trajectory<double>* x0{};
  const trajectories::Trajectory<double>* u0{};
  const trajectories::Trajectory<double>* xd{};
  const trajectories::Trajectory<double>* ud{};
  Eigen::MatrixXd Q;
  Eigen::MatrixXd Qf;
  Eigen::MatrixXd N;
  Eigen::MatrixXd R;
  Eigen::MatrixXd R_inverse;
  bool use_square_root{};
};

/** The cost to go, and the feedback that attains it. */
struct CostToGo {
  Eigen::MatrixXd S;
  Eigen::VectorXd sx;
  double s0{};
};
struct Feedback {
  Eigen::MatrixXd K;
  Eigen::VectorXd k0;
};

/** The feedback at a time. @throws std::runtime_error if it is not finite. */
Feedback CalcFeedback(const FiniteHorizonProblem& problem, double t,
                      const CostToGo& cost_to_go);

/** The Riccati equation as a System that runs from the end of the problem
backwards: its time is -t, and its state is S, or P with S = P P', column by
column, then sx, then s0. */
class RiccatiFlow final : public LeafSystem<double> {
 public:
  /** `problem` must outlive this. */
  explicit RiccatiFlow(const FiniteHorizonProblem* problem);
  ~RiccatiFlow() final;

  /** The state at the final time. */
  Eigen::VectorXd FinalState(double tf) const;
  /** The cost to go that a state means. */
  CostToGo Unpack(const Eigen::VectorXd& state) const;

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* derivatives) const final;
  void DoCalcNextBreakTime(const Context<double>& context, const double& after,
                           double* time) const final;

  const FiniteHorizonProblem& problem_;
  const int n_;
};

}  // namespace wyvern::systems::controllers::internal
