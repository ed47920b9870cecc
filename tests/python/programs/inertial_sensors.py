"""An accelerometer, a gyroscope and encoders on a seven-joint arm."""
import numpy as np
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.sensors import Accelerometer, Gyroscope, RotaryEncoders


def run(models):
    """Returns what the sensors show, with and without offsets."""
    builder = DiagramBuilder()
    plant = builder.AddSystem(MultibodyPlant(time_step=0.0))
    Parser(plant).AddModels(str(models / "arm.urdf"))
    plant.Finalize()
    body = plant.get_body(plant.GetBodyIndices(
        plant.GetModelInstanceByName("arm"))[-1])
    pose = RigidTransform(RollPitchYaw(0.1, -0.4, 0.7), [0.02, 0.0, 0.05])
    gravity = plant.gravity_field().gravity_vector()
    accelerometer = builder.AddSystem(
        Accelerometer(body=body, X_BS=pose, gravity_vector=gravity))
    gyroscope = builder.AddSystem(Gyroscope(body=body, X_BS=pose))
    n = plant.num_positions()
    encoders = builder.AddSystem(RotaryEncoders(
        input_port_size=plant.num_multibody_states(),
        input_vector_indices=list(range(n)),
        ticks_per_revolution=[1000] * n))
    builder.Connect(plant.get_state_output_port(), encoders.get_input_port())
    for sensor in (accelerometer, gyroscope):
        builder.Connect(plant.get_body_poses_output_port(),
                        sensor.get_body_poses_input_port())
        builder.Connect(plant.get_body_spatial_velocities_output_port(),
                        sensor.get_body_velocities_input_port())
    builder.Connect(plant.get_body_spatial_accelerations_output_port(),
                    accelerometer.get_body_accelerations_input_port())
    diagram = builder.Build()
    root = diagram.CreateDefaultContext()
    context = plant.GetMyMutableContextFromRoot(root)
    plant.get_actuation_input_port().FixValue(context, np.linspace(-5, 5, 7))
    plant.SetPositions(context, 0.3 * np.sin(1.0 + np.arange(n)))
    plant.SetVelocities(context, 0.5 * np.cos(2.0 + np.arange(n)))
    offsets = encoders.GetMyMutableContextFromRoot(root)
    figures = []
    for offset in (0.0, 0.1):
        encoders.set_calibration_offsets(
            context=offsets, calibration_offsets=np.full(n, offset))
        figures += [*encoders.get_output_port().Eval(offsets),
                    *encoders.get_calibration_offsets(context=offsets)]
    for sensor in (accelerometer, gyroscope):
        figures += [*sensor.get_measurement_output_port().Eval(
            sensor.GetMyContextFromRoot(root)), int(sensor.body_index())]
    return [float(x) for x in figures]
