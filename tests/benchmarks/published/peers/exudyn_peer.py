"""The planar mechanisms of tests/published in EXUDYN, by step size: redundant
coordinates, joints as constraints, the generalized-alpha method."""

import math
import time

import exudyn
import exudyn.itemInterface as items

import measure

VARIABLES = exudyn.OutputVariableType


def build(m):
    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(items.ObjectGround())
    places, nodes, bodies = [], [], []
    for b in m["bodies"]:
        # Where the pin and the center of mass are at the start.
        (px, py), angle = (((0, 0), 0) if b["parent"] < 0 else
                           places[b["parent"]])
        x, y = b["pin"]
        pin = (px + math.cos(angle) * x - math.sin(angle) * y,
               py + math.sin(angle) * x + math.cos(angle) * y)
        angle += b["q"]
        places.append((pin, angle))
    rates, speeds = [], []
    for b, (pin, angle) in zip(m["bodies"], places):
        i = b["parent"]
        rate = (rates[i] if i >= 0 else 0) + b["v"]
        vx, vy = speeds[i] if i >= 0 else (0, 0)
        if i >= 0:
            dx, dy = (pin[k] - places[i][0][k] for k in (0, 1))
            vx, vy = vx - rates[i] * dy, vy + rates[i] * dx
        rates.append(rate)
        speeds.append((vx, vy))
        c, s = math.cos(angle), math.sin(angle)
        dx = c * b["center"][0] - s * b["center"][1]
        dy = s * b["center"][0] + c * b["center"][1]
        nodes.append(mbs.AddNode(items.NodeRigidBody2D(
            referenceCoordinates=[pin[0] + dx, pin[1] + dy, angle],
            initialVelocities=[vx - rate * dy, vy + rate * dx, rate])))
        bodies.append(mbs.AddObject(items.ObjectRigidBody2D(
            physicsMass=b["mass"], physicsInertia=b["moment"],
            nodeNumber=nodes[-1])))
        mass = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=bodies[-1]))
        mbs.AddLoad(items.LoadMassProportional(
            markerNumber=mass, loadVector=[0, -m["gravity"], 0]))

    def marker(i, p, kind=items.MarkerBodyPosition):
        cx, cy = m["bodies"][i]["center"] if i >= 0 else (0, 0)
        return mbs.AddMarker(kind(
            bodyNumber=bodies[i] if i >= 0 else ground,
            localPosition=[p[0] - cx, p[1] - cy, 0]))

    def join(a, b):
        mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=[a, b]))

    for i, b in enumerate(m["bodies"]):
        join(marker(b["parent"], b["pin"]), marker(i, (0, 0)))
    for a, b in m["loops"]:
        join(marker(a["body"], a["p"]), marker(b["body"], b["p"]))
    for s in m["springs"]:
        mbs.AddObject(items.ObjectConnectorSpringDamper(
            markerNumbers=[marker(e["body"], e["p"]) for e in s["ends"]],
            referenceLength=s["rest"], stiffness=s["stiffness"], damping=0))
    if m["torque"]:
        mbs.AddLoad(items.LoadTorqueVector(
            markerNumber=marker(0, (0, 0), items.MarkerBodyRigid),
            loadVector=[0, 0, m["torque"]]))
    mbs.Assemble()
    return mbs, nodes, container


def run(m, h):
    mbs, nodes, _ = build(m)
    settings = exudyn.SimulationSettings()
    settings.solutionSettings.writeSolutionToFile = False
    settings.timeIntegration.verboseMode = 0
    settings.displayComputationTime = False
    settings.timeIntegration.numberOfSteps = round(m["end"] / h)
    settings.timeIntegration.endTime = m["end"]
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.relativeTolerance = 1e-10
    start = time.thread_time()
    mbs.SolveDynamic(settings)
    end = time.thread_time()
    turns = [mbs.GetNodeOutput(n, VARIABLES.Coordinates)[2] +
             mbs.GetNode(n)["referenceCoordinates"][2] for n in nodes]
    rates = [mbs.GetNodeOutput(n, VARIABLES.Coordinates_t)[2] for n in nodes]
    parents = [b["parent"] for b in m["bodies"]]
    relative = [[x - (all[i] if i >= 0 else 0) for x, i in zip(all, parents)]
                for all in (turns, rates)]
    error = measure.calc_planar_error(m, *relative)
    return error, round(m["end"] / h), start, end


def main():
    for m in measure.load_problems()["planar"]:
        most = min(1e-2, 1e-3 * m["end"])
        measure.measure(m["name"], "EXUDYN", "generalized alpha",
                        measure.steps(m["end"], most), lambda h: run(m, h))


if __name__ == "__main__":
    main()
