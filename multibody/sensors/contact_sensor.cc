#include "wyvern/multibody/sensors/contact_sensor.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "wyvern/multibody/sensors/element_of_port.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_additions.h"

namespace wyvern::systems::sensors {

using geometry::GeometryId;
using math::RigidTransform;
using multibody::ContactResults;
using multibody::MultibodyPlant;
using multibody::SpatialForce;

namespace {

template <typename T>
std::vector<GeometryId> GeometriesOf(const multibody::RigidBody<T>& body,
                                     const MultibodyPlant<T>& plant) {
  if (!plant.is_finalized()) {
    throw std::logic_error(
        "ContactSensor: the plant is not finalized; call Finalize() first.");
  }
  std::vector<GeometryId> ids = plant.GetCollisionGeometriesForBody(body);
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

template <typename T>
ContactSensor<T>::ContactSensor(const multibody::RigidBody<T>& body,
                                const MultibodyPlant<T>& plant,
                                double threshold)
    : ContactSensor(body.index(), GeometriesOf(body, plant), threshold) {}

template <typename T>
ContactSensor<T>::ContactSensor(multibody::BodyIndex body_index,
                                const std::vector<GeometryId>& geometries,
                                double threshold)
    : LeafSystem<T>(SystemTypeTag<ContactSensor>{}),
      body_index_(body_index),
      geometries_(geometries),
      threshold_(threshold) {
  wyvern::internal::RequireNonNegative("ContactSensor", "threshold", threshold);
  this->DeclareAbstractInputPort("contact_results", Value<ContactResults<T>>());
  this->DeclareAbstractInputPort("body_poses",
                                 Value<std::vector<RigidTransform<T>>>());
  this->DeclareVectorOutputPort("wrench", 6, &ContactSensor<T>::CalcWrench,
                                {this->all_input_ports_ticket()})
      .set_units({"N m", "N m", "N m", "N", "N", "N"});
  this->DeclareVectorOutputPort(
      "in_contact", 1, &ContactSensor<T>::CalcInContact,
      {this->input_port_ticket(
          this->get_contact_results_input_port().get_index())});
}

template <typename T>
bool ContactSensor<T>::HasGeometry(GeometryId id) const {
  return std::binary_search(geometries_.begin(), geometries_.end(), id);
}

template <typename T>
template <typename F>
void ContactSensor<T>::ForEachContact(const Context<T>& context,
                                      const F& f) const {
  const auto& results =
      get_contact_results_input_port().template Eval<ContactResults<T>>(
          context);
  const Vector3<T> no_torque = Vector3<T>::Zero();
  for (const auto& point : results.point_pairs()) {
    const SpatialForce<T> F_Bc_W(no_torque, point.contact_force());
    if (point.bodyB_index() == body_index_) f(point.contact_point(), F_Bc_W);
    if (point.bodyA_index() == body_index_) f(point.contact_point(), -F_Bc_W);
  }
  for (const auto& patch : results.hydroelastic()) {
    const auto& surface = patch.contact_surface();
    if (HasGeometry(surface.id_M())) f(surface.centroid(), patch.F_Ac_W());
    if (HasGeometry(surface.id_N())) f(surface.centroid(), -patch.F_Ac_W());
  }
}

template <typename T>
void ContactSensor<T>::CalcWrench(const Context<T>& context,
                                  BasicVector<T>* wrench) const {
  const Vector3<T>& p_WBo =
      internal::EvalElement<RigidTransform<T>>(get_body_poses_input_port(),
                                               context, body_index_)
          .translation();
  SpatialForce<T> F_BBo_W = SpatialForce<T>::Zero();
  ForEachContact(context,
                 [&](const Vector3<T>& p_WC, const SpatialForce<T>& F_Bc_W) {
                   F_BBo_W += F_Bc_W.Shift(p_WBo - p_WC);
                 });
  wrench->get_mutable_value() = F_BBo_W.get_coeffs();
}

template <typename T>
void ContactSensor<T>::CalcInContact(const Context<T>& context,
                                     BasicVector<T>* answer) const {
  double sum = 0;
  ForEachContact(context, [&sum](const Vector3<T>&,
                                 const SpatialForce<T>& F_Bc_W) {
    double squares = 0;
    for (int i = 0; i < 3; ++i) {
      const double f = wyvern::internal::NumberIn(F_Bc_W.translational()[i]);
      squares += f * f;
    }
    sum += std::sqrt(squares);
  });
  (*answer)[0] = sum > threshold_ ? 1 : 0;
}

template <typename T>
const ContactSensor<T>& ContactSensor<T>::AddToDiagram(
    const multibody::RigidBody<T>& body, const MultibodyPlant<T>& plant,
    DiagramBuilder<T>* builder, double threshold) {
  systems::internal::DiagramAdditions<T> additions(
      "ContactSensor::AddToDiagram", builder);
  const auto* sensor =
      additions.Add(std::make_unique<ContactSensor<T>>(body, plant, threshold));
  builder->Connect(plant.get_contact_results_output_port(),
                   sensor->get_contact_results_input_port());
  builder->Connect(plant.get_body_poses_output_port(),
                   sensor->get_body_poses_input_port());
  additions.Keep();
  return *sensor;
}

}  // namespace wyvern::systems::sensors

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::sensors::ContactSensor);
