"""Times of single calls from Python, here and in pydrake:

    python3 tests/benchmarks/python/call_overhead.py wyvern
    python3 tests/benchmarks/python/call_overhead.py pydrake

Each figure is the least of nine rounds, in microseconds a call. The last row is
a simulated second with a controller in Python at 1 kHz, in milliseconds."""
import importlib
import pathlib
import resource
import subprocess
import sys
import time

package = sys.argv[1]
top = pathlib.Path(__file__).resolve().parents[3]


def module(name):
    """Imports a module of the package."""
    return importlib.import_module(f"{package}.{name}")


framework = module("systems.framework")
plants = module("multibody.plant")
parsing = module("multibody.parsing")
analysis = module("systems.analysis")


def arm(time_step):
    """Returns a plant of the seven-joint arm, in a builder."""
    builder = framework.DiagramBuilder()
    plant, _ = plants.AddMultibodyPlantSceneGraph(builder, time_step)
    parsing.Parser(plant).AddModels(str(top / "examples/models/arm.urdf"))
    plant.Finalize()
    return builder, plant


class Controller(framework.LeafSystem):
    """PD control of the arm, sampled at 1 kHz."""

    def __init__(self):
        framework.LeafSystem.__init__(self)
        self.state = self.DeclareVectorInputPort("state", 14)
        self.DeclareDiscreteState(7)
        self.DeclareVectorOutputPort(
            "u", 7, self.calc, prerequisites_of_calc={self.xd_ticket()})
        self.DeclarePeriodicDiscreteUpdateEvent(
            period_sec=0.001, offset_sec=0.0, update=self.update)

    def update(self, context, discrete_state):
        """Samples the state."""
        x = self.state.Eval(context)
        discrete_state.get_mutable_vector().SetFromVector(
            -50.0 * x[:7] - 5.0 * x[7:])

    def calc(self, context, output):
        """Shows what is held."""
        output.SetFromVector(
            context.get_discrete_state_vector().CopyToVector())


def microseconds(call, count=20000):
    """Returns the least time of a call in nine rounds."""
    best = float("inf")
    for _ in range(9):
        start = time.perf_counter()
        for _ in range(count // 9):
            call()
        best = min(best, (time.perf_counter() - start) / (count // 9))
    return 1e6 * best


builder, plant = arm(0.001)
diagram = builder.Build()
root = diagram.CreateDefaultContext()
context = plant.GetMyContextFromRoot(root)
plant.get_actuation_input_port().FixValue(context, [0.0] * 7)
port = plant.get_state_output_port()
body = plant.GetBodyByName(plant.get_body(
    plant.GetBodyIndices(plant.GetModelInstanceByName("arm"))[-1]).name())
rows = [
    ("context.get_time()", microseconds(context.get_time)),
    ("port.Eval(context)", microseconds(lambda: port.Eval(context))),
    ("CalcMassMatrix(context)",
     microseconds(lambda: plant.CalcMassMatrix(context))),
    ("GetPositions(context)",
     microseconds(lambda: plant.GetPositions(context))),
    ("EvalBodyPoseInWorld(context, body)",
     microseconds(lambda: plant.EvalBodyPoseInWorld(context, body))),
]
builder, plant = arm(0.001)
controller = builder.AddSystem(Controller())
builder.Connect(plant.get_state_output_port(), controller.get_input_port())
builder.Connect(controller.get_output_port(),
                plant.get_actuation_input_port())
simulator = analysis.Simulator(builder.Build())
simulator.Initialize()


def second():
    """Simulates the next second."""
    simulator.AdvanceTo(simulator.get_context().get_time() + 1.0)


second()
rows.append(("a second with a controller at 1 kHz [ms]",
             microseconds(second, 27) / 1e3))
code = f"import {package}, {package}.multibody.plant"


def processor_time(program):
    """Returns the least time of the processor that Python takes for it [s]."""
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", program], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime - before.ru_utime
                     + after.ru_stime - before.ru_stime)
    return min(times)


rows.append(("import [ms of the processor]",
             1e3 * (processor_time(code) - processor_time("pass"))))
for name, value in rows:
    print(f"{name:42} {value:10.3f}")
