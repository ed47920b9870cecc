// MultibodyPlant: building it, its elements, its state and its ports. What it
// computes is in plant_dynamics.cc.
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/geometry/shapes/coulomb_friction.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/fixed_offset_frame.h"
#include "wyvern/multibody/tree/weld_joint.h"

namespace wyvern::python {

using namespace multibody;  // NOLINT(build/namespaces)
using Pose = math::RigidTransform<double>;

namespace {

using Plant = MultibodyPlant<double>;
using Class = DocumentedClass<Plant, systems::LeafSystem<double>>;
using Instance = std::optional<ModelInstanceIndex>;
using Body = RigidBody<double>;

// Gives an element that Python made to the plant. The Python object stays
// valid; from now on it keeps the plant alive, which owns the element.
template <typename Element, typename Add>
nb::object Adopt(nb::handle plant, nb::object element, const Add& add) {
  add(nb::cast<Plant&>(plant), nb::cast<std::unique_ptr<Element>>(element));
  nb::inst_set_state(element, true, false);
  nb::keep_alive_obj(element, plant);
  return element;
}

void BindBuilding(Class* plant) {
  plant
      ->def(nb::init<double>(), "time_step"_a,
            "A plant of steps [s], or a continuous one if it is 0.")
      .def("time_step", [](const Plant& p) { return p.time_step(); })
      .def("is_discrete", [](const Plant& p) { return p.is_discrete(); })
      .def("Finalize", &Plant::Finalize)
      .def("is_finalized", &Plant::is_finalized)
      .def("AddModelInstance", &Plant::AddModelInstance, "name"_a)
      .def(
          "AddRigidBody",
          [](Plant& p, const std::string& name, const SpatialInertia<double>& M)
              -> const Body& { return p.AddRigidBody(name, M); },
          "name"_a, "M_BBo_B"_a = SpatialInertia<double>::Zero(), kInside)
      .def(
          "AddRigidBody",
          [](Plant& p, const std::string& name, ModelInstanceIndex instance,
             const SpatialInertia<double>& M) -> const Body& {
            return p.AddRigidBody(name, instance, M);
          },
          "name"_a, "model_instance"_a,
          "M_BBo_B"_a = SpatialInertia<double>::Zero(), kInside)
      .def(
          "AddJoint",
          [](nb::handle_t<Plant> self, nb::object joint) {
            return Adopt<Joint<double>>(
                self, joint, [](Plant& p, std::unique_ptr<Joint<double>> made) {
                  p.AddJoint<Joint>(std::move(made));
                });
          },
          nb::sig("def AddJoint(self, joint: wyvern.multibody.tree.JointT) -> "
                  "wyvern.multibody.tree.JointT"),
          "joint"_a, "Adds the joint and returns it.")
      .def(
          "AddFrame",
          [](nb::handle_t<Plant> self, nb::object frame) {
            return Adopt<Frame<double>>(
                self, frame, [](Plant& p, std::unique_ptr<Frame<double>> made) {
                  p.AddFrame<Frame>(std::move(made));
                });
          },
          nb::sig("def AddFrame(self, frame: wyvern.multibody.tree.FrameT) -> "
                  "wyvern.multibody.tree.FrameT"),
          "frame"_a, "Adds the frame and returns it.")
      .def(
          "WeldFrames",
          [](Plant& p, const Frame<double>& F, const Frame<double>& M,
             const Pose& X_FM) -> const WeldJoint<double>& {
            return p.WeldFrames(F, M, X_FM);
          },
          "frame_on_parent_F"_a, "frame_on_child_M"_a, "X_FM"_a = Pose(),
          kInside)
      .def(
          "AddJointActuator",
          [](Plant& p, const std::string& name, const Joint<double>& joint,
             double limit) -> const JointActuator<double>& {
            return p.AddJointActuator(name, joint, limit);
          },
          "name"_a, "joint"_a,
          "effort_limit"_a = std::numeric_limits<double>::infinity(), kInside)
      .def("gravity_field", &Plant::gravity_field, kInside)
      .def("mutable_gravity_field", &Plant::mutable_gravity_field, kInside)
      .def("set_gravity_enabled", &Plant::set_gravity_enabled,
           "model_instance"_a, "is_enabled"_a)
      .def("SetUseSampledOutputPorts", &Plant::SetUseSampledOutputPorts,
           "use_sampled_output_ports"_a);
}

void BindContact(Class* plant) {
  plant->def("set_contact_model", &Plant::set_contact_model, "model"_a)
      .def("get_contact_model", &Plant::get_contact_model)
      .def("set_discrete_contact_approximation",
           &Plant::set_discrete_contact_approximation, "approximation"_a)
      .def("get_discrete_contact_approximation",
           &Plant::get_discrete_contact_approximation)
      .def("set_penetration_allowance", &Plant::set_penetration_allowance,
           "penetration_allowance"_a = 0.001)
      .def("set_stiction_tolerance", &Plant::set_stiction_tolerance,
           "v_stiction"_a = 0.001)
      .def("num_collision_geometries", &Plant::num_collision_geometries)
      .def("num_visual_geometries", &Plant::num_visual_geometries)
      .def("geometry_source_is_registered",
           &Plant::geometry_source_is_registered)
      .def(
          "RegisterAsSourceForSceneGraph",
          [](Plant& p, geometry::SceneGraph<double>* scene_graph) {
            p.RegisterAsSourceForSceneGraph(scene_graph);
          },
          "scene_graph"_a, nb::keep_alive<1, 2>())
      .def(
          "RegisterCollisionGeometry",
          [](Plant& p, const Body& body, const Pose& X_BG,
             const geometry::Shape& shape, const std::string& name,
             const CoulombFriction<double>& friction) {
            p.RegisterCollisionGeometry(body, X_BG, shape, name, friction);
          },
          "body"_a, "X_BG"_a, "shape"_a, "name"_a, "coulomb_friction"_a)
      .def(
          "RegisterVisualGeometry",
          [](Plant& p, const Body& body, const Pose& X_BG,
             const geometry::Shape& shape, const std::string& name,
             const Vector4d& color) {
            p.RegisterVisualGeometry(body, X_BG, shape, name, color);
          },
          "body"_a, "X_BG"_a, "shape"_a, "name"_a, "diffuse_color"_a);
}

void BindCounts(Class* plant) {
  plant->def("num_bodies", &Plant::num_bodies)
      .def("num_frames", &Plant::num_frames)
      .def("num_joints", &Plant::num_joints)
      .def("num_model_instances", &Plant::num_model_instances)
      .def(
          "num_actuators",
          [](const Plant& p, Instance i) {
            return i ? p.num_actuators(*i) : p.num_actuators();
          },
          "model_instance"_a.none() = nb::none())
      .def(
          "num_actuated_dofs",
          [](const Plant& p, Instance i) {
            return i ? p.num_actuated_dofs(*i) : p.num_actuated_dofs();
          },
          "model_instance"_a.none() = nb::none())
      .def(
          "num_positions",
          [](const Plant& p, Instance i) {
            return i ? p.num_positions(*i) : p.num_positions();
          },
          "model_instance"_a.none() = nb::none())
      .def(
          "num_velocities",
          [](const Plant& p, Instance i) {
            return i ? p.num_velocities(*i) : p.num_velocities();
          },
          "model_instance"_a.none() = nb::none())
      .def(
          "num_multibody_states",
          [](const Plant& p, Instance i) {
            return i ? p.num_multibody_states(*i) : p.num_multibody_states();
          },
          "model_instance"_a.none() = nb::none())
      .def(
          "GetPositionNames",
          [](const Plant& p, bool prefix, bool suffix) {
            return p.GetPositionNames(prefix, suffix);
          },
          "add_model_instance_prefix"_a = true, "always_add_suffix"_a = true)
      .def(
          "GetVelocityNames",
          [](const Plant& p, bool prefix, bool suffix) {
            return p.GetVelocityNames(prefix, suffix);
          },
          "add_model_instance_prefix"_a = true, "always_add_suffix"_a = true)
      .def(
          "GetStateNames",
          [](const Plant& p, bool prefix) { return p.GetStateNames(prefix); },
          "add_model_instance_prefix"_a = true)
      .def(
          "GetActuatorNames",
          [](const Plant& p, bool prefix) {
            return p.GetActuatorNames(prefix);
          },
          "add_model_instance_prefix"_a = true);
}

void BindElements(Class* plant) {
  plant->def("world_body", &Plant::world_body, kInside)
      .def("world_frame", &Plant::world_frame, kInside)
      .def("get_body", &Plant::get_body, "body_index"_a, kInside)
      .def("get_frame", &Plant::get_frame, "frame_index"_a, kInside)
      .def("get_joint", &Plant::get_joint, "joint_index"_a, kInside)
      .def("get_joint_actuator", &Plant::get_joint_actuator, "actuator_index"_a,
           kInside)
      .def(
          "GetBodyByName",
          [](const Plant& p, const std::string& name,
             Instance i) -> const Body& {
            return i ? p.GetBodyByName(name, *i) : p.GetBodyByName(name);
          },
          "name"_a, "model_instance"_a.none() = nb::none(), kInside)
      .def(
          "HasBodyNamed",
          [](const Plant& p, const std::string& name) {
            return p.HasBodyNamed(name);
          },
          "name"_a)
      .def(
          "GetFrameByName",
          [](const Plant& p, const std::string& name,
             Instance i) -> const Frame<double>& {
            return i ? p.GetFrameByName(name, *i) : p.GetFrameByName(name);
          },
          "name"_a, "model_instance"_a.none() = nb::none(), kInside)
      .def(
          "GetJointByName",
          [](Plant& p, const std::string& name, Instance i) -> Joint<double>& {
            return const_cast<Joint<double>&>(p.GetJointByName(name, i));
          },
          "name"_a, "model_instance"_a.none() = nb::none(), kInside)
      .def(
          "HasJointNamed",
          [](const Plant& p, const std::string& name) {
            return p.HasJointNamed(name);
          },
          "name"_a)
      .def(
          "GetJointActuatorByName",
          [](const Plant& p, const std::string& name,
             Instance i) -> const JointActuator<double>& {
            return i ? p.GetJointActuatorByName(name, *i)
                     : p.GetJointActuatorByName(name);
          },
          "name"_a, "model_instance"_a.none() = nb::none(), kInside)
      .def(
          "GetModelInstanceByName",
          [](const Plant& p, const std::string& name) {
            return p.GetModelInstanceByName(name);
          },
          "name"_a)
      .def("GetModelInstanceName", &Plant::GetModelInstanceName,
           "model_instance"_a)
      .def("HasModelInstanceNamed", &Plant::HasModelInstanceNamed, "name"_a)
      .def("GetBodyIndices", &Plant::GetBodyIndices, "model_instance"_a)
      .def(
          "GetJointIndices",
          [](const Plant& p, Instance i) {
            return i ? p.GetJointIndices(*i) : p.GetJointIndices();
          },
          "model_instance"_a.none() = nb::none())
      .def(
          "GetJointActuatorIndices",
          [](const Plant& p, Instance i) {
            return i ? p.GetJointActuatorIndices(*i)
                     : p.GetJointActuatorIndices();
          },
          "model_instance"_a.none() = nb::none());
}

// Getters and setters of the whole or of a model instance.
template <typename Get, typename GetPart>
void DefGetter(Class* plant, const char* name, Get get, GetPart get_part) {
  plant->def(
      name, [get](const Plant& p, const Ctx& c) { return get(p, c); },
      "context"_a);
  plant->def(
      name,
      [get_part](const Plant& p, const Ctx& c, ModelInstanceIndex i) {
        return get_part(p, c, i);
      },
      "context"_a, "model_instance"_a);
}

template <typename Set, typename SetPart>
void DefSetter(Class* plant, const char* name, const char* argument, Set set,
               SetPart set_part) {
  plant->def(
      name, [set](const Plant& p, Ctx* c, const VectorXd& x) { set(p, c, x); },
      "context"_a, nb::arg(argument));
  plant->def(
      name,
      [set_part](const Plant& p, Ctx* c, ModelInstanceIndex i,
                 const VectorXd& x) { set_part(p, c, i, x); },
      "context"_a, "model_instance"_a, nb::arg(argument));
}

void BindState(Class* plant) {
  DefGetter(
      plant, "GetPositions",
      [](const Plant& p, const Ctx& c) { return p.GetPositions(c); },
      [](const Plant& p, const Ctx& c, ModelInstanceIndex i) {
        return p.GetPositions(c, i);
      });
  DefGetter(
      plant, "GetVelocities",
      [](const Plant& p, const Ctx& c) { return p.GetVelocities(c); },
      [](const Plant& p, const Ctx& c, ModelInstanceIndex i) {
        return p.GetVelocities(c, i);
      });
  DefGetter(
      plant, "GetPositionsAndVelocities",
      [](const Plant& p, const Ctx& c) {
        return p.GetPositionsAndVelocities(c);
      },
      [](const Plant& p, const Ctx& c, ModelInstanceIndex i) {
        return p.GetPositionsAndVelocities(c, i);
      });
  DefSetter(
      plant, "SetPositions", "q",
      [](const Plant& p, Ctx* c, const VectorXd& q) { p.SetPositions(c, q); },
      [](const Plant& p, Ctx* c, ModelInstanceIndex i, const VectorXd& q) {
        p.SetPositions(c, i, q);
      });
  DefSetter(
      plant, "SetVelocities", "v",
      [](const Plant& p, Ctx* c, const VectorXd& v) { p.SetVelocities(c, v); },
      [](const Plant& p, Ctx* c, ModelInstanceIndex i, const VectorXd& v) {
        p.SetVelocities(c, i, v);
      });
  DefSetter(
      plant, "SetPositionsAndVelocities", "q_v",
      [](const Plant& p, Ctx* c, const VectorXd& x) {
        p.SetPositionsAndVelocities(c, x);
      },
      [](const Plant& p, Ctx* c, ModelInstanceIndex i, const VectorXd& x) {
        p.SetPositionsAndVelocities(c, i, x);
      });
  plant
      ->def("GetDefaultPositions",
            [](const Plant& p) { return p.GetDefaultPositions(); })
      .def(
          "SetDefaultPositions",
          [](Plant& p, const VectorXd& q) { p.SetDefaultPositions(q); }, "q"_a)
      .def(
          "SetDefaultPositions",
          [](Plant& p, ModelInstanceIndex i, const VectorXd& q) {
            p.SetDefaultPositions(i, q);
          },
          "model_instance"_a, "q_instance"_a)
      .def("GetFreeBodyPose", &Plant::GetFreeBodyPose, "context"_a, "body"_a)
      .def(
          "SetFreeBodyPose",
          [](const Plant& p, Ctx* c, const Body& body, const Pose& X) {
            p.SetFreeBodyPose(c, body, X);
          },
          "context"_a, "body"_a, "X_PB"_a)
      .def(
          "SetFreeBodySpatialVelocity",
          [](const Plant& p, Ctx* c, const Body& body,
             const SpatialVelocity<double>& V) {
            p.SetFreeBodySpatialVelocity(c, body, V);
          },
          "context"_a, "body"_a, "V_PB"_a)
      .def("SetDefaultFreeBodyPose", &Plant::SetDefaultFreeBodyPose, "body"_a,
           "X_PB"_a);
}

void BindPlantPorts(Class* plant) {
  using In = systems::InputPort<double>;
  using Out = systems::OutputPort<double>;
  plant
      ->def(
          "get_actuation_input_port",
          [](const Plant& p, Instance i) -> const In& {
            return i ? p.get_actuation_input_port(*i)
                     : p.get_actuation_input_port();
          },
          "model_instance"_a.none() = nb::none(), kInside)
      .def("get_desired_state_input_port", &Plant::get_desired_state_input_port,
           "model_instance"_a, kInside)
      .def("get_applied_generalized_force_input_port",
           &Plant::get_applied_generalized_force_input_port, kInside)
      .def("get_applied_spatial_force_input_port",
           &Plant::get_applied_spatial_force_input_port, kInside)
      .def("get_geometry_query_input_port",
           &Plant::get_geometry_query_input_port, kInside)
      .def(
          "get_state_output_port",
          [](const Plant& p, Instance i) -> const Out& {
            return i ? p.get_state_output_port(*i) : p.get_state_output_port();
          },
          "model_instance"_a.none() = nb::none(), kInside)
      .def(
          "get_net_actuation_output_port",
          [](const Plant& p, Instance i) -> const Out& {
            return i ? p.get_net_actuation_output_port(*i)
                     : p.get_net_actuation_output_port();
          },
          "model_instance"_a.none() = nb::none(), kInside)
      .def(
          "get_generalized_acceleration_output_port",
          [](const Plant& p, Instance i) -> const Out& {
            return i ? p.get_generalized_acceleration_output_port(*i)
                     : p.get_generalized_acceleration_output_port();
          },
          "model_instance"_a.none() = nb::none(), kInside)
      .def("get_body_poses_output_port", &Plant::get_body_poses_output_port,
           kInside)
      .def("get_body_spatial_velocities_output_port",
           &Plant::get_body_spatial_velocities_output_port, kInside)
      .def("get_body_spatial_accelerations_output_port",
           &Plant::get_body_spatial_accelerations_output_port, kInside)
      .def("get_reaction_forces_output_port",
           &Plant::get_reaction_forces_output_port, kInside)
      .def("get_contact_results_output_port",
           &Plant::get_contact_results_output_port, kInside)
      .def("get_generalized_contact_forces_output_port",
           &Plant::get_generalized_contact_forces_output_port,
           "model_instance"_a, kInside)
      .def("get_geometry_pose_output_port",
           &Plant::get_geometry_pose_output_port, kInside);
}

void BindEnumerations(nb::module_ m) {
  nb::enum_<ContactModel>(m, "ContactModel")
      .value("kHydroelastic", ContactModel::kHydroelastic)
      .value("kPoint", ContactModel::kPoint)
      .value("kHydroelasticWithFallback",
             ContactModel::kHydroelasticWithFallback);
  nb::enum_<DiscreteContactApproximation>(m, "DiscreteContactApproximation")
      .value("kTamsi", DiscreteContactApproximation::kTamsi)
      .value("kSap", DiscreteContactApproximation::kSap)
      .value("kSimilar", DiscreteContactApproximation::kSimilar)
      .value("kLagged", DiscreteContactApproximation::kLagged);
  using Friction = CoulombFriction<double>;
  DocumentedClass<Friction>(m, "CoulombFriction")
      .def(nb::init<double, double>(), "static_friction"_a,
           "dynamic_friction"_a)
      .def("static_friction", &Friction::static_friction)
      .def("dynamic_friction", &Friction::dynamic_friction);
}

}  // namespace

void BindPlant(nb::module_ m) {
  BindEnumerations(m);
  Class plant(m, "MultibodyPlant",
              "Bodies, joints, motors and contact as a block of a diagram.");
  BindBuilding(&plant);
  BindContact(&plant);
  BindCounts(&plant);
  BindElements(&plant);
  BindState(&plant);
  BindPlantPorts(&plant);
  BindPlantDynamics(m);
  m.def(
      "AddMultibodyPlantSceneGraph",
      [](nb::handle_t<systems::DiagramBuilder<double>> builder,
         double time_step) {
        auto added = AddMultibodyPlantSceneGraph(
            nb::cast<systems::DiagramBuilder<double>*>(builder), time_step);
        nb::object the_plant = nb::cast(&added.plant, nb::rv_policy::reference);
        nb::object the_graph =
            nb::cast(&added.scene_graph, nb::rv_policy::reference);
        nb::keep_alive_obj(the_plant, builder);
        nb::keep_alive_obj(the_graph, builder);
        return nb::make_tuple(the_plant, the_graph);
      },
      nb::sig("def AddMultibodyPlantSceneGraph(builder: "
              "wyvern.systems.framework.DiagramBuilder, time_step: float) -> "
              "tuple[MultibodyPlant, wyvern.geometry.SceneGraph]"),
      "builder"_a, "time_step"_a,
      "Adds a plant and a SceneGraph to the builder and connects them.");
}

}  // namespace wyvern::python
