// Bodies, frames, joints, actuators and forces, of multibody/tree.
//
// An element belongs to its plant and keeps it alive. A joint that Python has
// made belongs to Python until MultibodyPlant.AddJoint().
#include <limits>
#include <memory>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/typing.h>

#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/fixed_offset_frame.h"
#include "wyvern/multibody/tree/jacobian_wrt_variable.h"
#include "wyvern/multibody/tree/planar_joint.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"
#include "wyvern/multibody/tree/weld_joint.h"

namespace wyvern::python {

using namespace multibody;  // NOLINT(build/namespaces)
using Pose = math::RigidTransform<double>;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

void BindBodiesAndFrames(nb::module_ m) {
  using E = MultibodyElement<double>;
  DocumentedClass<E>(m, "MultibodyElement", "A part of a plant.")
      .def("model_instance", &E::model_instance)
      .def(
          "GetParentPlant",
          [](const E& e) -> const MultibodyPlant<double>& {
            return e.GetParentPlant();
          },
          kInside);
  using F = Frame<double>;
  DocumentedClass<F, E> frame(m, "Frame",
                              "Axes and an origin fixed to a body.");
  using B = RigidBody<double>;
  DocumentedClass<B, E>(m, "RigidBody", "A rigid body.")
      .def("index", &B::index)
      .def("name", &B::name)
      .def("body_frame", &B::body_frame, kInside)
      .def("default_mass", &B::default_mass)
      .def("default_com", &B::default_com)
      .def("default_spatial_inertia", &B::default_spatial_inertia,
           nb::rv_policy::copy)
      .def("get_mass", &B::get_mass, "context"_a)
      .def("SetMass", &B::SetMass, "context"_a, "mass"_a)
      .def("EvalPoseInWorld", &B::EvalPoseInWorld, "context"_a,
           nb::rv_policy::copy)
      .def("EvalSpatialVelocityInWorld", &B::EvalSpatialVelocityInWorld,
           "context"_a, nb::rv_policy::copy)
      .def("is_floating", &B::is_floating)
      .def("floating_positions_start", &B::floating_positions_start)
      .def("floating_velocities_start_in_v", &B::floating_velocities_start_in_v)
      .def("Lock", &B::Lock, "context"_a)
      .def("Unlock", &B::Unlock, "context"_a)
      .def("is_locked", &B::is_locked, "context"_a);
  frame.def("index", &F::index)
      .def("name", &F::name)
      .def("body", &F::body, kInside)
      .def("is_world_frame", &F::is_world_frame)
      .def("is_body_frame", &F::is_body_frame)
      .def("CalcPoseInBodyFrame", &F::CalcPoseInBodyFrame, "context"_a)
      .def("GetFixedPoseInBodyFrame", &F::GetFixedPoseInBodyFrame)
      .def("CalcPoseInWorld", &F::CalcPoseInWorld, "context"_a)
      .def("CalcPose", &F::CalcPose, "context"_a, "frame_M"_a)
      .def("CalcSpatialVelocityInWorld", &F::CalcSpatialVelocityInWorld,
           "context"_a)
      .def("CalcSpatialVelocity", &F::CalcSpatialVelocity, "context"_a,
           "frame_M"_a, "frame_E"_a);
  DocumentedClass<RigidBodyFrame<double>, F>(m, "RigidBodyFrame");
  DocumentedClass<FixedOffsetFrame<double>, F>(m, "FixedOffsetFrame")
      .def(nb::new_([](const std::string& name, const F& P, const Pose& X_PF) {
             return std::make_unique<FixedOffsetFrame<double>>(name, P, X_PF);
           }),
           "name"_a, "P"_a, "X_PF"_a, nb::keep_alive<0, 2>());
}

void BindJoint(nb::module_ m) {
  using J = Joint<double>;
  DocumentedClass<J, MultibodyElement<double>>(
      m, "Joint", "How frame M on the child moves in F on the parent.")
      .def("index", &J::index)
      .def("name", &J::name)
      .def("type_name", &J::type_name)
      .def("parent_body", &J::parent_body, kInside)
      .def("child_body", &J::child_body, kInside)
      .def("frame_on_parent", &J::frame_on_parent, kInside)
      .def("frame_on_child", &J::frame_on_child, kInside)
      .def("num_positions", &J::num_positions)
      .def("num_velocities", &J::num_velocities)
      .def("position_start", &J::position_start)
      .def("velocity_start", &J::velocity_start)
      .def("GetOnePosition", &J::GetOnePosition, "context"_a)
      .def("GetOneVelocity", &J::GetOneVelocity, "context"_a)
      .def(
          "GetPositions",
          [](const J& j, const Ctx& c) -> VectorXd {
            return j.GetPositions(c);
          },
          "context"_a)
      .def(
          "GetVelocities",
          [](const J& j, const Ctx& c) -> VectorXd {
            return j.GetVelocities(c);
          },
          "context"_a)
      .def(
          "SetPositions",
          [](const J& j, Ctx* c, const VectorXd& q) { j.SetPositions(c, q); },
          "context"_a, "positions"_a)
      .def(
          "SetVelocities",
          [](const J& j, Ctx* c, const VectorXd& v) { j.SetVelocities(c, v); },
          "context"_a, "velocities"_a)
      .def("GetPose", &J::GetPose, "context"_a)
      .def("SetPose", &J::SetPose, "context"_a, "X_FM"_a)
      .def("Lock", &J::Lock, "context"_a)
      .def("Unlock", &J::Unlock, "context"_a)
      .def("is_locked", &J::is_locked, "context"_a)
      .def("default_positions", &J::default_positions)
      .def("set_default_positions", &J::set_default_positions,
           "default_positions"_a)
      .def("default_damping_vector", &J::default_damping_vector)
      .def("set_default_damping_vector", &J::set_default_damping_vector,
           "damping"_a)
      .def("SetDampingVector", &J::SetDampingVector, "context"_a, "damping"_a)
      .def("GetDampingVector", &J::GetDampingVector, "context"_a)
      .def("position_lower_limits", &J::position_lower_limits)
      .def("position_upper_limits", &J::position_upper_limits)
      .def("velocity_lower_limits", &J::velocity_lower_limits)
      .def("velocity_upper_limits", &J::velocity_upper_limits)
      .def("set_position_limits", &J::set_position_limits, "lower_limits"_a,
           "upper_limits"_a)
      .def("set_velocity_limits", &J::set_velocity_limits, "lower_limits"_a,
           "upper_limits"_a);
}

void BindRevolute(nb::module_ m) {
  using J = RevoluteJoint<double>;
  DocumentedClass<J, Joint<double>>(m, "RevoluteJoint", "One angle [rad].")
      .def(nb::new_([](const std::string& name, const Frame<double>& parent,
                       const Frame<double>& child, const Vector3d& axis,
                       double damping) {
             return std::make_unique<J>(name, parent, child, axis, damping);
           }),
           "name"_a, "frame_on_parent"_a, "frame_on_child"_a, "axis"_a,
           "damping"_a = 0.0, nb::keep_alive<0, 2>(), nb::keep_alive<0, 3>())
      .def("revolute_axis", &J::revolute_axis)
      .def("get_angle", &J::get_angle, "context"_a)
      .def(
          "set_angle",
          [](const J& j, Ctx* c, double angle) { j.set_angle(c, angle); },
          "context"_a, "angle"_a)
      .def("get_angular_rate", &J::get_angular_rate, "context"_a)
      .def(
          "set_angular_rate",
          [](const J& j, Ctx* c, double rate) { j.set_angular_rate(c, rate); },
          "context"_a, "angular_rate"_a)
      .def("get_default_angle", &J::get_default_angle)
      .def("set_default_angle", &J::set_default_angle, "angle"_a)
      .def("default_damping", [](const J& j) { return j.default_damping(); })
      .def("set_default_damping",
           [](J& j, double damping) { j.set_default_damping(damping); });
}

void BindPrismatic(nb::module_ m) {
  using J = PrismaticJoint<double>;
  DocumentedClass<J, Joint<double>>(m, "PrismaticJoint", "One translation [m].")
      .def(nb::new_([](const std::string& name, const Frame<double>& parent,
                       const Frame<double>& child, const Vector3d& axis,
                       double lower, double upper, double damping) {
             return std::make_unique<J>(name, parent, child, axis, lower, upper,
                                        damping);
           }),
           "name"_a, "frame_on_parent"_a, "frame_on_child"_a, "axis"_a,
           "pos_lower_limit"_a = -kInf, "pos_upper_limit"_a = kInf,
           "damping"_a = 0.0, nb::keep_alive<0, 2>(), nb::keep_alive<0, 3>())
      .def("translation_axis", &J::translation_axis)
      .def("get_translation", &J::get_translation, "context"_a)
      .def(
          "set_translation",
          [](const J& j, Ctx* c, double x) { j.set_translation(c, x); },
          "context"_a, "translation"_a)
      .def("get_translation_rate", &J::get_translation_rate, "context"_a)
      .def(
          "set_translation_rate",
          [](const J& j, Ctx* c, double rate) {
            j.set_translation_rate(c, rate);
          },
          "context"_a, "translation_rate"_a)
      .def("get_default_translation", &J::get_default_translation)
      .def("set_default_translation", &J::set_default_translation,
           "translation"_a);
}

void BindOtherJoints(nb::module_ m) {
  using F = Frame<double>;
  DocumentedClass<WeldJoint<double>, Joint<double>>(m, "WeldJoint")
      .def(nb::new_([](const std::string& name, const F& parent, const F& child,
                       const Pose& X_FM) {
             return std::make_unique<WeldJoint<double>>(name, parent, child,
                                                        X_FM);
           }),
           "name"_a, "frame_on_parent_F"_a, "frame_on_child_M"_a, "X_FM"_a,
           nb::keep_alive<0, 2>(), nb::keep_alive<0, 3>());
  DocumentedClass<QuaternionFloatingJoint<double>, Joint<double>>(
      m, "QuaternionFloatingJoint");
  DocumentedClass<RpyFloatingJoint<double>, Joint<double>>(m,
                                                           "RpyFloatingJoint");
  DocumentedClass<BallRpyJoint<double>, Joint<double>>(m, "BallRpyJoint");
  DocumentedClass<UniversalJoint<double>, Joint<double>>(m, "UniversalJoint");
  DocumentedClass<PlanarJoint<double>, Joint<double>>(m, "PlanarJoint");
}

void BindActuators(nb::module_ m) {
  using A = JointActuator<double>;
  DocumentedClass<PdControllerGains>(m, "PdControllerGains",
                                     "p [N/m], d [N s/m].")
      .def(
          "__init__",
          [](PdControllerGains* self, double p, double d) {
            new (self) PdControllerGains{p, d};
          },
          "p"_a = 0.0, "d"_a = 0.0)
      .def_rw("p", &PdControllerGains::p)
      .def_rw("d", &PdControllerGains::d);
  DocumentedClass<A, MultibodyElement<double>>(m, "JointActuator",
                                               "A motor of a joint.")
      .def("index", &A::index)
      .def("name", &A::name)
      .def("joint", &A::joint, kInside)
      .def("effort_limit", &A::effort_limit)
      .def("input_start", &A::input_start)
      .def("num_inputs", &A::num_inputs)
      .def("default_rotor_inertia", &A::default_rotor_inertia)
      .def("set_default_rotor_inertia", &A::set_default_rotor_inertia,
           "rotor_inertia"_a)
      .def("default_gear_ratio", &A::default_gear_ratio)
      .def("set_default_gear_ratio", &A::set_default_gear_ratio, "gear_ratio"_a)
      .def("has_controller", &A::has_controller)
      .def("set_controller_gains", &A::set_controller_gains, "gains"_a)
      .def("get_controller_gains", &A::get_controller_gains,
           nb::rv_policy::copy);
}

void BindForces(nb::module_ m) {
  using Forces = MultibodyForces<double>;
  DocumentedClass<Forces>(m, "MultibodyForces", "Forces on bodies and joints.")
      .def(
          "__init__",
          [](Forces* self, const MultibodyPlant<double>& plant) {
            new (self) Forces(plant);
          },
          "plant"_a)
      .def("SetZero", [](Forces& forces) { forces.SetZero(); })
      .def("num_bodies", &Forces::num_bodies)
      .def("num_velocities", &Forces::num_velocities)
      .def("generalized_forces", &Forces::generalized_forces)
      .def(
          "mutable_generalized_forces",
          [](nb::handle_t<Forces> self) {
            VectorXd& tau =
                nb::cast<Forces&>(self).mutable_generalized_forces();
            return MakeView(tau.data(), tau.size(), self);
          },
          nb::sig("def mutable_generalized_forces(self) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "Returns an array that shares memory with the forces.")
      .def(
          "AddInForces",
          [](Forces& forces, const Forces& addend) {
            forces.AddInForces(addend);
          },
          "addend"_a);
  using Gravity = UniformGravityFieldElement<double>;
  DocumentedClass<Gravity, MultibodyElement<double>>(
      m, "UniformGravityFieldElement")
      .def("gravity_vector", &Gravity::gravity_vector)
      .def("set_gravity_vector", &Gravity::set_gravity_vector, "g_W"_a)
      .def("GetGravityVector", &Gravity::GetGravityVector, "context"_a)
      .def("SetGravityVector", &Gravity::SetGravityVector, "context"_a,
           "g_W"_a);
  nb::enum_<JacobianWrtVariable>(m, "JacobianWrtVariable")
      .value("kQDot", JacobianWrtVariable::kQDot)
      .value("kV", JacobianWrtVariable::kV);
}

}  // namespace

void BindTree(nb::module_ m) {
  BindBodiesAndFrames(m);
  BindJoint(m);
  BindRevolute(m);
  BindPrismatic(m);
  BindOtherJoints(m);
  BindActuators(m);
  BindForces(m);
  // Types of stubs: a function returns the class that it was given.
  m.attr("JointT") = nb::type_var("JointT", "bound"_a = m.attr("Joint"));
  m.attr("FrameT") = nb::type_var("FrameT", "bound"_a = m.attr("Frame"));
  m.def("world_index", &world_index);
  m.def("world_model_instance", &world_model_instance);
  m.def("default_model_instance", &default_model_instance);
}

}  // namespace wyvern::python
