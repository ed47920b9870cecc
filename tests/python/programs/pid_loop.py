"""A PID controller around a pendulum; its integral is part of the state."""
import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.analysis import Simulator
from pydrake.systems.controllers import PidController
from pydrake.systems.framework import DiagramBuilder, LeafSystem
from pydrake.systems.primitives import ConstantVectorSource


def run(models):
    """Returns angle, rate, integral and torque at several times."""
    builder = DiagramBuilder()
    plant = builder.AddSystem(MultibodyPlant(time_step=0.0))
    Parser(plant).AddModels(str(models / "pendulum.urdf"))
    plant.Finalize()
    pid = builder.AddSystem(PidController(kp=[30.0], ki=[10.0], kd=[6.0]))
    desired = builder.AddSystem(ConstantVectorSource([0.5, 0.0]))
    builder.Connect(plant.get_state_output_port(),
                    pid.get_input_port_estimated_state())
    builder.Connect(desired.get_output_port(),
                    pid.get_input_port_desired_state())
    builder.Connect(pid.get_output_port_control(),
                    plant.get_actuation_input_port())
    controllers = [system for system in builder.GetSystems()
                   if isinstance(system, LeafSystem)
                   and isinstance(system, PidController)]
    assert controllers == [pid]
    simulator = Simulator(builder.Build())
    root = simulator.get_mutable_context()
    context = pid.GetMyMutableContextFromRoot(root)
    context.get_mutable_continuous_state_vector().SetFromVector([0.2])
    integrator = simulator.get_mutable_integrator()
    integrator.set_fixed_step_mode(True)
    integrator.set_maximum_step_size(0.001)
    figures = [*pid.get_Kp_vector(), *pid.get_Ki_vector(),
               *pid.get_Kd_vector(), pid.num_continuous_states()]
    for time in (0.0, 0.3, 1.0):
        simulator.AdvanceTo(time)
        mine = plant.GetMyContextFromRoot(root)
        figures += [
            *plant.GetPositionsAndVelocities(mine),
            *context.get_continuous_state_vector().CopyToVector(),
            *pid.get_output_port_control().Eval(context)]
    return [float(x) for x in np.ravel(figures)]
