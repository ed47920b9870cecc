#pragma once

#include <vector>

#include "wyvern/multibody/algorithms/model.h"
#include "wyvern/multibody/algorithms/model_parameters.h"
#include "wyvern/multibody/math/spatial_force.h"

namespace wyvern::multibody::internal {

/** Adds gravity's forces F_Bo_W, by BodyIndex. Not for a model with loops, of
which some bodies have only a share of their mass. @param X_WB By body of the
model. */
template <typename T>
void AddGravityForces(const engine::Model& model,
                      const engine::ModelParameters<T>& parameters,
                      const std::vector<engine::Pose<T>>& X_WB,
                      std::vector<SpatialForce<T>>* F_Bo_W);

/** All that gravity's forces on a model's bodies follow from, but q: for who
works them out later, when the Context they are of may be gone. */
template <typename T>
class GravityOnBodies {
 public:
  GravityOnBodies(const engine::Model& model,
                  const engine::ModelParameters<T>& parameters)
      : model_(model), parameters_(parameters) {}

  /** Whether it is of a model of so many bodies and positions. */
  bool IsFor(int num_bodies, Eigen::Index num_positions) const {
    return static_cast<int>(model_.body_of_link.size()) == num_bodies &&
           model_.num_q == num_positions;
  }
  /** Adds the forces F_Bo_W at q, by BodyIndex. Allocates. */
  void AddForces(const VectorX<T>& q,
                 std::vector<SpatialForce<T>>* F_Bo_W) const;

 private:
  engine::Model model_;
  engine::ModelParameters<T> parameters_;
};

}  // namespace wyvern::multibody::internal
