"""Figures of directives_test.cc, by pydrake 1.51: where the bodies of
scene.dmd.yaml are, and what it flattens to.

  pip install 'drake<1.52'; python3 tests/oracles/drake_directives.py
"""

from pathlib import Path

from pydrake.all import (
    AddMultibodyPlantSceneGraph, DiagramBuilder, FlattenModelDirectives,
    FrameIndex, LoadModelDirectives, Parser, ProcessModelDirectives,
    yaml_dump_typed)

folder = (Path(__file__).parent.parent /
          "multibody/parsing/models/directives")
builder = DiagramBuilder()
plant, _ = AddMultibodyPlantSceneGraph(builder, 0.001)
parser = Parser(plant)
parser.package_map().AddPackageXml(str(folder / "package.xml"))
directives = LoadModelDirectives(str(folder / "scene.dmd.yaml"))
for info in ProcessModelDirectives(directives, parser):
    print(info.model_name, info.parent_frame_name, info.child_frame_name,
          info.X_PC.translation())
for i in range(plant.num_frames()):
    print("frame", plant.get_frame(FrameIndex(i)).scoped_name())
for i in plant.GetJointIndices():
    joint = plant.get_joint(i)
    print("joint", joint.name(), type(joint).__name__,
          plant.GetModelInstanceName(joint.model_instance()),
          joint.frame_on_parent().scoped_name())
print(parser.GetCollisionFilterGroups())
plant.Finalize()
context = plant.CreateDefaultContext()
print(plant.GetPositions(context).tolist())
for name in ["held", "free"]:
    body = plant.GetBodyByName("tip", plant.GetModelInstanceByName(name))
    print(name, plant.EvalBodyPoseInWorld(context, body).translation().tolist())
print(yaml_dump_typed(FlattenModelDirectives(directives, parser.package_map())))
