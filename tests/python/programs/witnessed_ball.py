"""A ball that bounces: a witness function finds the impacts."""
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import (
    LeafSystem, PublishEvent, UnrestrictedUpdateEvent, WitnessFunctionDirection)


class Ball(LeafSystem):
    """State: height and velocity."""

    def __init__(self):
        LeafSystem.__init__(self)
        self.tops = []
        self.DeclareContinuousState(2)
        self.ground = self.MakeWitnessFunction(
            "ground", WitnessFunctionDirection.kPositiveThenNonPositive,
            self.height, UnrestrictedUpdateEvent(callback=self.bounce))
        self.top = self.MakeWitnessFunction(
            description="top",
            direction_type=WitnessFunctionDirection.kPositiveThenNonPositive,
            calc=self.velocity, e=PublishEvent(callback=self.note))

    def DoCalcTimeDerivatives(self, context, derivatives):
        """Gravity alone."""
        x = context.get_continuous_state_vector().CopyToVector()
        derivatives.get_mutable_vector().SetFromVector([x[1], -10.0])

    def DoGetWitnessFunctions(self, context):
        """Both."""
        return [self.ground, self.top]

    def height(self, context):
        """Is zero at an impact."""
        return context.get_continuous_state_vector().GetAtIndex(0)

    def velocity(self, context):
        """Is zero at the top."""
        return context.get_continuous_state_vector().GetAtIndex(1)

    def bounce(self, context, event, state):
        """Half of the energy is lost."""
        x = state.get_mutable_continuous_state().get_mutable_vector()
        x.SetFromVector([0.0, -0.5**0.5 * x.GetAtIndex(1)])

    def note(self, context, event):
        """Notes the height of the top."""
        self.tops.append(
            context.get_continuous_state_vector().GetAtIndex(0))


def run(models):
    """Returns the heights of three tops: 4, 2 and 1 m, by the accuracy."""
    ball = Ball()
    simulator = Simulator(ball)
    simulator.get_mutable_context().SetContinuousState([0.0, 80.0**0.5])
    simulator.get_mutable_integrator().set_target_accuracy(1e-10)
    simulator.get_mutable_integrator().set_maximum_step_size(0.05)
    simulator.get_mutable_context().SetAccuracy(1e-12)
    simulator.AdvanceTo(4.2)
    return [round(top, 7) for top in ball.tops]
