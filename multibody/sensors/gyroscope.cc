#include "wyvern/multibody/sensors/gyroscope.h"

#include <memory>
#include <vector>

#include "wyvern/multibody/sensors/element_of_port.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_additions.h"

namespace wyvern::systems::sensors {

using math::RigidTransform;
using multibody::SpatialVelocity;

template <typename T>
Gyroscope<T>::Gyroscope(const multibody::RigidBody<T>& body,
                        const RigidTransform<double>& X_BS)
    : Gyroscope(body.index(), X_BS) {}

template <typename T>
Gyroscope<T>::Gyroscope(multibody::BodyIndex body_index,
                        const RigidTransform<double>& X_BS)
    : LeafSystem<T>(SystemTypeTag<Gyroscope>{}),
      body_index_(body_index),
      X_BS_(X_BS) {
  wyvern::internal::RequireFinite("Gyroscope", "X_BS", X_BS.GetAsMatrix34());
  this->DeclareAbstractInputPort("body_poses",
                                 Value<std::vector<RigidTransform<T>>>());
  this->DeclareAbstractInputPort("body_spatial_velocities",
                                 Value<std::vector<SpatialVelocity<T>>>());
  this->DeclareVectorOutputPort("measurement", 3,
                                &Gyroscope<T>::CalcMeasurement,
                                {this->all_input_ports_ticket()})
      .set_unit("rad/s");
}

template <typename T>
void Gyroscope<T>::CalcMeasurement(const Context<T>& context,
                                   BasicVector<T>* y) const {
  const auto& X_WB = internal::EvalElement<RigidTransform<T>>(
      get_body_poses_input_port(), context, body_index_);
  const auto& V_WB_W = internal::EvalElement<SpatialVelocity<T>>(
      get_body_velocities_input_port(), context, body_index_);
  const Vector3<T> w_WB_B =
      X_WB.rotation().matrix().transpose() * V_WB_W.rotational();
  y->get_mutable_value() =
      X_BS_.rotation().matrix().transpose().template cast<T>() * w_WB_B;
}

template <typename T>
const Gyroscope<T>& Gyroscope<T>::AddToDiagram(
    const multibody::RigidBody<T>& body, const RigidTransform<double>& X_BS,
    const multibody::MultibodyPlant<T>& plant, DiagramBuilder<T>* builder) {
  systems::internal::DiagramAdditions<T> additions("Gyroscope::AddToDiagram",
                                                   builder);
  const auto* sensor =
      additions.Add(std::make_unique<Gyroscope<T>>(body, X_BS));
  builder->Connect(plant.get_body_poses_output_port(),
                   sensor->get_body_poses_input_port());
  builder->Connect(plant.get_body_spatial_velocities_output_port(),
                   sensor->get_body_velocities_input_port());
  additions.Keep();
  return *sensor;
}

}  // namespace wyvern::systems::sensors

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::sensors::Gyroscope);
