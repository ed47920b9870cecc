#pragma once

/** @file
Which states of a linear system its input reaches and its output
shows. The tests hold for continuous and discrete time. Include linear_system.h
to call them.

`threshold` is the relative size of the smallest pivot of a rank-revealing QR
decomposition that counts as nonzero; by default that of Eigen, a multiple of
the machine precision. */

#include <optional>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::systems {

template <typename T>
class LinearSystem;

/** Returns [B, A B, ..., A^(n-1) B], n x (n m). */
Eigen::MatrixXd ControllabilityMatrix(const LinearSystem<double>& sys);

/** True if the input can bring any state to any other: the controllability
matrix has rank n. */
bool IsControllable(const LinearSystem<double>& sys,
                    std::optional<double> threshold = std::nullopt);

/** Returns [C; C A; ...; C A^(n-1)], (n p) x n. */
Eigen::MatrixXd ObservabilityMatrix(const LinearSystem<double>& sys);

/** True if input and output determine the state: the observability matrix has
rank n. */
bool IsObservable(const LinearSystem<double>& sys,
                  std::optional<double> threshold = std::nullopt);

/** True if the modes that are not asymptotically stable can be controlled. */
bool IsStabilizable(const LinearSystem<double>& sys,
                    std::optional<double> threshold = std::nullopt);

/** True if the modes that are not asymptotically stable can be observed. */
bool IsDetectable(const LinearSystem<double>& sys,
                  std::optional<double> threshold = std::nullopt);

}  // namespace wyvern::systems
