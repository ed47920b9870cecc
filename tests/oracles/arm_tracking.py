"""Prints the figures of tests/examples/arm_experiment_test.cc: the experiment of
examples/03_arm_tracking.cc, simulated with pydrake 1.51.

Usage: arm_tracking.py [URDF WAYPOINTS_CSV]"""
import sys
from pathlib import Path

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import MultibodyForces, PdControllerGains
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder, LeafSystem
from pydrake.systems.primitives import LogVectorOutput, TrajectorySource
from pydrake.trajectories import PiecewisePolynomial

MODELS = Path(__file__).parents[2] / "examples/models"
BANDWIDTH = 60.0  # rad/s


def load(urdf, time_step):
    plant = MultibodyPlant(time_step)
    robot = Parser(plant).AddModels(str(urdf))[0]
    return plant, robot


def actuators(plant):
    return [plant.get_joint_actuator(i) for i in plant.GetJointActuatorIndices()]


class FeedForward(LeafSystem):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.model_context = model.CreateDefaultContext()
        self.DeclareVectorInputPort("state", model.num_multibody_states())
        self.DeclareVectorInputPort("desired", 3 * model.num_actuators())
        self.DeclareVectorOutputPort("u", model.num_actuators(), self.calc)

    def calc(self, context, output):
        n = self.model.num_actuators()
        desired = self.get_input_port(1).Eval(context)
        q = self.get_input_port(0).Eval(context)[:n]
        self.model.SetPositions(self.model_context, q)
        self.model.SetVelocities(self.model_context, desired[n:2 * n])
        forces = MultibodyForces(self.model)
        self.model.CalcForceElementsContribution(self.model_context, forces)
        output.SetFromVector(self.model.CalcInverseDynamics(
            self.model_context, desired[2 * n:], forces))


urdf, csv = sys.argv[1:] or (MODELS / "arm.urdf", MODELS / "arm_waypoints.csv")
table = [line for line in open(csv) if not line.startswith("#")]
data = np.array([[float(x) for x in line.split(",")] for line in table[1:]])
rest = np.zeros(data.shape[1] - 1)
path = PiecewisePolynomial.CubicWithContinuousSecondDerivatives(
    data[:, 0], data[:, 1:].T, rest, rest)

model, _ = load(urdf, 0.0)
model.Finalize()
model_context = model.CreateDefaultContext()
model.SetPositions(model_context, data[0, 1:])
inertia = np.diag(model.CalcMassMatrix(model_context))

plant, robot = load(urdf, 1e-3)
for actuator, m in zip(actuators(plant), inertia):
    actuator.set_controller_gains(
        PdControllerGains(p=BANDWIDTH**2 * m, d=2 * BANDWIDTH * m))
plant.Finalize()

builder = DiagramBuilder()
builder.AddSystem(plant)
source = builder.AddSystem(TrajectorySource(path, 1))
motion = builder.AddSystem(TrajectorySource(path, 2))
feed_forward = builder.AddSystem(FeedForward(model))
builder.Connect(source.get_output_port(),
                plant.get_desired_state_input_port(robot))
builder.Connect(motion.get_output_port(), feed_forward.get_input_port(1))
builder.Connect(plant.get_state_output_port(), feed_forward.get_input_port(0))
builder.Connect(
    feed_forward.get_output_port(), plant.get_actuation_input_port())
state_log = LogVectorOutput(plant.get_state_output_port(), builder, 0.01)
torque_log = LogVectorOutput(
    plant.get_net_actuation_output_port(), builder, 0.01)
diagram = builder.Build()
simulator = Simulator(diagram)
context = simulator.get_mutable_context()
plant.SetPositions(plant.GetMyMutableContextFromRoot(context), data[0, 1:])
simulator.AdvanceTo(path.end_time())

log = state_log.FindLog(context)
n = plant.num_positions()
desired = path.vector_values(log.sample_times())
error = np.abs(log.data()[:n] - desired).max(axis=1)
peak = np.abs(torque_log.FindLog(context).data()).max(axis=1)
print("largest error [mrad]", [round(1e3 * float(e), 6) for e in error])
print("peak torque [N m]", [round(float(p), 6) for p in peak])
