"""A continuous oscillator and a sampled controller, both classes in Python."""
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import BasicVector, DiagramBuilder, LeafSystem
from pydrake.systems.primitives import VectorLogSink


class Oscillator(LeafSystem):
    """x'' = u - x."""

    def __init__(self):
        LeafSystem.__init__(self)
        self.force = self.DeclareVectorInputPort("force", 1)
        self.DeclareContinuousState(BasicVector([1.0, 0.0]), 1, 1, 0)
        self.DeclareVectorOutputPort(
            "x", 2, self.calc,
            prerequisites_of_calc={self.xc_ticket()})

    def DoCalcTimeDerivatives(self, context, derivatives):
        """The equation of motion."""
        x, v = context.get_continuous_state_vector().CopyToVector()
        force = self.force.Eval(context)[0]
        derivatives.get_mutable_vector().SetFromVector([v, force - x])

    def calc(self, context, output):
        """Shows the state."""
        output.SetFromVector(
            context.get_continuous_state_vector().CopyToVector())


class Damper(LeafSystem):
    """u = -0.4 v, held for 0.05 s."""

    def __init__(self):
        LeafSystem.__init__(self)
        self.state_port = self.DeclareVectorInputPort("x", 2)
        self.DeclareDiscreteState(1)
        self.DeclareVectorOutputPort(
            "u", 1, self.calc, prerequisites_of_calc={self.xd_ticket()})
        self.DeclarePeriodicDiscreteUpdateEvent(
            period_sec=0.05, offset_sec=0.0, update=self.update)

    def update(self, context, discrete_state):
        """Samples the velocity."""
        v = self.state_port.Eval(context)[1]
        discrete_state.get_mutable_vector().SetFromVector([-0.4 * v])

    def calc(self, context, output):
        """Shows what is held."""
        output.get_mutable_value()[:] = \
            context.get_discrete_state_vector().CopyToVector()


def run(models):
    """Returns the samples of each 0.5 s."""
    builder = DiagramBuilder()
    oscillator = builder.AddSystem(Oscillator())
    damper = builder.AddSystem(Damper())
    builder.Connect(oscillator.get_output_port(), damper.get_input_port())
    builder.Connect(damper.get_output_port(), oscillator.get_input_port())
    sink = builder.AddSystem(VectorLogSink(2, 0.5))
    builder.Connect(oscillator.get_output_port(), sink.get_input_port())
    simulator = Simulator(builder.Build())
    integrator = simulator.get_mutable_integrator()
    integrator.set_maximum_step_size(0.01)
    integrator.set_fixed_step_mode(True)
    simulator.AdvanceTo(5.0)
    return [float(x) for x in
            sink.FindLog(simulator.get_context()).data().ravel()]
