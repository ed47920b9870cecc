#include "wyvern/multibody/sensors/force_torque_sensor.h"

#include <memory>
#include <vector>

#include "wyvern/multibody/sensors/element_of_port.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_additions.h"

namespace wyvern::systems::sensors {

using math::RigidTransform;
using multibody::SpatialForce;

template <typename T>
ForceTorqueSensor<T>::ForceTorqueSensor(const multibody::Joint<T>& joint,
                                        const RigidTransform<double>& X_JcS)
    : ForceTorqueSensor(joint.ordinal(), X_JcS) {}

template <typename T>
ForceTorqueSensor<T>::ForceTorqueSensor(int joint_ordinal,
                                        const RigidTransform<double>& X_JcS)
    : LeafSystem<T>(SystemTypeTag<ForceTorqueSensor>{}),
      joint_ordinal_(joint_ordinal),
      X_JcS_(X_JcS) {
  wyvern::internal::RequireFinite("ForceTorqueSensor", "X_JcS",
                                  X_JcS.GetAsMatrix34());
  this->DeclareAbstractInputPort("reaction_forces",
                                 Value<std::vector<SpatialForce<T>>>());
  this->DeclareVectorOutputPort("measurement", 6,
                                &ForceTorqueSensor<T>::CalcMeasurement,
                                {this->all_input_ports_ticket()})
      .set_units({"N m", "N m", "N m", "N", "N", "N"});
}

template <typename T>
void ForceTorqueSensor<T>::CalcMeasurement(const Context<T>& context,
                                           BasicVector<T>* y) const {
  const auto& F_CJc_Jc = internal::EvalElement<SpatialForce<T>>(
      get_reaction_forces_input_port(), context, joint_ordinal_);
  const SpatialForce<T> F_CSo_Jc =
      F_CJc_Jc.Shift(X_JcS_.translation().cast<T>());
  const Matrix3<T> R_SJc =
      X_JcS_.rotation().matrix().transpose().template cast<T>();
  auto measured = y->get_mutable_value();
  measured.template head<3>() = R_SJc * F_CSo_Jc.rotational();
  measured.template tail<3>() = R_SJc * F_CSo_Jc.translational();
}

template <typename T>
const ForceTorqueSensor<T>& ForceTorqueSensor<T>::AddToDiagram(
    const multibody::Joint<T>& joint, const RigidTransform<double>& X_JcS,
    const multibody::MultibodyPlant<T>& plant, DiagramBuilder<T>* builder) {
  systems::internal::DiagramAdditions<T> additions(
      "ForceTorqueSensor::AddToDiagram", builder);
  const auto* sensor =
      additions.Add(std::make_unique<ForceTorqueSensor<T>>(joint, X_JcS));
  builder->Connect(plant.get_reaction_forces_output_port(),
                   sensor->get_reaction_forces_input_port());
  additions.Keep();
  return *sensor;
}

}  // namespace wyvern::systems::sensors

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::sensors::ForceTorqueSensor);
