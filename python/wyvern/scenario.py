"""Scenarios: load one, change values, run it, look at the result."""

import json
import os
import pathlib

from wyvern._core import scenario as _scenario

_HERE = pathlib.Path(__file__).parent


def _share_folder():
    """Returns the folder that holds app/scenarios and examples/models."""
    installed = _HERE / "share"
    if installed.is_dir():
        return installed
    # In a build tree this module is a link into the sources.
    return pathlib.Path(__file__).resolve().parents[2]


def scenarios_folder():
    """Returns the folder of the scenarios that come with Wyvern."""
    return _share_folder() / "app" / "scenarios"


def models_folder():
    """Returns the folder of the robot models that come with Wyvern."""
    return _share_folder() / "examples" / "models"


def load_scenario(file):
    """Loads a scenario from a YAML file.

    A name without a folder that is not in the working folder is one of the
    scenarios that come with Wyvern, such as "arm_pd.yaml"."""
    path = pathlib.Path(file)
    if not path.exists() and path.parent == pathlib.Path("."):
        ours = scenarios_folder() / path
        if ours.exists():
            path = ours
    return Scenario(path)


class Scenario:
    """A scenario: a YAML file, and values set on top of it."""

    def __init__(self, file):
        """Reads the file. Raises RuntimeError that names file and line."""
        self._file = pathlib.Path(os.path.abspath(file))
        self._values = {}
        self.text()

    @property
    def file(self):
        """The path of the YAML file."""
        return self._file

    def __setitem__(self, path, value):
        """Sets the value at a path such as "model_drivers.arm.kp".

        The value is a number, a text, a list, an array or a dictionary. Raises
        RuntimeError, and keeps the old value, if there is no such place."""
        values = dict(self._values)
        values[path] = to_yaml(value)
        _scenario.scenario_text(self._file, to_settings(values))
        self._values = values

    def text(self):
        """Returns the YAML text with all values and all defaults."""
        return _scenario.scenario_text(self._file, to_settings(self._values))

    def run(self, until=None, ports=None, period=0.01, writes_logs=False):
        """Simulates the scenario and returns a Run.

        until: the duration [s]; without it, what the scenario says.
        ports: vector ports "system/port" to sample; without it, those that the
            scenario logs, or else the plant's state.
        period: time between samples [s].
        writes_logs: whether the scenario's log files are written."""
        values = dict(self._values)
        if until is not None:
            values["simulation_duration"] = to_yaml(until)
        if isinstance(ports, str):
            ports = [ports]
        run = _scenario.ScenarioRun(
            self._file, to_settings(values), list(ports or []), period,
            writes_logs)
        run.run()
        return Run(run)

    def sweep(self, parameters, outputs=None, samples=None, seed=0, jobs=None,
              folder=None, resume=False, keep=False, timeout=600.0,
              progress=None):
        """Runs the scenario many times with other values; returns a Sweep.

        This is the command `wyvern sweep`. Samples run in processes of their
        own. A sample that fails or crashes is a row with the reason. Ctrl-C
        stops the sweep; with a folder, the same call with resume=True computes
        only what is missing.

        parameters: a dictionary from paths to lists of values, which make a
            grid, or to texts such as "0.5:4:8" (eight values from 0.5 to 4) or
            "!Uniform {min: 0, max: 1}" (a draw for each sample).
        outputs: elements of ports, such as "plant/state[0]", at the end of a
            run, or their ":min" or ":max" over the run; without it, the
            plant's state.
        samples: the number of samples; without it, the grid once.
        seed: seed of all draws.
        jobs: number of processes; without it, one for each processor.
        folder: where the table is kept; without it, it is not kept.
        resume: whether to use the results that are in the folder.
        keep: whether each sample leaves its scenario and its logs in the
            folder; needs one.
        timeout: wall time after which a sample has failed [s].
        progress: a function progress(num_done, num_samples, num_failed), which
            is called as the sweep goes on."""
        from wyvern.sweep import run_sweep

        return run_sweep(self._file, self._values, parameters, outputs, samples,
                         seed, jobs, folder, resume, keep, timeout, progress)

    def __repr__(self):
        return f"<Scenario {self._file} with {self._values}>"


class Run:
    """A run of a scenario that has ended."""

    def __init__(self, run):
        self._run = run

    @property
    def summary(self):
        """Why and when the run ended: reason, end_time, num_steps."""
        return self._run.summary()

    @property
    def ports(self):
        """The names of the sampled ports."""
        return self._run.ports()

    @property
    def warnings(self):
        """The warnings about the models' files."""
        return self._run.warnings()

    @property
    def diagram(self):
        """The Diagram; a notebook draws it."""
        return self._run.diagram()

    @property
    def plant(self):
        """The MultibodyPlant."""
        return self._run.plant()

    def _index(self, port):
        if port is None:
            return 0
        if port not in self.ports:
            raise KeyError(f"'{port}' was not sampled; sampled were "
                           f"{', '.join(self.ports)}.")
        return self.ports.index(port)

    def times(self, port=None):
        """Returns the times of the samples [s]."""
        return self._run.times(self._index(port))

    def samples(self, port=None):
        """Returns the samples of a port, one in each row."""
        return self._run.samples(self._index(port)).T

    def names(self, port=None):
        """Returns the names of the columns of samples()."""
        return self._run.element_names(self._index(port))

    def dataframe(self):
        """Returns all samples as a pandas DataFrame with the time as index."""
        import pandas

        columns = {}
        for port in self.ports:
            system = port.split("/")[0]
            for name, column in zip(self.names(port), self.samples(port).T):
                columns[f"{system}/{name}"] = column
        index = pandas.Index(self.times(), name="time")
        return pandas.DataFrame(columns, index=index)

    def plot(self, port=None):
        """Plots a port by matplotlib and returns the Axes."""
        from matplotlib import pyplot

        _, axes = pyplot.subplots()
        axes.plot(self.times(port), self.samples(port),
                  label=self.names(port))
        axes.set_xlabel("time [s]")
        axes.set_title(self.ports[self._index(port)])
        axes.legend()
        return axes

    def report(self, file):
        """Writes a report with plots and a replay: one HTML file."""
        self._run.report(pathlib.Path(file))

    def __repr__(self):
        summary = self.summary
        return (f"<Run to {summary.end_time} s in {summary.num_steps} steps: "
                f"{summary.reason}>")


def to_yaml(value):
    """Returns the value as JSON, which is YAML."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return json.dumps(value)


def to_settings(values):
    return [f"{path}={value}" for path, value in values.items()]
