#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "wyvern/simulator/analysis/simulator_config.h"
#include "wyvern/systems/common/copyable_unique_ptr.h"
#include "wyvern/systems/framework/system.h"
#include "wyvern/systems/trajectories/trajectory.h"

namespace wyvern::systems::controllers {

/** Optional arguments of FiniteHorizonLinearQuadraticRegulator(). Trajectories
are used during the call only. */
struct FiniteHorizonLinearQuadraticRegulatorOptions {
  /** Weight of the final state, n x n, symmetric and positive semidefinite;
  zero if not given. */
  std::optional<Eigen::MatrixXd> Qf;
  /** Weight of the product of state and input, n x m; zero if not given. */
  std::optional<Eigen::MatrixXd> N;

  /** The nominal motion that the System is linearized around, over all of
  [t0, tf]; the constant values in the Context if null. x0 needs a
  derivative. */
  const trajectories::Trajectory<double>* x0{nullptr};
  /** Nominal input over [t0, tf], m x 1. */
  const trajectories::Trajectory<double>* u0{nullptr};
  /** Reference from which the cost measures deviations; x0 and u0 if null. */
  const trajectories::Trajectory<double>* xd{nullptr};
  /** Reference of the input; see `xd`. */
  const trajectories::Trajectory<double>* ud{nullptr};

  /** The input port to control. */
  std::variant<InputPortSelection, InputPortIndex> input_port_index{
      InputPortSelection::kUseFirstInputIfItExists};

  /** Integrates a P with S = P P' in place of S, which keeps S positive
  definite whatever the errors. Qf must be given and positive definite. */
  bool use_square_root_method{false};

  /** How to integrate the Riccati equation; its start time has no effect. */
  SimulatorConfig simulator_config{};
};

/** The regulator u = u0 - K (x - x0) - k0 and the cost to go from x at time t,
(x - x0)' S (x - x0) + 2 (x - x0)' sx + s0, all functions of time on [t0, tf].
sx is n x 1 and s0 1 x 1. */
struct FiniteHorizonLinearQuadraticRegulatorResult {
  /** Nominal state, n x 1. */
  copyable_unique_ptr<trajectories::Trajectory<double>> x0;
  /** Nominal input, m x 1. */
  copyable_unique_ptr<trajectories::Trajectory<double>> u0;
  /** Gain, m x n. */
  copyable_unique_ptr<trajectories::Trajectory<double>> K;
  /** Quadratic part of the cost, n x n. */
  copyable_unique_ptr<trajectories::Trajectory<double>> S;
  /** Offset of the input, m x 1. */
  copyable_unique_ptr<trajectories::Trajectory<double>> k0;
  /** Linear part of the cost, n x 1. */
  copyable_unique_ptr<trajectories::Trajectory<double>> sx;
  /** Constant part of the cost, 1 x 1. */
  copyable_unique_ptr<trajectories::Trajectory<double>> s0;
};

/** The feedback that minimises, over [t0, tf], to first order of dx/dt =
f(t, x, u) around x0(t), u0(t),

    (x - xd)' Qf (x - xd) at tf
    + integral of (x - xd)' Q (x - xd) + (u - ud)' R (u - ud)
                  + 2 (x - xd)' N (u - ud),

by integrating the Riccati equation backwards from tf. The motion x0 need not be
one that u0 brings about.

@param system must have continuous state only, and convert to AutoDiffXd.
@param context parameters, the values of other input ports, and x0 and u0 if
  the options do not say.
@param Q n x n, symmetric and positive semidefinite.
@param R m x m, symmetric and positive definite.
@throws std::logic_error on another kind of state or port, a shape that does not
  fit, a weight that is not as said, or times that are not finite or increasing.
@throws std::runtime_error if the integration fails, as when S escapes to
  infinity. */
FiniteHorizonLinearQuadraticRegulatorResult
FiniteHorizonLinearQuadraticRegulator(
    const System<double>& system, const Context<double>& context, double t0,
    double tf, const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::Ref<const Eigen::MatrixXd>& R,
    const FiniteHorizonLinearQuadraticRegulatorOptions& options = {});

/** Makes the regulator as a block: input port "plant_state", output port
"command", direct feedthrough. Outside [t0, tf] it uses the gains of the nearest
end. */
std::unique_ptr<System<double>> MakeFiniteHorizonLinearQuadraticRegulator(
    const System<double>& system, const Context<double>& context, double t0,
    double tf, const Eigen::Ref<const Eigen::MatrixXd>& Q,
    const Eigen::Ref<const Eigen::MatrixXd>& R,
    const FiniteHorizonLinearQuadraticRegulatorOptions& options = {});

}  // namespace wyvern::systems::controllers
