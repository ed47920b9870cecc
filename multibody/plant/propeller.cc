#include "wyvern/multibody/plant/propeller.h"

#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/plant/plant_serialization.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using math::RigidTransform;

template <typename T>
Propeller<T>::Propeller(const BodyIndex& body_index,
                        const RigidTransform<double>& X_BP, double thrust_ratio,
                        double moment_ratio)
    : Propeller(std::vector<PropellerInfo>{
          PropellerInfo(body_index, X_BP, thrust_ratio, moment_ratio)}) {}

template <typename T>
Propeller<T>::Propeller(const std::vector<PropellerInfo>& propeller_info)
    : systems::LeafSystem<T>(systems::SystemTypeTag<Propeller>{}),
      info_(propeller_info) {
  internal::RegisterPlantSerialization();
  for (int i = 0; i < num_propellers(); ++i) {
    const PropellerInfo& info = info_[i];
    const std::string number = std::to_string(i);
    const auto who =
        wyvern::internal::Caller("Propeller").Of("propeller", number);
    if (!info.body_index.is_valid()) {
      throw std::logic_error(fmt::format(
          "{}: there is no body index; give that of a body of the plant.",
          who.ToText()));
    }
    wyvern::internal::RequireFinite(who, "X_BP", info.X_BP.GetAsMatrix34());
    wyvern::internal::RequireFinite(who, "thrust_ratio", info.thrust_ratio);
    wyvern::internal::RequireFinite(who, "moment_ratio", info.moment_ratio);
  }
  this->DeclareAbstractInputPort("body_poses",
                                 Value<std::vector<RigidTransform<T>>>());
  this->DeclareVectorInputPort("command", num_propellers());
  this->DeclareAbstractOutputPort("spatial_forces",
                                  &Propeller<T>::CalcSpatialForces,
                                  {this->all_input_ports_ticket()});
}

template <typename T>
Propeller<T>::~Propeller() = default;

template <typename T>
void Propeller<T>::CalcSpatialForces(
    const systems::Context<T>& context,
    std::vector<ExternallyAppliedSpatialForce<T>>* forces) const {
  const auto& poses =
      get_body_poses_input_port().template Eval<std::vector<RigidTransform<T>>>(
          context);
  const VectorX<T>& command = get_command_input_port().Eval(context);
  forces->resize(num_propellers());
  for (int i = 0; i < num_propellers(); ++i) {
    const PropellerInfo& info = info_[i];
    if (info.body_index >= static_cast<int>(poses.size())) {
      throw std::logic_error(fmt::format(
          "Propeller: propeller {} is on the body of index {}, but the port "
          "'body_poses' has {} poses; connect the plant that has the body.",
          i, static_cast<int>(info.body_index), poses.size()));
    }
    const Vector3<T> Pz_W = poses[info.body_index].rotation().matrix() *
                            info.X_BP.rotation().matrix().col(2).cast<T>();
    ExternallyAppliedSpatialForce<T>& force = (*forces)[i];
    force.body_index = info.body_index;
    force.p_BoBq_B = info.X_BP.translation().template cast<T>();
    force.F_Bq_W =
        SpatialForce<T>(Vector3<T>(Pz_W * (command[i] * info.moment_ratio)),
                        Vector3<T>(Pz_W * (command[i] * info.thrust_ratio)));
  }
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::Propeller);
