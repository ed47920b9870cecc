#pragma once

#include <algorithm>
#include <cmath>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"
#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/multibody/dynamics/model_parameters.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::dynamics {

/** Returns the length of a model's longest link, [m]. The length of a link is
the largest of two distances from its joint: the distance of a joint on it, and
the root mean square distance of its mass. Bounds on lengths are relative to
this one, so that they hold for models of any size. The masses of links with
less than 1e-4 of the whole mass are left out, because files give such links
moments of inertia that fit no shape. Returns 0 if no link has a length.
Allocates nothing.
@param parameters Compiled. */
template <typename T>
double CalcLengthScale(const Model& model,
                       const ModelParameters<T>& parameters) {
  constexpr double kLeastShare = 1e-4;
  double total_mass = 0;
  for (NodeIndex i{1}; i < model.num_nodes(); ++i) {
    total_mass += ToDouble(parameters.nodes[i].mass);
  }
  double squared = 0;
  for (NodeIndex i{1}; i < model.num_nodes(); ++i) {
    const NodeConstants<T>& node = parameters.nodes[i];
    // The polar moment is the sum of m r² about the joint.
    const double moment = 0.5 * ToDouble(T(node.I[0] + node.I[1] + node.I[2]));
    const double mass = ToDouble(node.mass);
    if (mass > kLeastShare * total_mass && moment / mass > squared) {
      squared = moment / mass;
    }
    // Links that stand on the world say nothing about its size.
    if (model.nodes[i].parent == 0) continue;
    squared = std::max(squared, ToDouble(T(node.p_PF.squaredNorm())));
  }
  return std::isfinite(squared) ? std::sqrt(squared) : 0;
}

/** Returns the size of a velocity's own unit: 1 for angles [rad], and `length`
for displacements [m]. */
inline double UnitOfVelocity(const Model& model, int v, double length) {
  const Model::Node& node = model.nodes[model.node_of_v[v]];
  return TraitsOf(node.type).is_angular[v - node.v_start] ? 1 : length;
}

}  // namespace wyvern::multibody::dynamics
