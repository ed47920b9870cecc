#include "wyvern/multibody/recording/record_plant.h"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/json_text.h"
#include "wyvern/systems/framework/diagram_builder.h"

/* Signals of a plant that a Recorder can store. A vector port is stored as it
is, with the names of its elements from the plant. Poses become seven numbers a
body, and contact results a JSON text, each by a function that the Recorder
calls with the port's value. Names of bodies are made ready for JSON once, when
the signal is added. Other ports are refused. */

namespace wyvern::multibody {

using math::RigidTransformd;
using systems::SignalDescription;

namespace {

constexpr int kNumbersOfAPose = 7;

// Names of bodies, and of the bodies of geometries, ready for JSON.
class BodyNames {
 public:
  explicit BodyNames(const MultibodyPlant<double>& plant) {
    for (BodyIndex i(0); i < plant.num_bodies(); ++i) {
      const RigidBody<double>& body = plant.get_body(i);
      names_.push_back(
          wyvern::internal::JsonString(body.scoped_name().get_full()));
      for (const auto& id : plant.GetCollisionGeometriesForBody(body)) {
        of_geometry_[id] = i;
      }
    }
  }
  const std::string& of(BodyIndex body) const { return names_[body]; }
  const std::string& of(geometry::GeometryId id) const {
    return names_[of_geometry_.at(id)];
  }

 private:
  std::vector<std::string> names_;
  std::map<geometry::GeometryId, BodyIndex> of_geometry_;
};

void AppendVector(const char* key, const Eigen::Vector3d& v,
                  std::string* json) {
  *json += key;
  for (int i = 0; i < 3; ++i) {
    *json += i == 0 ? '[' : ',';
    wyvern::internal::AppendJsonNumber(v[i], json);
  }
  *json += ']';
}

void AppendContacts(const ContactResults<double>& results,
                    const BodyNames& names, std::string* json) {
  const auto begin = [json](const std::string& a, const std::string& b) {
    *json += json->back() == '[' ? "{\"a\":" : ",{\"a\":";
    *json += a;
    *json += ",\"b\":";
    *json += b;
  };
  *json += "{\"contacts\":[";
  for (const auto& contact : results.point_pairs()) {
    begin(names.of(contact.bodyA_index()), names.of(contact.bodyB_index()));
    AppendVector(",\"force\":", contact.contact_force(), json);
    AppendVector(",\"point\":", contact.contact_point(), json);
    *json += '}';
  }
  for (const auto& contact : results.hydroelastic()) {
    const auto& surface = contact.contact_surface();
    begin(names.of(surface.id_M()), names.of(surface.id_N()));
    AppendVector(",\"force\":", -contact.F_Ac_W().translational(), json);
    AppendVector(",\"point\":", surface.centroid(), json);
    AppendVector(",\"torque\":", -contact.F_Ac_W().rotational(), json);
    *json += '}';
  }
  *json += "]}";
}

}  // namespace

std::vector<std::string> GetElementNames(const systems::PortBase& port,
                                         const MultibodyPlant<double>& plant) {
  const auto is = [&port](const systems::PortBase& other) {
    return &port == &other;
  };
  if (is(plant.get_state_output_port())) return plant.GetStateNames();
  if (is(plant.get_generalized_acceleration_output_port()) ||
      is(plant.get_applied_generalized_force_input_port())) {
    return plant.GetVelocityNames();
  }
  if (is(plant.get_net_actuation_output_port()) ||
      is(plant.get_actuation_input_port())) {
    return plant.GetActuatorNames();
  }
  for (ModelInstanceIndex i(0); i < plant.num_model_instances(); ++i) {
    if (is(plant.get_state_output_port(i))) return plant.GetStateNames(i);
    if (is(plant.get_generalized_acceleration_output_port(i)) ||
        is(plant.get_generalized_contact_forces_output_port(i))) {
      return plant.GetVelocityNames(i);
    }
    if (is(plant.get_net_actuation_output_port(i)) ||
        is(plant.get_actuation_input_port(i))) {
      return plant.GetActuatorNames(i);
    }
    if (!is(plant.get_desired_state_input_port(i))) continue;
    std::vector<std::string> names;
    for (const char* suffix : {"_q", "_v"}) {
      for (const std::string& name : plant.GetActuatorNames(i)) {
        names.push_back(name + suffix);
      }
    }
    return names;
  }
  return {};
}

void RecordPort(const systems::OutputPort<double>& port,
                const MultibodyPlant<double>& plant, double period,
                systems::Recorder<double>* recorder,
                systems::DiagramBuilder<double>* builder,
                const std::vector<std::string>& element_names) {
  constexpr char kWho[] = "RecordPort";
  wyvern::internal::RequireNotNull(kWho, "recorder", recorder);
  wyvern::internal::RequireNotNull(kWho, "builder", builder);
  if (!plant.is_finalized()) {
    throw std::logic_error(
        "RecordPort(): the plant is not finalized; call Finalize() first.");
  }
  SignalDescription about{
      .name = port.get_system().get_name() + '/' + port.get_name(),
      .period = period};
  if (!CanRecordPort(port, plant)) {
    throw std::logic_error(fmt::format(
        "{}(): the port '{}' has neither vectors nor a plant's body poses or "
        "contact results; use Recorder::AddSignal() with a function.",
        kWho, about.name));
  }
  if (port.get_data_type() == systems::kVectorValued) {
    about.element_names =
        element_names.empty() ? GetElementNames(port, plant) : element_names;
    Record(port, about, recorder, builder);
    return;
  }
  if (&port == &plant.get_body_poses_output_port()) {
    for (BodyIndex i(0); i < plant.num_bodies(); ++i) {
      const std::string body(plant.get_body(i).scoped_name().get_full());
      for (const char* part : {"qw", "qx", "qy", "qz", "x", "y", "z"}) {
        about.element_names.push_back(body + '.' + part);
      }
    }
    const auto to_numbers = [](const AbstractValue& value,
                               Eigen::Ref<Eigen::VectorXd> numbers) {
      int at = 0;
      for (const auto& X_WB : value.get_value<std::vector<RigidTransformd>>()) {
        const Eigen::Quaterniond q = X_WB.rotation().ToQuaternion();
        numbers.segment<4>(at) << q.w(), q.x(), q.y(), q.z();
        numbers.segment<3>(at + 4) = X_WB.translation();
        at += kNumbersOfAPose;
      }
    };
    const Value<std::vector<RigidTransformd>> model;
    builder->Connect(
        port, recorder->AddSignal(about, kNumbersOfAPose * plant.num_bodies(),
                                  model, to_numbers));
    return;
  }
  const auto to_json = [names = BodyNames(plant)](const AbstractValue& value,
                                                  std::string* json) {
    AppendContacts(value.get_value<ContactResults<double>>(), names, json);
  };
  builder->Connect(port, recorder->AddTextSignal(
                             about, Value<ContactResults<double>>(), to_json));
}

bool CanRecordPort(const systems::OutputPort<double>& port,
                   const MultibodyPlant<double>& plant) {
  return port.get_data_type() == systems::kVectorValued ||
         &port == &plant.get_body_poses_output_port() ||
         &port == &plant.get_contact_results_output_port();
}

}  // namespace wyvern::multibody
