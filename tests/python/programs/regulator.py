"""A linear quadratic regulator that a class in Python applies to a pendulum."""
import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.analysis import Simulator
from pydrake.systems.controllers import LinearQuadraticRegulator
from pydrake.systems.framework import DiagramBuilder, LeafSystem


class Feedback(LeafSystem):
    """u = -K x."""

    def __init__(self, K):
        LeafSystem.__init__(self)
        self.K = K
        self.state = self.DeclareVectorInputPort(name="x", size=K.shape[1])
        self.DeclareVectorOutputPort(name="u", size=K.shape[0], calc=self.calc)

    def calc(self, context, output):
        """Computes the force."""
        output.SetFromVector(-self.K @ self.state.Eval(context))


def run(models):
    """Returns K, S and the state at several times."""
    # A bob of 1.2 kg at 0.5 m, near its lower position.
    A = np.array([[0.0, 1.0], [-9.81 / 0.5, 0.0]])
    B = np.array([[0.0], [1 / (1.2 * 0.5**2)]])
    K, S = LinearQuadraticRegulator(
        A=A, B=B, Q=np.diag([10.0, 1.0]), R=np.eye(1))
    builder = DiagramBuilder()
    plant = builder.AddSystem(MultibodyPlant(time_step=0.0))
    Parser(plant).AddModels(str(models / "pendulum.urdf"))
    plant.Finalize()
    feedback = builder.AddSystem(Feedback(K))
    builder.Connect(plant.get_state_output_port(), feedback.get_input_port())
    builder.Connect(feedback.get_output_port(),
                    plant.get_actuation_input_port())
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_context())
    plant.SetPositions(context, [0.4])
    integrator = simulator.get_mutable_integrator()
    integrator.set_fixed_step_mode(True)
    integrator.set_maximum_step_size(0.001)
    figures = [*np.ravel(K), *np.ravel(S)]
    for time in (0.1, 0.5, 1.0):
        simulator.AdvanceTo(time)
        figures += list(plant.GetPositionsAndVelocities(context))
    return [float(x) for x in figures]
