"""Sensors: closed forms of a pendulum, and errors of measurement."""
import gc
import math

import numpy as np
import pytest
from wyvern.math import RigidTransform
from wyvern.multibody.plant import (
    AddMultibodyPlantSceneGraph, CoulombFriction)
from wyvern.multibody.tree import RevoluteJoint, SpatialInertia
from wyvern.geometry import HalfSpace, Sphere
from wyvern.systems.analysis import Simulator
from wyvern.systems.framework import DiagramBuilder
from wyvern.systems.primitives import (
    ConstantVectorSource, LogVectorOutput, Sine)
from wyvern.systems.sensors import (
    Accelerometer, AddMeasuredSignal, ContactSensor, ForceTorqueSensor,
    Gyroscope, MeasuredSignal, MeasurementErrors, RotaryEncoders)

MASS, LENGTH, GRAVITY = 2.0, 0.7, 9.81
BOB = RigidTransform([0.0, 0.0, -LENGTH])


class Pendulum:
    """A point mass on a rod that turns about y; its sensors are at the mass."""

    def __init__(self, by_hand):
        builder = DiagramBuilder()
        plant, _ = AddMultibodyPlantSceneGraph(builder, 0.0)
        rod = plant.AddRigidBody("rod", SpatialInertia.PointMass(
            MASS, [0.0, 0.0, -LENGTH]))
        pin = plant.AddJoint(RevoluteJoint(
            "pin", plant.world_frame(), rod.body_frame(), [0.0, 1.0, 0.0]))
        plant.Finalize()
        if by_hand:
            self.accelerometer = builder.AddSystem(
                Accelerometer(rod, BOB, [0.0, 0.0, -GRAVITY]))
            self.gyroscope = builder.AddSystem(Gyroscope(rod, BOB))
            self.force = builder.AddSystem(ForceTorqueSensor(pin, X_JcS=BOB))
            for output, inputs in (
                    ("body_poses", (self.accelerometer, self.gyroscope)),
                    ("body_spatial_velocities",
                     (self.accelerometer, self.gyroscope)),
                    ("body_spatial_accelerations", (self.accelerometer,)),
                    ("reaction_forces", (self.force,))):
                for sensor in inputs:
                    builder.Connect(plant.GetOutputPort(output),
                                    sensor.GetInputPort(output))
        else:
            self.accelerometer = Accelerometer.AddToDiagram(
                body=rod, X_BS=BOB, gravity_vector=[0.0, 0.0, -GRAVITY],
                plant=plant, builder=builder)
            self.gyroscope = Gyroscope.AddToDiagram(
                body=rod, X_BS=BOB, plant=plant, builder=builder)
            self.force = ForceTorqueSensor.AddToDiagram(
                joint=pin, X_JcS=BOB, plant=plant, builder=builder)
        self.plant, self.rod = plant, rod
        self.diagram = builder.Build()
        self.context = self.diagram.CreateDefaultContext()

    def measure(self, sensor):
        """Returns what a sensor shows."""
        return sensor.get_measurement_output_port().Eval(
            sensor.GetMyContextFromRoot(self.context))


@pytest.mark.parametrize("by_hand", [True, False])
@pytest.mark.parametrize("q, w", [(0.0, 0.0), (0.4, 1.7), (-2.1, -0.8)])
def test_sensors_of_a_pendulum_show_closed_forms(by_hand, q, w):
    pendulum = Pendulum(by_hand)
    mine = pendulum.plant.GetMyMutableContextFromRoot(pendulum.context)
    pendulum.plant.SetPositionsAndVelocities(mine, [q, w])
    # In free motion, the rod alone pulls at the mass.
    pull = w * w * LENGTH + GRAVITY * math.cos(q)
    np.testing.assert_allclose(
        pendulum.measure(pendulum.accelerometer), [0, 0, pull], atol=1e-12)
    np.testing.assert_allclose(
        pendulum.measure(pendulum.gyroscope), [0, w, 0], atol=1e-12)
    np.testing.assert_allclose(
        pendulum.measure(pendulum.force), [0, 0, 0, 0, 0, MASS * pull],
        atol=1e-11)
    assert pendulum.gyroscope.body_index() == pendulum.rod.index()
    assert pendulum.gyroscope.pose().IsExactlyEqualTo(BOB)
    assert pendulum.accelerometer.gravity_vector().tolist() == [0, 0, -GRAVITY]


def test_an_accelerometer_without_gravity_shows_the_acceleration():
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, 0.0)
    body = plant.AddRigidBody("body", SpatialInertia.SolidSphereWithMass(
        2.0, 0.1))
    plant.Finalize()
    sensor = Accelerometer.AddToDiagram(
        body, RigidTransform(), [0.0, 0.0, 0.0], plant, builder)
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    mine = sensor.GetMyMutableContextFromRoot(context)
    port = sensor.get_measurement_output_port()
    np.testing.assert_allclose(port.Eval(mine), [0, 0, -GRAVITY], atol=1e-12)
    sensor.SetGravityVector(mine, [0.0, 0.0, -GRAVITY])
    np.testing.assert_allclose(port.Eval(mine), [0, 0, 0], atol=1e-12)
    assert Accelerometer(body, RigidTransform()).gravity_vector().tolist() == [
        0, 0, 0]


def test_a_contact_sensor_shows_the_weight():
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, 0.001)
    ball = plant.AddRigidBody("ball", SpatialInertia.SolidSphereWithMass(
        2.0, 0.1))
    friction = CoulombFriction(0.5, 0.5)
    plant.RegisterCollisionGeometry(
        ball, RigidTransform(), Sphere(0.1), "ball", friction)
    plant.RegisterCollisionGeometry(
        plant.world_body(), RigidTransform(), HalfSpace(), "floor", friction)
    plant.Finalize()
    sensor = ContactSensor.AddToDiagram(ball, plant, builder, threshold=5.0)
    light = ContactSensor.AddToDiagram(ball, plant, builder, threshold=50.0)
    diagram = builder.Build()
    simulator = Simulator(diagram)
    mine = plant.GetMyMutableContextFromRoot(simulator.get_context())
    plant.SetFreeBodyPose(mine, ball, RigidTransform([0.0, 0.0, 0.1]))
    simulator.AdvanceTo(0.5)
    root = simulator.get_context()
    wrench = sensor.get_wrench_output_port().Eval(
        sensor.GetMyContextFromRoot(root))
    np.testing.assert_allclose(
        wrench, [0, 0, 0, 0, 0, 2 * GRAVITY], atol=1e-3)
    for one, expected in ((sensor, 1.0), (light, 0.0)):
        assert one.get_in_contact_output_port().Eval(
            one.GetMyContextFromRoot(root)) == [expected]


def test_encoders_count_ticks():
    encoders = RotaryEncoders(3, [2, 0], [360, 4])
    context = encoders.CreateDefaultContext()
    encoders.get_input_port().FixValue(context, [2.0, 9.0, 0.5])
    tick = 2 * math.pi / 360
    expected = [math.floor(0.5 / tick) * tick, math.pi / 2]
    port = encoders.get_output_port()
    np.testing.assert_allclose(port.Eval(context), expected, atol=1e-15)
    encoders.set_calibration_offsets(context, [0.0, 1.0])
    assert encoders.get_calibration_offsets(context).tolist() == [0.0, 1.0]
    np.testing.assert_allclose(
        port.Eval(context), [expected[0], 0.0], atol=1e-15)
    assert RotaryEncoders([360]).get_output_port().size() == 1
    exact = RotaryEncoders(2, [1])
    context = exact.CreateDefaultContext()
    exact.get_input_port().FixValue(context, [1.0, 0.1234])
    assert exact.get_output_port().Eval(context) == [0.1234]


def test_a_measurement_has_its_errors():
    builder = DiagramBuilder()
    source = builder.AddSystem(ConstantVectorSource([1.0, 2.0]))
    exact = AddMeasuredSignal(
        source.get_output_port(),
        MeasurementErrors(bias=[0.25, 0.0], quantum=[0.5]), builder)
    noisy = AddMeasuredSignal(
        source.get_output_port(),
        MeasurementErrors(period=0.01, noise=[0.3], seed=7), builder)
    log = LogVectorOutput(noisy.get_output_port(), builder, 0.01)
    simulator = Simulator(builder.Build())
    mine = exact.GetMyMutableContextFromRoot(simulator.get_context())
    assert exact.get_output_port().Eval(mine).tolist() == [1.5, 2.0]
    exact.set_bias(mine, [0.0, 0.3])
    assert exact.get_bias(mine).tolist() == [0.0, 0.3]
    assert exact.get_output_port().Eval(mine).tolist() == [1.0, 2.5]
    simulator.AdvanceTo(20.0)
    noise = log.FindLog(simulator.get_context()).data()[:, 1:].T - [1.0, 2.0]
    # Four standard deviations of the estimates of 2000 samples.
    np.testing.assert_allclose(noise.mean(axis=0), 0, atol=4 * 0.3 / 44)
    np.testing.assert_allclose(noise.std(axis=0), 0.3, atol=4 * 0.3 / 62)
    errors = noisy.errors()
    assert (errors.period, errors.delay, errors.seed) == (0.01, 0.0, 7)
    assert errors.noise.tolist() == [0.3, 0.3]
    assert noisy.get_seed(
        noisy.GetMyContextFromRoot(simulator.get_context())) == 7


def test_a_delayed_signal_is_that_of_before():
    builder = DiagramBuilder()
    sine = builder.AddSystem(Sine(1.0, 3.0, 0.0))
    late = AddMeasuredSignal(
        sine.get_output_port(0), MeasurementErrors(period=0.1, delay=0.2),
        builder)
    simulator = Simulator(builder.Build())
    simulator.AdvanceTo(1.05)
    value = late.get_output_port().Eval(
        late.GetMyContextFromRoot(simulator.get_context()))
    np.testing.assert_allclose(value, [math.sin(3 * 0.8)], atol=1e-12)


def test_mistakes_are_told():
    with pytest.raises(RuntimeError, match="period"):
        MeasuredSignal(1, MeasurementErrors(noise=[0.1]))
    with pytest.raises(RuntimeError):
        MeasuredSignal(0, MeasurementErrors())
    with pytest.raises(TypeError):
        MeasurementErrors(0.1)
    with pytest.raises(TypeError):
        MeasurementErrors(noise="loud")
    with pytest.raises(RuntimeError):
        RotaryEncoders([0])
    with pytest.raises(IndexError):
        RotaryEncoders(2, [2])
    with pytest.raises(TypeError):
        Gyroscope(None, BOB)


def test_a_sensor_keeps_its_builder():
    pendulum = Pendulum(False)
    sensor, context = pendulum.gyroscope, pendulum.context
    del pendulum
    gc.collect()
    assert sensor.get_measurement_output_port().Eval(
        sensor.GetMyContextFromRoot(context)).tolist() == [0, 0, 0]
