"""A pendulum from a file swings in steps of 1/1024 s; its state is logged.

The periods are powers of 2, as pydrake takes 3 * 0.1 s and 300 * 0.001 s for
different times."""
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import LogVectorOutput


def run(models):
    """Returns the last state and a sum over all samples."""
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=2**-10)
    Parser(plant).AddModels(str(models / "pendulum.urdf"))
    plant.Finalize()
    log = LogVectorOutput(plant.get_state_output_port(), builder, 2**-4)
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(
        simulator.get_mutable_context())
    plant.get_actuation_input_port().FixValue(context, [0.0])
    plant.SetPositions(context, [0.8])
    simulator.AdvanceTo(2.0)
    data = log.FindLog(simulator.get_context()).data()
    return list(data[:, -1]) + [float(abs(data).sum())]
