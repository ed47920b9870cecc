"""A plant in Python: contact, control, poses, and what its ports show."""
import numpy as np
import pytest
from wyvern.geometry import Box, HalfSpace, Sphere
from wyvern.math import RigidTransform, RollPitchYaw, RotationMatrix
from wyvern.multibody.math import SpatialForce, SpatialVelocity
from wyvern.multibody.parsing import Parser
from wyvern.multibody.plant import (
    AddMultibodyPlantSceneGraph, ContactModel, CoulombFriction,
    ExternallyAppliedSpatialForce, MultibodyPlant)
from wyvern.multibody.tree import (
    FixedOffsetFrame, MultibodyForces, PdControllerGains, SpatialInertia)
from wyvern.systems.analysis import Simulator
from wyvern.systems.controllers import PidController
from wyvern.systems.framework import Diagram, DiagramBuilder, LeafSystem
from wyvern.systems.primitives import ConstantVectorSource, TrajectorySource
from wyvern.trajectories import PiecewisePolynomial


def ball_on_floor():
    """Returns a ball of 2 kg above a floor, with its simulator."""
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, 0.001)
    ball = plant.AddRigidBody(
        "ball", SpatialInertia.SolidSphereWithMass(2.0, 0.1))
    friction = CoulombFriction(0.6, 0.5)
    plant.RegisterCollisionGeometry(
        ball, RigidTransform(), Sphere(0.1), "ball", friction)
    plant.RegisterCollisionGeometry(
        plant.world_body(), RigidTransform(), HalfSpace(), "floor", friction)
    plant.RegisterVisualGeometry(
        ball, RigidTransform(), Box(0.1, 0.1, 0.1), "box", [1, 0, 0, 1])
    plant.set_contact_model(ContactModel.kPoint)
    plant.Finalize()
    simulator = Simulator(builder.Build())
    context = plant.GetMyMutableContextFromRoot(simulator.get_context())
    plant.SetFreeBodyPose(context, ball, RigidTransform([0, 0, 0.12]))
    return plant, ball, simulator, context


def test_the_floor_carries_a_ball():
    plant, ball, simulator, context = ball_on_floor()
    simulator.AdvanceTo(1.0)
    results = plant.get_contact_results_output_port().Eval(context)
    assert results.num_point_pair_contacts() == 1
    info = results.point_pair_contact_info(0)
    assert {info.bodyA_index(), info.bodyB_index()} == {0, ball.index()}
    force = info.contact_force() * (
        1 if info.bodyB_index() == ball.index() else -1)
    np.testing.assert_allclose(force, [0, 0, 2.0 * 9.81], atol=1e-3)
    pose = plant.EvalBodyPoseInWorld(context, ball)
    assert pose.translation()[2] == pytest.approx(0.1, abs=2e-3)
    with pytest.raises(IndexError):
        results.point_pair_contact_info(1)


def test_a_pd_loop_reaches_its_reference(models):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, 0.001)
    Parser(plant).AddModels(models / "pendulum.urdf")
    plant.mutable_gravity_field().set_gravity_vector([0, 0, 0])
    plant.Finalize()
    pid = builder.AddNamedSystem("pid", PidController([30.0], [0.0], [6.0]))
    path = PiecewisePolynomial.FirstOrderHold([0, 1], [[0.0, 0.5]])
    reference = builder.AddSystem(TrajectorySource(path, 1))
    builder.connect(reference, pid.get_input_port_desired_state())
    builder.connect(plant.get_state_output_port(),
                    pid.get_input_port_estimated_state())
    builder.connect(pid.get_output_port_control(),
                    plant.get_actuation_input_port())
    simulator = Simulator(builder.Build())
    simulator.AdvanceTo(4.0)
    context = plant.GetMyContextFromRoot(simulator.get_context())
    np.testing.assert_allclose(plant.GetPositions(context), [0.5], atol=1e-6)


def test_a_pid_controller_is_a_leaf_system_with_an_integral():
    pid = PidController([2.0, 3.0], [0.5, 0.25], [0.0, 1.0])
    assert isinstance(pid, LeafSystem) and not isinstance(pid, Diagram)
    pid.MakeTunable()
    assert pid.is_tunable()
    context = pid.CreateDefaultContext()
    pid.get_input_port_estimated_state().FixValue(context, [1, 2, 3, 4])
    pid.get_input_port_desired_state().FixValue(context, [2, 4, 3, 6])
    context.get_mutable_continuous_state_vector().SetFromVector([8.0, 4.0])
    port = pid.get_output_port_control()
    assert port.Eval(context).tolist() == [2 + 4, 6 + 1 + 2]
    assert pid.EvalTimeDerivatives(context).CopyToVector().tolist() == [1, 2]
    pid.set_integral_value(context, [0.0, 0.0])
    context.get_mutable_numeric_parameter(0).SetFromVector([10.0, 0.0])
    assert port.Eval(context).tolist() == [10, 2]
    assert port.get_system() is pid
    with pytest.raises(RuntimeError):
        pid.get_Kp_singleton()


def test_derivatives_of_dynamics_are_those_of_differences(models):
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(models / "arm.urdf")
    plant.Finalize()
    context, n = plant.CreateDefaultContext(), plant.num_velocities()
    q, v = 0.3 * np.sin(1 + np.arange(n)), 0.5 * np.cos(2 + np.arange(n))
    vdot, none = np.linspace(-1, 1, n), MultibodyForces(plant)

    def tau(q, v, vdot):
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        forces = MultibodyForces(plant)
        plant.CalcForceElementsContribution(context, forces)
        return plant.CalcInverseDynamics(context, vdot, forces)

    def difference(i):
        columns, arguments = [], [q, v, vdot]
        for step in 1e-6 * np.eye(n):
            ends = [tau(*arguments[:i], arguments[i] + sign * step,
                        *arguments[i + 1:]) for sign in (1, -1)]
            columns.append((ends[0] - ends[1]) / 2e-6)
        return np.array(columns).T

    expected = [difference(i) for i in range(3)]
    at = tau(q, v, vdot)
    exact = plant.CalcInverseDynamicsDerivatives(context, vdot, none)
    for ours, differences in zip(exact, expected, strict=True):
        np.testing.assert_allclose(ours, differences, rtol=0, atol=1e-7)
    inverse = plant.CalcMassMatrixInverse(context)
    np.testing.assert_allclose(inverse @ exact[2], np.eye(n), atol=1e-10)
    # The implicit function theorem.
    forward = plant.CalcForwardDynamicsDerivatives(context, at, none)
    for ours, by in zip(forward, (-exact[0], -exact[1], np.eye(n))):
        np.testing.assert_allclose(ours, inverse @ by, rtol=1e-9, atol=1e-8)
    # Positions of joints are their own tangents.
    assert np.array_equal(
        plant.CalcDerivativeInPositions(context, exact[0]), exact[0])
    with pytest.raises(RuntimeError):
        plant.CalcInverseDynamicsDerivatives(context, vdot[1:], none)


def test_gains_of_an_actuator_hold_a_joint(models):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, 0.001)
    instances = Parser(plant).AddModels(models / "pendulum.urdf")
    plant.GetJointActuatorByName("motor").set_controller_gains(
        PdControllerGains(p=500.0, d=20.0))
    plant.Finalize()
    hold = builder.AddSystem(ConstantVectorSource([0.3, 0.0]))
    builder.connect(hold, plant.get_desired_state_input_port(instances[0]))
    simulator = Simulator(builder.Build())
    simulator.AdvanceTo(2.0)
    context = plant.GetMyContextFromRoot(simulator.get_context())
    angle = plant.GetPositions(context)[0]
    # The spring's torque is that of gravity.
    assert 500 * (0.3 - angle) == pytest.approx(
        1.2 * 9.81 * 0.5 * np.sin(angle), rel=1e-6)


def test_inverse_dynamics_are_those_of_the_equation(models):
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(models / "arm.urdf")
    plant.Finalize()
    context = plant.CreateDefaultContext()
    rng = np.random.default_rng(1)
    n = plant.num_velocities()
    plant.SetPositionsAndVelocities(context, rng.uniform(-1, 1, 2 * n))
    vdot = rng.uniform(-1, 1, n)
    forces = MultibodyForces(plant)
    tau = plant.CalcInverseDynamics(context, vdot, forces)
    np.testing.assert_allclose(
        tau, plant.CalcMassMatrix(context) @ vdot + plant.CalcBiasTerm(context),
        atol=1e-12)
    M = plant.CalcMassMatrix(context)
    assert M.flags.f_contiguous and M.flags.owndata and M.flags.writeable
    v = plant.GetVelocities(context)
    assert plant.EvalKineticEnergy(context) == pytest.approx(v @ M @ v / 2)


def test_an_applied_force_moves_a_body():
    plant, ball, simulator, context = ball_on_floor()
    force = ExternallyAppliedSpatialForce()
    force.body_index = ball.index()
    force.F_Bq_W = SpatialForce([0, 0, 0], [0, 0, 2 * 9.81 + 4.0])
    port = plant.get_applied_spatial_force_input_port()
    port.FixValue(context, [force])
    with pytest.raises((TypeError, RuntimeError)):
        port.FixValue(context, [3.0])
    simulator.AdvanceTo(0.5)
    velocity = plant.EvalBodySpatialVelocityInWorld(context, ball)
    assert isinstance(velocity, SpatialVelocity)
    assert velocity.translational()[2] == pytest.approx(1.0, rel=1e-6)
    poses = plant.get_body_poses_output_port().Eval(context)
    assert len(poses) == plant.num_bodies()


def test_frames_are_welded_and_looked_up(models):
    plant = MultibodyPlant(0.001)
    instances = Parser(plant).AddModels(models / "crate.urdf")
    frame = plant.AddFrame(FixedOffsetFrame(
        "shelf", plant.world_frame(), RigidTransform([0, 0, 1])))
    body = plant.get_body(plant.GetBodyIndices(instances[0])[0])
    plant.WeldFrames(plant.GetFrameByName("shelf"), body.body_frame())
    plant.Finalize()
    context = plant.CreateDefaultContext()
    assert frame.CalcPoseInWorld(context).translation()[2] == 1
    assert plant.EvalBodyPoseInWorld(context, body).translation()[2] == 1
    with pytest.raises(RuntimeError, match="nobody"):
        plant.GetBodyByName("nobody")
    with pytest.raises(IndexError):
        plant.get_body(99)


def test_rotations_and_poses_compose():
    rpy = RollPitchYaw(0.1, -0.2, 0.3)
    R = RotationMatrix(rpy)
    np.testing.assert_allclose(
        R.matrix() @ R.inverse().matrix(), np.eye(3), atol=1e-15)
    np.testing.assert_allclose(
        RollPitchYaw(R).vector(), rpy.vector(), atol=1e-15)
    np.testing.assert_allclose(
        RotationMatrix(R.ToQuaternion()).matrix(), R.matrix(), atol=1e-15)
    X = RigidTransform(R, [1, 2, 3])
    points = np.arange(6.0).reshape(3, 2)
    moved = X @ points
    np.testing.assert_allclose(
        moved, R.matrix() @ points + [[1], [2], [3]], atol=1e-15)
    np.testing.assert_allclose(
        (X @ X.inverse()).GetAsMatrix4(), np.eye(4), atol=1e-15)
    assert "RigidTransform" in repr(X)


def test_a_parser_wants_one_source(models):
    plant = MultibodyPlant(0.0)
    parser = Parser(plant)
    with pytest.raises(TypeError, match="either"):
        parser.AddModels()
    with pytest.raises(TypeError, match="either"):
        parser.AddModels(file_contents="<robot/>")
    with pytest.raises(RuntimeError, match="no_such"):
        parser.AddModels("no_such.urdf")
    text = (models / "pendulum.urdf").read_text()
    parser.AddModels(file_contents=text, file_type="urdf")
    assert plant.HasJointNamed("pin")
