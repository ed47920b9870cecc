#include "wyvern/multibody/sensors/accelerometer.h"

#include <memory>
#include <vector>

#include "wyvern/multibody/sensors/element_of_port.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_additions.h"

namespace wyvern::systems::sensors {

using math::RigidTransform;
using multibody::SpatialAcceleration;
using multibody::SpatialVelocity;

template <typename T>
Accelerometer<T>::Accelerometer(const multibody::RigidBody<T>& body,
                                const RigidTransform<double>& X_BS,
                                const Eigen::Vector3d& gravity_vector)
    : Accelerometer(body.index(), X_BS, gravity_vector) {}

template <typename T>
Accelerometer<T>::Accelerometer(multibody::BodyIndex body_index,
                                const RigidTransform<double>& X_BS,
                                const Eigen::Vector3d& gravity_vector)
    : LeafSystem<T>(SystemTypeTag<Accelerometer>{}),
      body_index_(body_index),
      X_BS_(X_BS),
      gravity_vector_(gravity_vector) {
  wyvern::internal::RequireFinite("Accelerometer", "X_BS",
                                  X_BS.GetAsMatrix34());
  wyvern::internal::RequireFinite("Accelerometer", "gravity_vector",
                                  gravity_vector);
  this->DeclareNumericParameter(
      BasicVector<T>(VectorX<T>(gravity_vector.cast<T>())));
  this->DeclareAbstractInputPort("body_poses",
                                 Value<std::vector<RigidTransform<T>>>());
  this->DeclareAbstractInputPort("body_spatial_velocities",
                                 Value<std::vector<SpatialVelocity<T>>>());
  this->DeclareAbstractInputPort("body_spatial_accelerations",
                                 Value<std::vector<SpatialAcceleration<T>>>());
  this->DeclareVectorOutputPort(
          "measurement", 3, &Accelerometer<T>::CalcMeasurement,
          {this->all_input_ports_ticket(), this->all_parameters_ticket()})
      .set_unit("m/s^2");
}

template <typename T>
void Accelerometer<T>::SetGravityVector(Context<T>* context,
                                        const Vector3<T>& g_W) const {
  this->ValidateContext(context);
  wyvern::internal::RequireFinite("Accelerometer", "gravity_vector", g_W);
  context->get_mutable_numeric_parameter(0).SetFromVector(g_W);
}

template <typename T>
void Accelerometer<T>::CalcMeasurement(const Context<T>& context,
                                       BasicVector<T>* y) const {
  const auto& X_WB = internal::EvalElement<RigidTransform<T>>(
      get_body_poses_input_port(), context, body_index_);
  const auto& V_WB_W = internal::EvalElement<SpatialVelocity<T>>(
      get_body_velocities_input_port(), context, body_index_);
  const auto& A_WB_W = internal::EvalElement<SpatialAcceleration<T>>(
      get_body_accelerations_input_port(), context, body_index_);
  const Matrix3<T>& R_WB = X_WB.rotation().matrix();
  const Vector3<T> p_BoSo_W = R_WB * X_BS_.translation().cast<T>();
  const Vector3<T> a_WSo_W =
      A_WB_W.Shift(p_BoSo_W, V_WB_W.rotational()).translational();
  const Vector3<T> g_W = context.get_numeric_parameter(0).value();
  const Vector3<T> measured_B = R_WB.transpose() * (a_WSo_W - g_W);
  y->get_mutable_value() =
      X_BS_.rotation().matrix().transpose().template cast<T>() * measured_B;
}

template <typename T>
const Accelerometer<T>& Accelerometer<T>::AddToDiagram(
    const multibody::RigidBody<T>& body, const RigidTransform<double>& X_BS,
    const Eigen::Vector3d& gravity_vector,
    const multibody::MultibodyPlant<T>& plant, DiagramBuilder<T>* builder) {
  systems::internal::DiagramAdditions<T> additions(
      "Accelerometer::AddToDiagram", builder);
  const auto* sensor = additions.Add(
      std::make_unique<Accelerometer<T>>(body, X_BS, gravity_vector));
  builder->Connect(plant.get_body_poses_output_port(),
                   sensor->get_body_poses_input_port());
  builder->Connect(plant.get_body_spatial_velocities_output_port(),
                   sensor->get_body_velocities_input_port());
  builder->Connect(plant.get_body_spatial_accelerations_output_port(),
                   sensor->get_body_accelerations_input_port());
  additions.Keep();
  return *sensor;
}

}  // namespace wyvern::systems::sensors

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::sensors::Accelerometer);
