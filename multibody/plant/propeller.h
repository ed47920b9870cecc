#pragma once

#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/plant/externally_applied_spatial_force.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::multibody {

/** One propeller P of a Propeller system. */
struct PropellerInfo {
  /** Takes the values of the fields below. */
  explicit PropellerInfo(const BodyIndex& body_index_,
                         const math::RigidTransform<double>& X_BP_ =
                             math::RigidTransform<double>::Identity(),
                         double thrust_ratio_ = 1.0, double moment_ratio_ = 0.0)
      : body_index(body_index_),
        X_BP(X_BP_),
        thrust_ratio(thrust_ratio_),
        moment_ratio(moment_ratio_) {}

  /** The body that it is fixed to. */
  BodyIndex body_index;
  /** Pose of P in the body B. */
  math::RigidTransform<double> X_BP;
  /** Force along Pz per unit of command. */
  double thrust_ratio{1.0};
  /** Moment about Pz per unit of command. */
  double moment_ratio{0.0};
};

/** Propellers without dynamics: each command makes a thrust and a moment along
the z axis of its propeller,

    f_P = thrust_ratio command Pz,   t_P = moment_ratio command Pz.

Inputs: "body_poses" of a plant, std::vector<math::RigidTransform<T>>, and
"command", one per propeller. Output: "spatial_forces",
std::vector<ExternallyAppliedSpatialForce<T>>, for the plant's
"applied_spatial_force". */
template <typename T>
class Propeller final : public systems::LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Propeller);

  /** Takes the body, the pose of the propeller in it, and the ratios of thrust
  and of torque to the command.
  @throws std::logic_error if a body index is not valid or a number not
  finite. */
  explicit Propeller(const BodyIndex& body_index,
                     const math::RigidTransform<double>& X_BP =
                         math::RigidTransform<double>::Identity(),
                     double thrust_ratio = 1.0, double moment_ratio = 0.0);
  /** Makes one propeller, one element of "command", for each entry. */
  explicit Propeller(const std::vector<PropellerInfo>& propeller_info);
  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Propeller(const Propeller<U>& other) : Propeller(other.info_) {}
  ~Propeller() override;

  /** Number of propellers. */
  int num_propellers() const { return static_cast<int>(info_.size()); }
  /** The port "body_poses": X_WB by BodyIndex. */
  const systems::InputPort<T>& get_body_poses_input_port() const {
    return this->get_input_port(0);
  }
  /** The port "command", num_propellers() elements. */
  const systems::InputPort<T>& get_command_input_port() const {
    return this->get_input_port(1);
  }
  /** The port "spatial_forces", one force for each propeller. */
  const systems::OutputPort<T>& get_spatial_forces_output_port() const {
    return this->get_output_port(0);
  }

 private:
  template <typename>
  friend class Propeller;
  void CalcSpatialForces(
      const systems::Context<T>& context,
      std::vector<ExternallyAppliedSpatialForce<T>>* forces) const;

  const std::vector<PropellerInfo> info_;
};

}  // namespace wyvern::multibody
