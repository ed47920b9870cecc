#include "wyvern/multibody/plant/plant_ports.h"

#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/geometry/scene_graph/query_object.h"
#include "wyvern/multibody/plant/externally_applied_spatial_force.h"
#include "wyvern/multibody/plant/parts/port_units.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/value.h"

/* A plant's ports, a row each in two tables: the order of rows is that of port
indices, and a row's name is how the rest of this file, and the parts that
read an input, find it. To add a port, add a row, and the function that hands
it out here and in the header; what a dynamic output shows is a field of
StepOutputs. */

namespace wyvern::multibody {

using internal::InstanceIndices;
using internal::PortQuantity;
using internal::PortUnits;
using internal::StepOutputs;
using systems::BasicVector;
using systems::Context;
using systems::InputPort;
using systems::OutputPort;

namespace {

using Tickets = std::set<systems::DependencyTicket>;

// Data from which ports are made; it lives as long as they do.
template <typename T>
struct Sources {
  const internal::MultibodyTreeSystem<T>& core;
  const MultibodyPlant<T>* plant;
  const internal::DynamicsPart<T>& dynamics;
  const internal::GeometryBinding& binding;
  const DeformableModel<T>& deformables;

  const internal::MultibodyTree<T>& tree() const { return core.tree(); }
  const InstanceIndices& instance(ModelInstanceIndex i) const {
    return tree().instance(i, "Finalize");
  }
};

// Common part of input and output ports.
struct Row {
  // Part of a model instance's port name that follows the instance's name.
  std::string_view name;
  bool is_of_instances{};
  // Declared by the constructor, so that it can be connected before Finalize().
  bool is_first{};
  // The quantity of a vector's elements, for their units.
  PortQuantity quantity{PortQuantity::kNone};
};

template <typename T>
struct InputRow : Row {
  // One of the two.
  int (*size)(const Sources<T>&, ModelInstanceIndex){};
  std::unique_ptr<AbstractValue> (*model)(){};
};

template <typename T>
struct OutputRow : Row {
  // On what it depends.
  Tickets (*from)(const Sources<T>&){};

  // A vector of the step's, and which of its entries a model instance has.
  VectorX<T> StepOutputs<T>::*shown{};
  std::vector<int> InstanceIndices::*indices{};
  // Or another vector,
  int (*size)(const Sources<T>&, ModelInstanceIndex){};
  void (*calc)(const Sources<T>&, const Context<T>&, ModelInstanceIndex,
               BasicVector<T>*){};
  // or a value.
  std::unique_ptr<AbstractValue> (*model)(const Sources<T>&){};
  void (*calc_value)(const Sources<T>&, const Context<T>&, AbstractValue*){};
};

// Kinds of rows.

template <typename T>
constexpr InputRow<T> Vector(std::string_view name, PortQuantity quantity,
                             int (*size)(const Sources<T>&,
                                         ModelInstanceIndex)) {
  return {{name, name[0] == '_', false, quantity}, size};
}

template <typename T, class Type>
constexpr InputRow<T> ValueOf(std::string_view name, bool is_first = false) {
  return {
      {name, false, is_first}, nullptr, []() -> std::unique_ptr<AbstractValue> {
        return std::make_unique<Value<Type>>();
      }};
}

template <typename T>
constexpr OutputRow<T> StepVector(
    std::string_view name, PortQuantity quantity,
    VectorX<T> StepOutputs<T>::*shown,
    std::vector<int> InstanceIndices::*indices = nullptr) {
  OutputRow<T> row{{name, indices != nullptr, false, quantity}};
  row.from = [](const Sources<T>& s) -> Tickets {
    return {s.dynamics.shown_ticket()};
  };
  row.shown = shown;
  row.indices = indices;
  return row;
}

// `Output` has the port's type, a model value, what it depends on and how it is
// calculated.
template <typename T, template <typename> class Output>
constexpr OutputRow<T> ValueOf(std::string_view name, bool is_first = false) {
  using Type = typename Output<T>::Type;
  OutputRow<T> row{{name, false, is_first}};
  row.from = &Output<T>::From;
  row.model = [](const Sources<T>& s) -> std::unique_ptr<AbstractValue> {
    return std::make_unique<Value<Type>>(Output<T>::Model(s));
  };
  row.calc_value = [](const Sources<T>& s, const Context<T>& context,
                      AbstractValue* value) {
    Output<T>::Calc(s, context, &value->get_mutable_value<Type>());
  };
  return row;
}

// State, of the plant or of a model instance.

template <typename T>
Tickets FromState(const Sources<T>& s) {
  return {s.core.position_ticket(), s.core.velocity_ticket()};
}

template <typename T>
constexpr OutputRow<T> State(std::string_view name) {
  OutputRow<T> row{{name, false, false, PortQuantity::kState}};
  row.from = &FromState<T>;
  row.size = [](const Sources<T>& s, ModelInstanceIndex) {
    return s.core.num_q() + s.core.num_v();
  };
  row.calc = [](const Sources<T>& s, const Context<T>& context,
                ModelInstanceIndex, BasicVector<T>* x) {
    x->get_mutable_value() = s.core.StateVector(context);
  };
  return row;
}

template <typename T>
constexpr OutputRow<T> InstanceState(std::string_view name) {
  OutputRow<T> row{{name, true, false, PortQuantity::kState}};
  row.from = &FromState<T>;
  row.size = [](const Sources<T>& s, ModelInstanceIndex i) {
    return static_cast<int>(s.instance(i).q.size() + s.instance(i).v.size());
  };
  row.calc = [](const Sources<T>& s, const Context<T>& context,
                ModelInstanceIndex i, BasicVector<T>* x) {
    const VectorX<T>& all = s.core.StateVector(context);
    int out = 0;
    for (int k : s.instance(i).q) (*x)[out++] = all[k];
    for (int k : s.instance(i).v) (*x)[out++] = all[s.core.num_q() + k];
  };
  return row;
}

// Values.

template <typename T>
struct GeometryPoses {
  using Type = geometry::FramePoseVector<T>;
  static Type Model(const Sources<T>&) { return {}; }
  static Tickets From(const Sources<T>& s) {
    return {s.core.q_ticket(), s.core.xd_ticket(),
            s.core.all_parameters_ticket()};
  }
  static void Calc(const Sources<T>& s, const Context<T>& context,
                   Type* poses) {
    const auto positions = s.core.EvalPositions(context);
    poses->clear();
    for (const auto& [body, frame] : s.binding.frame_of_body) {
      if (body == world_index()) continue;
      poses->set_value(frame, s.core.BodyPose(positions, body));
    }
  }
};

template <typename T>
struct DeformableConfiguration {
  using Type = geometry::GeometryConfigurationVector<T>;
  static Type Model(const Sources<T>&) { return {}; }
  static Tickets From(const Sources<T>& s) { return {s.core.xd_ticket()}; }
  static void Calc(const Sources<T>& s, const Context<T>& context,
                   Type* configurations) {
    s.deformables.CalcConfigurations(context, configurations);
  }
};

template <typename T>
struct BodyPoses {
  using Type = std::vector<math::RigidTransform<T>>;
  static Type Model(const Sources<T>& s) { return Type(s.tree().num_bodies()); }
  static Tickets From(const Sources<T>& s) {
    return {s.core.body_poses_entry_ticket()};
  }
  static void Calc(const Sources<T>& s, const Context<T>& context, Type* X_WB) {
    *X_WB = s.core.EvalBodyPoses(context);
  }
};

template <typename T>
struct BodyVelocities {
  using Type = std::vector<SpatialVelocity<T>>;
  static Type Model(const Sources<T>& s) {
    return Type(s.tree().num_bodies(), SpatialVelocity<T>::Zero());
  }
  static Tickets From(const Sources<T>& s) {
    return {s.core.body_velocities_entry_ticket()};
  }
  static void Calc(const Sources<T>& s, const Context<T>& context, Type* V_WB) {
    *V_WB = s.core.EvalBodyVelocities(context);
  }
};

template <typename T>
struct BodyAccelerations {
  using Type = std::vector<SpatialAcceleration<T>>;
  static Type Model(const Sources<T>& s) {
    return Type(s.tree().num_bodies(), SpatialAcceleration<T>::Zero());
  }
  static Tickets From(const Sources<T>& s) {
    return {s.dynamics.shown_accelerations_ticket()};
  }
  static void Calc(const Sources<T>& s, const Context<T>& context, Type* A_WB) {
    *A_WB = s.dynamics.EvalReportedBodyAccelerations(context);
  }
};

template <typename T>
struct ReactionForces {
  using Type = std::vector<SpatialForce<T>>;
  static Type Model(const Sources<T>& s) {
    return Type(s.tree().joints().num(), SpatialForce<T>::Zero());
  }
  static Tickets From(const Sources<T>& s) {
    return {s.dynamics.shown_reactions_ticket()};
  }
  static void Calc(const Sources<T>& s, const Context<T>& context,
                   Type* F_CJc_Jc) {
    *F_CJc_Jc = s.dynamics.EvalReportedReactionForces(context);
  }
};

// The only copy that is made of a contact.
template <typename T>
struct Contacts {
  using Type = ContactResults<T>;
  static Type Model(const Sources<T>& s) {
    Type results;
    results.set_plant(s.plant);
    return results;
  }
  static Tickets From(const Sources<T>& s) {
    return {s.dynamics.shown_ticket()};
  }
  static void Calc(const Sources<T>& s, const Context<T>& context,
                   Type* results) {
    const StepOutputs<T>& shown = s.dynamics.EvalReported(context);
    results->mutable_point_pairs() = shown.contacts;
    results->mutable_hydroelastic() = shown.surfaces;
    results->mutable_deformable() = shown.deformable_contacts;
  }
};

// The tables. Rows of model instances that follow each other are declared
// together, instance by instance.

template <typename T>
constexpr InputRow<T> kInputRows[] = {
    ValueOf<T, geometry::QueryObject<T>>("geometry_query", true),
    Vector<T>("actuation", PortQuantity::kEffort,
              [](const Sources<T>& s, ModelInstanceIndex) {
                return s.tree().num_actuated_dofs();
              }),
    Vector<T>(
        "applied_generalized_force", PortQuantity::kForce,
        [](const Sources<T>& s, ModelInstanceIndex) { return s.core.num_v(); }),
    ValueOf<T, std::vector<ExternallyAppliedSpatialForce<T>>>(
        "applied_spatial_force"),
    Vector<T>("_actuation", PortQuantity::kEffort,
              [](const Sources<T>& s, ModelInstanceIndex i) {
                return static_cast<int>(s.instance(i).u.size());
              }),
    Vector<T>("_desired_state", PortQuantity::kDesiredState,
              [](const Sources<T>& s, ModelInstanceIndex i) {
                return 2 * static_cast<int>(s.instance(i).u.size());
              }),
};

template <typename T>
constexpr OutputRow<T> kOutputRows[] = {
    ValueOf<T, GeometryPoses>("geometry_pose", true),
    ValueOf<T, DeformableConfiguration>("deformable_body_configuration", true),
    State<T>("state"),
    InstanceState<T>("_state"),
    ValueOf<T, BodyPoses>("body_poses"),
    ValueOf<T, BodyVelocities>("body_spatial_velocities"),
    ValueOf<T, BodyAccelerations>("body_spatial_accelerations"),
    ValueOf<T, ReactionForces>("reaction_forces"),
    StepVector<T>("generalized_acceleration", PortQuantity::kAcceleration,
                  &StepOutputs<T>::vdot),
    StepVector<T>("net_actuation", PortQuantity::kEffort,
                  &StepOutputs<T>::net_actuation),
    StepVector<T>("constraint_multipliers", PortQuantity::kNone,
                  &StepOutputs<T>::multipliers),
    ValueOf<T, Contacts>("contact_results"),
    StepVector<T>("_generalized_acceleration", PortQuantity::kAcceleration,
                  &StepOutputs<T>::vdot, &InstanceIndices::v),
    StepVector<T>("_generalized_contact_forces", PortQuantity::kForce,
                  &StepOutputs<T>::tau_contact, &InstanceIndices::v),
    StepVector<T>("_net_actuation", PortQuantity::kEffort,
                  &StepOutputs<T>::net_actuation, &InstanceIndices::u),
};

// The number of a row; a name that no row has does not compile.
template <class Rows>
consteval int Find(const Rows& rows, std::string_view name) {
  for (int i = 0; i < static_cast<int>(std::size(rows)); ++i) {
    if (rows[i].name == name) return i;
  }
  throw std::logic_error("There is no such row.");
}
template <typename T>
consteval int In(std::string_view name) {
  return Find(kInputRows<T>, name);
}
template <typename T>
consteval int Out(std::string_view name) {
  return Find(kOutputRows<T>, name);
}

// Calls declare(row, name, instance) for the ports of the rows that are first,
// or of the others, in the order of their indices.
template <class Rows, typename T, class Declare>
void DeclareRows(const Rows& rows, bool is_first,
                 const internal::MultibodyTree<T>& tree,
                 const Declare& declare) {
  const int num = static_cast<int>(std::size(rows));
  for (int begin = 0, end = 0; begin < num; begin = end) {
    end = begin + 1;
    if (rows[begin].is_first != is_first) continue;
    if (!rows[begin].is_of_instances) {
      declare(begin, std::string(rows[begin].name), ModelInstanceIndex());
      continue;
    }
    while (end < num && rows[end].is_of_instances) ++end;
    for (ModelInstanceIndex i(0); i < tree.num_model_instances(); ++i) {
      for (int row = begin; row < end; ++row) {
        declare(row, tree.GetModelInstanceName(i) + std::string(rows[row].name),
                i);
      }
    }
  }
}

template <typename T>
systems::OutputPortIndex DeclareStepVector(
    const OutputRow<T>& row, const std::string& name, const Sources<T>& s,
    ModelInstanceIndex instance, internal::MultibodyTreeSystem<T>* core) {
  const auto shown = row.shown;
  const auto& dynamics = s.dynamics;
  if (row.indices == nullptr) {
    const VectorX<T> model = dynamics.MakeOutputs().*shown;
    return core->DeclarePartOutput(
        name, static_cast<int>(model.size()),
        [&dynamics, shown](const Context<T>& context, BasicVector<T>* x) {
          x->get_mutable_value() = dynamics.EvalReported(context).*shown;
        },
        row.from(s));
  }
  const std::vector<int>& indices = s.instance(instance).*row.indices;
  return core->DeclarePartOutput(
      name, static_cast<int>(indices.size()),
      [&dynamics, shown, &indices](const Context<T>& context,
                                   BasicVector<T>* x) {
        const VectorX<T>& all = dynamics.EvalReported(context).*shown;
        for (int k = 0; k < x->size(); ++k) (*x)[k] = all[indices[k]];
      },
      row.from(s));
}

template <typename T>
systems::OutputPortIndex DeclareOutput(const OutputRow<T>& row,
                                       const std::string& name,
                                       const Sources<T>& s,
                                       ModelInstanceIndex instance,
                                       internal::MultibodyTreeSystem<T>* core) {
  if (row.shown != nullptr) {
    return DeclareStepVector(row, name, s, instance, core);
  }
  if (row.size != nullptr) {
    return core->DeclarePartOutput(
        name, row.size(s, instance),
        [calc = row.calc, s, instance](const Context<T>& context,
                                       BasicVector<T>* x) {
          calc(s, context, instance, x);
        },
        row.from(s));
  }
  return core->DeclarePartOutput(
      name, [model = row.model, s] { return model(s); },
      [calc = row.calc_value, s](const Context<T>& context,
                                 AbstractValue* value) {
        calc(s, context, value);
      },
      row.from(s));
}

// Tags a port with the units of its elements. Systems hand out their ports
// const; here the plant completes its own.
template <typename T, class Port>
void TagUnits(const Row& row, const Sources<T>& s, const PortUnits& units,
              ModelInstanceIndex instance, const Port& port) {
  if (row.quantity == PortQuantity::kNone) return;
  const_cast<Port&>(port).set_units(units.Make(
      row.quantity, row.is_of_instances ? &s.instance(instance) : nullptr));
}

}  // namespace

template <typename T>
void PlantPorts<T>::DeclareInputs(Begin begin,
                                  internal::MultibodyTreeSystem<T>* core) {
  const Sources<T> s{core_, plant_, dynamics_, binding_, deformables_};
  ports_.input_rows.resize(std::size(kInputRows<T>));
  std::optional<PortUnits> units;
  if (begin != Begin::kFirst) units.emplace(core_);
  DeclareRows(kInputRows<T>, begin == Begin::kFirst, core_.tree(),
              [&](int i, const std::string& name, ModelInstanceIndex instance) {
                const InputRow<T>& row = kInputRows<T>[i];
                auto& entry = ports_.input_rows[i];
                entry.name = row.name;
                entry.ports.push_back(
                    row.size != nullptr
                        ? core->DeclarePartInput(name, row.size(s, instance))
                        : core->DeclarePartInput(name, *row.model()));
                if (!units.has_value()) return;
                TagUnits(row, s, *units, instance,
                         core->get_input_port(entry.ports.back()));
              });
}

template <typename T>
void PlantPorts<T>::DeclareOutputs(Begin begin,
                                   internal::MultibodyTreeSystem<T>* core) {
  const Sources<T> s{core_, plant_, dynamics_, binding_, deformables_};
  ports_.output_rows.resize(std::size(kOutputRows<T>));
  std::optional<PortUnits> units;
  if (begin != Begin::kFirst) units.emplace(core_);
  DeclareRows(
      kOutputRows<T>, begin == Begin::kFirst, core_.tree(),
      [&](int i, const std::string& name, ModelInstanceIndex instance) {
        const OutputRow<T>& row = kOutputRows<T>[i];
        auto& entry = ports_.output_rows[i];
        entry.name = row.name;
        entry.ports.push_back(DeclareOutput(row, name, s, instance, core));
        if (!units.has_value()) return;
        TagUnits(row, s, *units, instance,
                 core->get_output_port(entry.ports.back()));
      });
}

template <typename T>
const InputPort<T>& PlantPorts<T>::Input(const char* function, int row) const {
  if (!kInputRows<T>[row].is_first) core_.tree().RequireFinalized(function);
  return core_.get_input_port(ports_.input_rows[row].ports[0]);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::Output(const char* function,
                                           int row) const {
  if (!kOutputRows<T>[row].is_first) core_.tree().RequireFinalized(function);
  return core_.get_output_port(ports_.output_rows[row].ports[0]);
}

template <typename T>
const InputPort<T>& PlantPorts<T>::Input(
    const char* function, int row, ModelInstanceIndex model_instance) const {
  core_.tree().RequireFinalized(function);
  core_.tree().RequireModelInstance(model_instance, function);
  return core_.get_input_port(ports_.input_rows[row].ports[model_instance]);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::Output(
    const char* function, int row, ModelInstanceIndex model_instance) const {
  core_.tree().RequireFinalized(function);
  core_.tree().RequireModelInstance(model_instance, function);
  return core_.get_output_port(ports_.output_rows[row].ports[model_instance]);
}

template <typename T>
const InputPort<T>& PlantPorts<T>::get_applied_generalized_force_input_port()
    const {
  return Input("get_applied_generalized_force_input_port",
               In<T>("applied_generalized_force"));
}

template <typename T>
const InputPort<T>& PlantPorts<T>::get_applied_spatial_force_input_port()
    const {
  return Input("get_applied_spatial_force_input_port",
               In<T>("applied_spatial_force"));
}

template <typename T>
const InputPort<T>& PlantPorts<T>::get_geometry_query_input_port() const {
  return Input("get_geometry_query_input_port", In<T>("geometry_query"));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_geometry_pose_output_port() const {
  return Output("get_geometry_pose_output_port", Out<T>("geometry_pose"));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_contact_results_output_port() const {
  return Output("get_contact_results_output_port", Out<T>("contact_results"));
}

template <typename T>
const OutputPort<T>&
PlantPorts<T>::get_deformable_body_configuration_output_port() const {
  return Output("get_deformable_body_configuration_output_port",
                Out<T>("deformable_body_configuration"));
}

template <typename T>
const InputPort<T>& PlantPorts<T>::get_actuation_input_port() const {
  return Input("get_actuation_input_port", In<T>("actuation"));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_state_output_port() const {
  return Output("get_state_output_port", Out<T>("state"));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_body_poses_output_port() const {
  return Output("get_body_poses_output_port", Out<T>("body_poses"));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_body_spatial_velocities_output_port()
    const {
  return Output("get_body_spatial_velocities_output_port",
                Out<T>("body_spatial_velocities"));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_body_spatial_accelerations_output_port()
    const {
  return Output("get_body_spatial_accelerations_output_port",
                Out<T>("body_spatial_accelerations"));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_generalized_acceleration_output_port()
    const {
  return Output("get_generalized_acceleration_output_port",
                Out<T>("generalized_acceleration"));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_net_actuation_output_port() const {
  return Output("get_net_actuation_output_port", Out<T>("net_actuation"));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_reaction_forces_output_port() const {
  return Output("get_reaction_forces_output_port", Out<T>("reaction_forces"));
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_constraint_multipliers_output_port()
    const {
  return Output("get_constraint_multipliers_output_port",
                Out<T>("constraint_multipliers"));
}

template <typename T>
const InputPort<T>& PlantPorts<T>::get_actuation_input_port(
    ModelInstanceIndex model_instance) const {
  return Input("get_actuation_input_port", In<T>("_actuation"), model_instance);
}

template <typename T>
const InputPort<T>& PlantPorts<T>::get_desired_state_input_port(
    ModelInstanceIndex model_instance) const {
  return Input("get_desired_state_input_port", In<T>("_desired_state"),
               model_instance);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_state_output_port(
    ModelInstanceIndex model_instance) const {
  return Output("get_state_output_port", Out<T>("_state"), model_instance);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_generalized_acceleration_output_port(
    ModelInstanceIndex model_instance) const {
  return Output("get_generalized_acceleration_output_port",
                Out<T>("_generalized_acceleration"), model_instance);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_net_actuation_output_port(
    ModelInstanceIndex model_instance) const {
  return Output("get_net_actuation_output_port", Out<T>("_net_actuation"),
                model_instance);
}

template <typename T>
const OutputPort<T>& PlantPorts<T>::get_generalized_contact_forces_output_port(
    ModelInstanceIndex model_instance) const {
  return Output("get_generalized_contact_forces_output_port",
                Out<T>("_generalized_contact_forces"), model_instance);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::PlantPorts);
