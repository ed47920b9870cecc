"""Shapes, the SceneGraph and the Viewer."""

from wyvern._core.geometry import *  # noqa: F403
from wyvern._core.geometry import Viewer, ViewerVisualizer
from wyvern._core.geometry import ViewerVisualizerParams

# Names of Drake.
Meshcat = Viewer
MeshcatVisualizer = ViewerVisualizer
MeshcatVisualizerParams = ViewerVisualizerParams
