#pragma once

#include <vector>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody {

/** The force of the air on a flat plate that is fixed to a body. The plate is
in the x-y plane of its frame, "Wing", x forwards; its origin is the
aerodynamic centre. With u the plate's velocity relative to the air, less its
part along y,

    f = -rho S |u| u_z  along Wing z:

lift and drag with the coefficients 2 sin α cos α and 2 sin² α of a flat plate
at an angle of attack α, referred to 1/2 rho S |u|². No moment about the
centre.

Inputs: "body_poses" and "body_spatial_velocities" of a plant; "wind_velocity",
in W [m/s], zero unless connected; "fluid_density" [kg/m³], the constructor's
unless connected. Outputs: "spatial_force", for the plant's
"applied_spatial_force", and "aerodynamic_center", its position in W. */
template <typename T>
class Wing final : public systems::LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Wing);
  /** Dry air at 20 °C and one atmosphere, [kg/m³]. */
  static constexpr double kDefaultFluidDensity = 1.204;

  /** @param surface_area S, [m²].
  @throws std::logic_error if the body index is not valid, or the area or the
  density negative or not finite, or the pose not finite. */
  Wing(BodyIndex body_index, double surface_area,
       const math::RigidTransform<double>& X_BodyWing =
           math::RigidTransform<double>::Identity(),
       double fluid_density = kDefaultFluidDensity);
  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Wing(const Wing<U>& other)
      : Wing(other.body_index_, other.surface_area_, other.X_BodyWing_,
             other.fluid_density_) {}
  ~Wing() override;

  /** Adds a wing and connects its ports with those of `plant`, wind and density
  apart. @throws std::logic_error if a pointer is null. */
  static Wing<T>* AddToBuilder(systems::DiagramBuilder<T>* builder,
                               const MultibodyPlant<T>* plant,
                               const BodyIndex& body_index, double surface_area,
                               const math::RigidTransform<double>& X_BodyWing =
                                   math::RigidTransform<double>::Identity(),
                               double fluid_density = kDefaultFluidDensity);

  /** The port "body_poses": X_WB by BodyIndex. */
  const systems::InputPort<T>& get_body_poses_input_port() const {
    return this->get_input_port(0);
  }
  /** The port "body_spatial_velocities": V_WB_W by BodyIndex. */
  const systems::InputPort<T>& get_body_spatial_velocities_input_port() const {
    return this->get_input_port(1);
  }
  /** The port "wind_velocity", of the air in the world, [m/s]. */
  const systems::InputPort<T>& get_wind_velocity_input_port() const {
    return this->get_input_port(2);
  }
  /** The port "fluid_density", [kg/m³]. */
  const systems::InputPort<T>& get_fluid_density_input_port() const {
    return this->get_input_port(3);
  }
  /** The port "spatial_force", for the plant's "applied_spatial_force". */
  const systems::OutputPort<T>& get_spatial_force_output_port() const {
    return this->get_output_port(0);
  }
  /** The port "aerodynamic_center", its position in the world, [m]. */
  const systems::OutputPort<T>& get_aerodynamic_center_output_port() const {
    return this->get_output_port(1);
  }

 private:
  template <typename>
  friend class Wing;
  math::RigidTransform<T> CalcPose(const systems::Context<T>& context) const;
  void CalcSpatialForce(
      const systems::Context<T>& context,
      std::vector<ExternallyAppliedSpatialForce<T>>* force) const;
  void CalcAerodynamicCenter(const systems::Context<T>& context,
                             systems::BasicVector<T>* center) const;

  const BodyIndex body_index_;
  const double surface_area_;
  const math::RigidTransform<double> X_BodyWing_;
  const double fluid_density_;
};

}  // namespace wyvern::multibody
