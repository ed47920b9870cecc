#include "wyvern/multibody/plant/wing.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/plant/plant_serialization.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_additions.h"

namespace wyvern::multibody {

using math::RigidTransform;

template <typename T>
Wing<T>::Wing(BodyIndex body_index, double surface_area,
              const RigidTransform<double>& X_BodyWing, double fluid_density)
    : systems::LeafSystem<T>(systems::SystemTypeTag<Wing>{}),
      body_index_(body_index),
      surface_area_(surface_area),
      X_BodyWing_(X_BodyWing),
      fluid_density_(fluid_density) {
  internal::RegisterPlantSerialization();
  constexpr char kWho[] = "Wing";
  if (!body_index.is_valid()) {
    throw std::logic_error(
        "Wing(): there is no body index; give that of a body of the plant.");
  }
  wyvern::internal::RequireNonNegative(kWho, "surface_area", surface_area);
  wyvern::internal::RequireFinite(kWho, "X_BodyWing",
                                  X_BodyWing.GetAsMatrix34());
  wyvern::internal::RequireNonNegative(kWho, "fluid_density", fluid_density);
  this->DeclareAbstractInputPort("body_poses",
                                 Value<std::vector<RigidTransform<T>>>());
  this->DeclareAbstractInputPort("body_spatial_velocities",
                                 Value<std::vector<SpatialVelocity<T>>>());
  auto& wind_port = this->DeclareVectorInputPort("wind_velocity", 3);
  wind_port.set_optional();
  wind_port.set_unit("m/s");
  auto& density_port = this->DeclareVectorInputPort("fluid_density", 1);
  density_port.set_optional();
  density_port.set_unit("kg/m^3");
  this->DeclareAbstractOutputPort("spatial_force", &Wing<T>::CalcSpatialForce,
                                  {this->all_input_ports_ticket()});
  this->DeclareVectorOutputPort(
      "aerodynamic_center", 3, &Wing<T>::CalcAerodynamicCenter,
      {this->input_port_ticket(systems::InputPortIndex(0))});
}

template <typename T>
Wing<T>::~Wing() = default;

template <typename T>
Wing<T>* Wing<T>::AddToBuilder(systems::DiagramBuilder<T>* builder,
                               const MultibodyPlant<T>* plant,
                               const BodyIndex& body_index, double surface_area,
                               const RigidTransform<double>& X_BodyWing,
                               double fluid_density) {
  constexpr char kFunction[] = "Wing::AddToBuilder";
  systems::internal::DiagramAdditions<T> additions(kFunction, builder);
  wyvern::internal::RequireNotNull(kFunction, "plant", plant);
  Wing<T>* wing = additions.Add(std::make_unique<Wing<T>>(
      body_index, surface_area, X_BodyWing, fluid_density));
  builder->Connect(plant->get_body_poses_output_port(),
                   wing->get_body_poses_input_port());
  builder->Connect(plant->get_body_spatial_velocities_output_port(),
                   wing->get_body_spatial_velocities_input_port());
  builder->Connect(wing->get_spatial_force_output_port(),
                   plant->get_applied_spatial_force_input_port());
  additions.Keep();
  return wing;
}

namespace {

void RequireBody(BodyIndex body, const char* port, const char* what,
                 std::size_t size) {
  if (body < static_cast<int>(size)) return;
  throw std::logic_error(fmt::format(
      "Wing: it is on the body of index {}, but the port '{}' has {} {}; "
      "connect the plant that has the body.",
      static_cast<int>(body), port, size, what));
}

}  // namespace

template <typename T>
RigidTransform<T> Wing<T>::CalcPose(const systems::Context<T>& context) const {
  const auto& poses =
      get_body_poses_input_port().template Eval<std::vector<RigidTransform<T>>>(
          context);
  RequireBody(body_index_, "body_poses", "poses", poses.size());
  return poses[body_index_] * X_BodyWing_.template cast<T>();
}

template <typename T>
void Wing<T>::CalcSpatialForce(
    const systems::Context<T>& context,
    std::vector<ExternallyAppliedSpatialForce<T>>* force) const {
  using std::sqrt;
  const RigidTransform<T> X_WWing = CalcPose(context);
  const auto& velocities =
      get_body_spatial_velocities_input_port()
          .template Eval<std::vector<SpatialVelocity<T>>>(context);
  RequireBody(body_index_, "body_spatial_velocities", "velocities",
              velocities.size());
  const Matrix3<T>& R_WWing = X_WWing.rotation().matrix();
  const Vector3<T> p_BodyWing_W =
      R_WWing * (X_BodyWing_.rotation().inverse() * X_BodyWing_.translation())
                    .template cast<T>();
  Vector3<T> u_W = velocities[body_index_].Shift(p_BodyWing_W).translational();
  if (get_wind_velocity_input_port().HasValue(context)) {
    u_W -= get_wind_velocity_input_port().Eval(context);
  }
  T density = fluid_density_;
  if (get_fluid_density_input_port().HasValue(context)) {
    density = get_fluid_density_input_port().Eval(context)[0];
  }
  const Vector3<T> u = R_WWing.transpose() * u_W;
  const T u_squared = u[0] * u[0] + u[2] * u[2];
  // The root's derivative at 0 does not exist; the force's is 0.
  T f(0);
  if (u_squared > 0) f = -density * surface_area_ * sqrt(u_squared) * u[2];
  force->resize(1);
  (*force)[0].body_index = body_index_;
  (*force)[0].p_BoBq_B = X_BodyWing_.translation().template cast<T>();
  (*force)[0].F_Bq_W = SpatialForce<T>(Vector3<T>(Vector3<T>::Zero()),
                                       Vector3<T>(R_WWing.col(2) * f));
}

template <typename T>
void Wing<T>::CalcAerodynamicCenter(const systems::Context<T>& context,
                                    systems::BasicVector<T>* center) const {
  center->SetFromVector(CalcPose(context).translation());
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::Wing);
