"""Objects are deleted in every order, and whatever is left still works."""
import gc
import itertools
import sys
import weakref

import numpy as np
import pytest
from conftest import Models
from wyvern.multibody.parsing import Parser
from wyvern.multibody.plant import (
    AddMultibodyPlantSceneGraph, MultibodyPlant)
from wyvern.multibody.tree import RevoluteJoint, SpatialInertia
from wyvern.systems.analysis import Simulator
from wyvern.systems.framework import BasicVector, DiagramBuilder, LeafSystem
from wyvern.systems.primitives import Gain, Integrator, LogVectorOutput

NAMES = ("builder", "diagram", "simulator", "context", "plant", "port", "view")


def make():
    """Returns one object of each kind, which need each other."""
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, 0.001)
    Parser(plant).AddModels(Models() / "pendulum.urdf")
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_context())
    plant.get_actuation_input_port().FixValue(context, [0.0])
    view = context.get_mutable_discrete_state_vector().get_mutable_value()
    return dict(zip(NAMES, (builder, diagram, simulator, context, plant,
                            plant.get_state_output_port(), view)))


def use(alive):
    """Asks what is left something that it needs the others for."""
    if "diagram" in alive:
        alive["diagram"].CreateDefaultContext()
    if "simulator" in alive:
        alive["simulator"].AdvanceTo(
            alive["simulator"].get_context().get_time() + 0.002)
    if "context" in alive:
        assert alive["context"].get_time() >= 0
        assert alive["context"].num_total_states() > 0
    if "plant" in alive:
        assert alive["plant"].GetJointByName("pin").name() == "pin"
    if "port" in alive:
        assert alive["port"].get_system().num_positions() == 1
    if "plant" in alive and "context" in alive:
        assert alive["plant"].CalcMassMatrix(alive["context"])[0, 0] > 0
    if "view" in alive:
        assert alive["view"].size == 2


@pytest.mark.parametrize("start", range(7))
def test_objects_are_deleted_in_every_order(start):
    orders = list(itertools.permutations(NAMES))[start * 720:(start + 1) * 720]
    for order in orders[::120]:
        alive = make()
        for name in order:
            del alive[name]
            use(alive)
    gc.collect()


def test_elements_keep_their_plant():
    def joint():
        plant = MultibodyPlant(0.0)
        body = plant.AddRigidBody("b", SpatialInertia.PointMass(1.0, [0, 0, 1]))
        made = plant.AddJoint(RevoluteJoint(
            "pin", plant.world_frame(), body.body_frame(), [0, 1, 0]))
        plant.Finalize()
        return made

    pin = joint()
    gc.collect()
    assert pin.child_body().name() == "b"
    assert pin.GetParentPlant().num_positions() == 1


def test_a_joint_belongs_to_one_plant():
    plant = MultibodyPlant(0.0)
    body = plant.AddRigidBody("b", SpatialInertia.PointMass(1.0, [0, 0, 1]))
    joint = RevoluteJoint(
        "pin", plant.world_frame(), body.body_frame(), [0, 1, 0])
    assert plant.AddJoint(joint) is joint
    with pytest.raises((RuntimeError, TypeError)), pytest.warns(RuntimeWarning):
        plant.AddJoint(joint)
    with pytest.raises((RuntimeError, TypeError)):
        plant.AddJoint(None)
    assert plant.num_joints() == 1


def test_a_context_outlives_its_simulator():
    integrator = Integrator(1)
    context = integrator.CreateDefaultContext()
    integrator.get_input_port().FixValue(context, [2.0])
    simulator = Simulator(integrator, context)
    assert simulator.get_context() is context
    simulator.AdvanceTo(1.0)
    del simulator
    gc.collect()
    assert context.get_continuous_state_vector()[0] == pytest.approx(2.0)
    again = Simulator(integrator, context)
    again.AdvanceTo(2.0)
    assert context.get_time() == 2.0


def test_a_simulator_takes_only_the_root_context_of_its_system():
    with pytest.raises(RuntimeError, match="Context"):
        Simulator(Integrator(1), Integrator(1).CreateDefaultContext())
    builder = DiagramBuilder()
    integrator = builder.AddSystem(Integrator(1))
    diagram = builder.Build()
    root = diagram.CreateDefaultContext()
    part = integrator.GetMyContextFromRoot(root)
    with pytest.raises(RuntimeError, match="root"):
        Simulator(integrator, part)
    simulator = Simulator(diagram)
    with pytest.raises(RuntimeError):
        simulator.reset_context(part)
    simulator.reset_context(root)
    assert simulator.get_context() is root


class Block(LeafSystem):
    """A block with a method as its output."""

    def __init__(self):
        super().__init__()
        self.DeclareVectorOutputPort("y", 1, self.calc)

    def calc(self, context, output):
        """Shows the time."""
        output.SetFromVector([context.get_time()])


def test_a_block_of_python_is_freed():
    block = Block()
    gone = weakref.finalize(block, lambda: None)
    del block
    assert not gone.alive


def test_a_block_of_python_lives_in_its_diagram():
    builder = DiagramBuilder()
    builder.AddSystem(Block()).set_name("block")
    diagram = builder.Build()
    del builder
    gc.collect()
    block = diagram.GetSubsystemByName("block")
    assert type(block) is Block
    gone = weakref.finalize(block, lambda: None)
    del block, diagram
    gc.collect()
    assert not gone.alive


def test_a_simulator_in_its_own_monitor_is_freed():
    simulator = Simulator(Integrator(1))
    simulator.set_monitor(lambda context, itself=simulator: None)
    gone = weakref.finalize(simulator, lambda: None)
    del simulator
    gc.collect()
    assert not gone.alive


class Keeper(LeafSystem):
    """Keeps every argument of its callbacks."""

    def __init__(self):
        super().__init__()
        self.kept, self.views = [], []
        self.DeclareDiscreteState([0.0, 0.0])
        self.DeclareContinuousState(1)
        self.DeclareVectorOutputPort("y", 2, self.calc)
        self.DeclarePeriodicDiscreteUpdateEvent(0.1, 0.0, self.update)

    def DoCalcTimeDerivatives(self, context, derivatives):
        """Keeps the derivatives and a part of them."""
        derivatives.SetFromVector([1.0])
        self.kept += [derivatives, derivatives.get_mutable_vector()]

    def calc(self, context, output):
        """Keeps the output and a view of it."""
        output.SetFromVector([1.0, 2.0])
        self.kept += [context, output, output.get_mutable_value()]

    def update(self, context, discrete_state):
        """Keeps the discrete state and views of both."""
        x = context.get_discrete_state_vector()
        discrete_state.set_value(x.value() + 1)
        view = discrete_state.get_mutable_vector().get_mutable_value()
        self.views.append((view, view.copy()))
        self.kept += [context, x, discrete_state]


def test_arguments_that_callbacks_keep_stay_valid():
    keeper = Keeper()
    builder = DiagramBuilder()
    builder.AddSystem(keeper)
    LogVectorOutput(keeper.get_output_port(), builder, 0.1)
    simulator = Simulator(builder.Build())
    simulator.AdvanceTo(1.0)
    kept, keeper.kept = keeper.kept, []
    views = keeper.views
    del simulator, builder, keeper
    gc.collect()
    assert len(kept) > 20
    for i, (view, copy) in enumerate(views):
        assert view.tolist() == copy.tolist() == [i + 1.0, i + 1.0]
    for thing in kept:
        if isinstance(thing, np.ndarray):
            assert np.isfinite(thing).all()
        elif isinstance(thing, BasicVector):
            assert np.isfinite(thing.value()).all()
        elif hasattr(thing, "get_time"):
            assert thing.get_time() <= 1.0
        else:
            repr(thing)


def test_reference_counts_do_not_grow():
    gain = Gain(2.0, 1)
    context = gain.CreateDefaultContext()
    gain.get_input_port().FixValue(context, [1.0])
    port = gain.get_output_port()
    port.Eval(context)
    before = [sys.getrefcount(x) for x in (gain, context, port, None)]
    for _ in range(100):
        port.Eval(context)
        gain.get_output_port()
    after = [sys.getrefcount(x) for x in (gain, context, port, None)]
    assert np.abs(np.subtract(after, before)).max() < 10
