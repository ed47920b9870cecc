"""Contexts and scenarios are pickled and copied."""
import copy
import pickle

import numpy as np
import pytest
import wyvern
from conftest import Models
from wyvern.multibody.parsing import Parser
from wyvern.multibody.plant import AddMultibodyPlantSceneGraph
from wyvern.systems.analysis import Simulator
from wyvern.systems.framework import (
    DiagramBuilder, LeafSystem, SavedContext)
from wyvern.systems.primitives import Integrator


def pendulum():
    """Returns a diagram with a pendulum, and its plant."""
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, 0.001)
    Parser(plant).AddModels(Models() / "pendulum.urdf")
    plant.Finalize()
    return builder.Build(), plant


def test_a_pickled_context_goes_on_bit_for_bit():
    diagram, plant = pendulum()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_context())
    plant.get_actuation_input_port().FixValue(context, [0.2])
    plant.SetPositions(context, [0.5])
    simulator.AdvanceTo(0.2)
    data = pickle.dumps(simulator.get_context())
    simulator.AdvanceTo(0.4)
    wanted = plant.GetPositionsAndVelocities(context)
    saved = pickle.loads(data)
    assert isinstance(saved, SavedContext)
    # In a diagram of its own, built the same way.
    other, other_plant = pendulum()
    root = saved.restore(other)
    assert root.get_time() == pytest.approx(0.2)
    Simulator(other, root).AdvanceTo(0.4)
    assert np.array_equal(other_plant.GetPositionsAndVelocities(
        other_plant.GetMyContextFromRoot(root)), wanted)
    # And once more by way of a second pickle.
    again = pickle.loads(pickle.dumps(saved))
    assert again.data() == saved.data()


def test_a_saved_context_fits_its_system_alone():
    saved = pickle.loads(pickle.dumps(Integrator(2).CreateDefaultContext()))
    with pytest.raises(RuntimeError):
        saved.restore(Integrator(3))
    with pytest.raises(RuntimeError):
        SavedContext(b"nothing of the kind").restore(Integrator(2))
    with pytest.raises(RuntimeError):
        SavedContext(saved.data()[:-5]).restore(Integrator(2))
    for wrong in (None, 3, "text"):
        with pytest.raises((TypeError, AttributeError)):
            SavedContext(wrong)
        with pytest.raises((TypeError, AttributeError)):
            saved.load_into(wrong)
        with pytest.raises((TypeError, AttributeError)):
            saved.restore(wrong)
    context = Integrator(2).CreateDefaultContext()
    context.SetTime(3.0)
    saved.load_into(context)
    assert context.get_time() == 0.0


def test_parts_of_a_context_and_objects_of_python_are_not_saved():
    builder = DiagramBuilder()
    integrator = builder.AddSystem(Integrator(1))
    diagram = builder.Build()
    root = diagram.CreateDefaultContext()
    with pytest.raises(RuntimeError, match="root"):
        pickle.dumps(integrator.GetMyContextFromRoot(root))

    class Target(LeafSystem):
        def __init__(self):
            super().__init__()
            self.u = self.DeclareAbstractInputPort("u")

    target = Target()
    context = target.CreateDefaultContext()
    target.u.FixValue(context, {"a": 1})
    with pytest.raises(RuntimeError):
        pickle.dumps(context)


def test_copies_of_a_context_are_clones():
    context = Integrator(1).CreateDefaultContext()
    for duplicate in (copy.copy(context), copy.deepcopy(context)):
        duplicate.SetTime(2.0)
        assert context.get_time() == 0.0 and duplicate.get_time() == 2.0


def test_a_pickled_scenario_has_its_values():
    scenario = wyvern.load_scenario("arm_pd.yaml")
    scenario["model_drivers.arm.kp"] = np.full(7, 300.0)
    again = pickle.loads(pickle.dumps(scenario))
    assert again.text() == scenario.text()
    again["simulation_duration"] = 0.1
    assert again.text() != scenario.text()


def test_what_cannot_be_pickled_says_so():
    for thing in (Integrator(1), DiagramBuilder(), Simulator(Integrator(1))):
        with pytest.raises(TypeError):
            pickle.dumps(thing)
