"""The Viewer in Python: scenes, recordings, and the end of the program."""
import subprocess
import sys
import urllib.request

import pytest
from conftest import Models
from wyvern.geometry import (
    Box, Meshcat, Rgba, Sphere, Viewer, ViewerVisualizer,
    ViewerVisualizerParams)
from wyvern.math import RigidTransform
from wyvern.multibody.parsing import Parser
from wyvern.multibody.plant import AddMultibodyPlantSceneGraph
from wyvern.systems.analysis import Simulator
from wyvern.systems.framework import DiagramBuilder

if not Viewer.IsAvailable():
    pytest.skip("the library was built without the viewer's page",
                allow_module_level=True)


def test_a_scene_is_set_and_served():
    viewer = Viewer()
    assert Meshcat is Viewer
    viewer.SetObject("/ball", Sphere(0.1), Rgba(0.8, 0.2, 0.1))
    viewer.SetTransform("/ball", RigidTransform([0, 0, 1]))
    viewer.SetProperty("/ball", "visible", False)
    viewer.SetProperty("/ball", "opacity", 0.5)
    viewer.SetProperty("/ball", "color", [1.0, 0.0, 0.0])
    assert viewer.HasPath("/ball") and not viewer.HasPath("/box")
    viewer.Delete("/ball")
    assert not viewer.HasPath("/ball")
    assert viewer.AddSlider("gain", 0.0, 10.0, 0.5, 3.2) == 3.0
    assert viewer.SetSliderValue("gain", 4.1) == 4.0
    assert viewer.GetSliderNames() == ["gain"]
    with urllib.request.urlopen(viewer.web_url(), timeout=20) as page:
        assert "<html" in page.read().decode().lower()


def test_wrong_arguments_are_errors():
    viewer = Viewer()
    with pytest.raises(TypeError):
        viewer.SetObject("/ball", None)
    with pytest.raises(TypeError):
        viewer.SetTransform("/ball", [1.0, 2.0])
    with pytest.raises(RuntimeError):
        Rgba(2.0, 0.0, 0.0)
    with pytest.raises(RuntimeError):
        viewer.AddSlider("s", 1.0, 0.0, 0.5, 0.0)
    with pytest.raises(IndexError):
        viewer.GetButtonClicks("none")
    with pytest.raises(RuntimeError):
        Viewer(viewer.port())
    with pytest.raises((TypeError, RuntimeError)):
        ViewerVisualizer(None)


def test_a_simulation_is_recorded_by_with(tmp_path):
    builder = DiagramBuilder()
    plant, scene_graph = AddMultibodyPlantSceneGraph(builder, 0.01)
    Parser(plant).AddModels(Models() / "pendulum.urdf")
    plant.Finalize()
    viewer = Viewer()
    ViewerVisualizer.AddToBuilder(
        builder, scene_graph, viewer,
        ViewerVisualizerParams(publish_period=0.05))
    simulator = Simulator(builder.Build())
    context = plant.GetMyMutableContextFromRoot(simulator.get_context())
    plant.get_actuation_input_port().FixValue(context, [0.0])
    with viewer.recording(tmp_path / "swing.html"):
        simulator.AdvanceTo(0.3)
    assert "<html" in (tmp_path / "swing.html").read_text().lower()
    assert viewer.HasPath("/wyvern/visualizer")
    with pytest.raises(LookupError):
        with viewer.recording(tmp_path / "failed.html"):
            raise LookupError
    assert (tmp_path / "failed.html").exists()


@pytest.mark.parametrize("keep", [
    "", "kept = {'viewer': viewer}; kept['self'] = kept",
    "import builtins; builtins.viewer = viewer",
    "import threading; threading.Thread(target=lambda: None).start()",
    "import os; os._exit(0)", "raise SystemExit(0)"])
def test_a_program_ends_with_an_open_viewer(keep):
    code = ("from wyvern.geometry import Box, Viewer\n"
            "viewer = Viewer()\n"
            "viewer.SetObject('/box', Box(1, 1, 1))\n" + keep)
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True,
                           text=True, timeout=60, check=False)
    assert (shown.returncode, shown.stderr) == (0, "")


def test_a_shape_outlives_its_python_object():
    viewer = Viewer()
    shape = Box(1, 2, 3)
    viewer.SetObject("/box", shape)
    del shape
    assert "<html" in viewer.StaticHtml().lower()
