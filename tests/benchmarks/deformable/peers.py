"""The scenes of deformable_benchmark.cc in Drake: peers.py MESH.vtk SCENE MATERIAL
reads numbers of steps from stdin and prints a line of JSON for each."""
import json
import sys
import time

import numpy as np
from pydrake.geometry import (AddContactMaterial, AddRigidHydroelasticProperties,
                              Box, GeometryInstance, Mesh, ProximityProperties)
from pydrake.math import RigidTransform
from pydrake.multibody.fem import DeformableBodyConfig, MaterialModel
from pydrake.multibody.plant import (AddMultibodyPlantSceneGraph, CoulombFriction,
                                     DiscreteContactApproximation)
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

STEP = 0.01


def properties(is_rigid):
    result = ProximityProperties()
    AddContactMaterial(friction=CoulombFriction(0.5, 0.5), properties=result)
    if is_rigid:
        AddRigidHydroelasticProperties(1.0, result)
    return result


def main():
    mesh, scene, material = sys.argv[1:]
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, STEP)
    plant.set_discrete_contact_approximation(
        DiscreteContactApproximation.kLagged)
    if scene == 'ground':
        plant.RegisterCollisionGeometry(
            plant.world_body(), RigidTransform([0, 0, -0.6]), Box(2, 2, 1),
            'ground', properties(True))
    instance = GeometryInstance(RigidTransform(), Mesh(mesh), 'bar')
    instance.set_proximity_properties(properties(False))
    config = DeformableBodyConfig()
    config.set_youngs_modulus(1e5)
    config.set_poissons_ratio(0.3)
    config.set_mass_density(1000)
    config.set_stiffness_damping_coefficient(0.01)
    config.set_material_model({
        'linear_corotated': MaterialModel.kLinearCorotated,
        'neo_hookean': MaterialModel.kNeoHookean,
        'corotated': MaterialModel.kCorotated}[material])
    model = plant.mutable_deformable_model()
    body = model.RegisterDeformableBody(instance, config, 1.0)
    if scene == 'wall':
        model.SetWallBoundaryCondition(body, np.array([-0.199, 0, 0]),
                                       np.array([1.0, 0, 0]))
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyContextFromRoot(simulator.get_context())
    steps = 0
    for line in sys.stdin:
        n = int(line)
        start = time.process_time()
        steps += n
        simulator.AdvanceTo(steps * STEP)
        us = 1e6 * (time.process_time() - start) / n
        middle = model.GetPositions(context, body).mean(axis=1)
        print(json.dumps({'us': us, 'middle': list(middle)}), flush=True)


if __name__ == '__main__':
    main()
