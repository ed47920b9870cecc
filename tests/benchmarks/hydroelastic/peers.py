"""A scene of hydroelastic contact in Drake; the twin of hydroelastic_benchmark.

  python peers.py query|step SCENE_FILE

For each line of standard input, a number n, it takes n surface queries or steps
and prints one line of JSON. The clock of a query is around a loop of Python; the
time of the same loop on two geometries that are far apart is taken off.
"""
import json
import sys
import time

import numpy as np
import pydrake.all as d


def make_shape(words):
    if words[0] == 'box':
        return d.Box(*map(float, words[1:4]))
    if words[0] == 'half_space':
        return d.HalfSpace()
    return d.Mesh(words[1])


def make_properties(kind, modulus, margin, words, mu):
    properties = d.ProximityProperties()
    d.AddContactMaterial(dissipation=0.5, friction=d.CoulombFriction(mu, mu),
                         properties=properties)
    if kind == 'rigid':
        d.AddRigidHydroelasticProperties(1.0, properties)
    elif words[0] == 'half_space':
        d.AddCompliantHydroelasticPropertiesForHalfSpace(
            float(words[1]), modulus, properties)
    else:
        d.AddCompliantHydroelasticProperties(1.0, modulus, properties)
    properties.AddProperty('hydroelastic', 'margin', margin)
    return properties


class Scene:
    def __init__(self, path):
        lines = [line.split() for line in open(path)]
        self.dt, mu = map(float, lines[0][1:])
        builder = d.DiagramBuilder()
        self.plant, self.graph = d.AddMultibodyPlantSceneGraph(builder, self.dt)
        self.plant.set_contact_model(d.ContactModel.kHydroelastic)
        self.plant.set_discrete_contact_approximation(
            d.DiscreteContactApproximation.kLagged)
        free = []
        for i, w in enumerate(lines[1:]):
            x = np.array(list(map(float, w[2:10])))
            X = d.RigidTransform(x[2:5])
            body = self.plant.world_body()
            if w[1] == '1':
                body = self.plant.AddRigidBody(
                    f'body{i}', d.SpatialInertia.MakeFromCentralInertia(
                        x[0], np.zeros(3),
                        d.RotationalInertia(x[1], x[1], x[1])))
                free.append((body, X, x[5:8]))
                X = d.RigidTransform()
            self.plant.RegisterCollisionGeometry(
                body, X, make_shape(w[13:]), f'geometry{i}',
                make_properties(w[10], float(w[11]), float(w[12]), w[13:], mu))
        self.plant.Finalize()
        diagram = builder.Build()
        self.simulator = d.Simulator(diagram)
        root = self.simulator.get_mutable_context()
        self.context = self.plant.GetMyMutableContextFromRoot(root)
        self.graph_context = self.graph.GetMyContextFromRoot(root)
        self.free = free
        for body, X, v in free:
            self.plant.SetFreeBodyPose(self.context, body, X)
            self.plant.SetFreeBodySpatialVelocity(
                body, d.SpatialVelocity(np.zeros(3), v), self.context)
        self.end = 0.0

    def surfaces(self):
        query = self.graph.get_query_output_port().Eval(self.graph_context)
        return query, d.HydroelasticContactRepresentation.kPolygon

    def time_queries(self, n):
        query, polygon = self.surfaces()
        start = time.process_time()
        for _ in range(n):
            query.ComputeContactSurfaces(polygon)
        return time.process_time() - start

    def query(self, n):
        used = self.time_queries(n)
        query, polygon = self.surfaces()
        faces = sum(s.num_faces() for s in query.ComputeContactSurfaces(polygon))
        body, X, _ = self.free[-1]
        self.plant.SetFreeBodyPose(self.context, body,
                                   d.RigidTransform([0, 0, 10.0]))
        used -= self.time_queries(n)
        self.plant.SetFreeBodyPose(self.context, body, X)
        return dict(us=used / n * 1e6, faces=faces)

    def step(self, n):
        self.end += n * self.dt
        start = time.process_time()
        self.simulator.AdvanceTo(self.end)
        used = time.process_time() - start
        results = self.plant.get_contact_results_output_port().Eval(
            self.context)
        faces = sum(
            results.hydroelastic_contact_info(i).contact_surface().num_faces()
            for i in range(results.num_hydroelastic_contacts()))
        height = sum(self.plant.EvalBodyPoseInWorld(
            self.context, b).translation()[2] for b, _, _ in self.free)
        return dict(us=used / n * 1e6, faces=faces,
                    height=height / len(self.free))


def main():
    mode, path = sys.argv[1:]
    run = getattr(Scene(path), mode)
    for line in sys.stdin:
        print(json.dumps(run(int(line))), flush=True)


if __name__ == '__main__':
    main()
