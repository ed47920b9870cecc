"""Sweeps of scenarios: Scenario.sweep() and its result."""

import csv
import json
import math
import pathlib
import tempfile

from wyvern._core import scenario as _scenario
from wyvern.scenario import to_settings, to_yaml

__all__ = ["Sweep"]


class Sweep:
    """The results of a sweep, a row for each sample.

    A row is a dictionary: "sample" (from 0), "status" ("ok" or "failed"), the
    outputs, "end_time" [s], "random_seed", the parameters by their paths, and
    "note" (why the run ended, or why it failed). Outputs of a failed sample are
    not a number."""

    def __init__(self, rows, outputs, summary, folder):
        self._rows, self._outputs = rows, outputs
        self._summary, self._folder = summary, folder

    @property
    def rows(self):
        """The rows, in the order of the samples."""
        return self._rows

    @property
    def outputs(self):
        """The names of the outputs, "end_time" among them."""
        return self._outputs

    @property
    def num_failed(self):
        """The number of samples that failed."""
        return self._summary.num_failed

    @property
    def num_resumed(self):
        """The number of samples that an earlier sweep had computed."""
        return self._summary.num_resumed

    @property
    def folder(self):
        """The folder that has the table, or None."""
        return self._folder

    def __len__(self):
        return len(self._rows)

    def dataframe(self):
        """Returns the rows as a pandas DataFrame with the samples as index."""
        import pandas

        return pandas.DataFrame(self._rows).set_index("sample")

    def __repr__(self):
        return f"<Sweep of {len(self)} samples, {self.num_failed} failed>"


def run_sweep(file, values, parameters, outputs, samples, seed, jobs, folder,
              resume, keep, timeout, progress):
    """Does what Scenario.sweep() says."""
    if folder is None and (resume or keep):
        raise ValueError("Scenario.sweep(): resume and keep need a folder; "
                         "give one.")
    if isinstance(outputs, str):
        outputs = [outputs]
    texts = [f"{path}={_to_text(path, value)}"
             for path, value in parameters.items()]
    with tempfile.TemporaryDirectory() as temporary:
        where = pathlib.Path(temporary if folder is None else folder)
        summary = _scenario.sweep(
            file, to_settings(values), texts, list(outputs or []), where,
            samples or 0, seed, jobs or 0, resume, keep, timeout, progress)
        names, rows = _read(summary.table, list(parameters))
    return Sweep(rows, names, summary, None if folder is None else where)


def _to_text(path, value):
    """Returns the values of a parameter as the command takes them."""
    if isinstance(value, str):
        return value
    text = to_yaml(value)
    if not text.startswith("["):
        raise TypeError(
            f"Scenario.sweep(): the values of '{path}' are {value!r}; give a "
            "list, or a text such as '0.5:4:8'.")
    return text


def _read(table, parameters):
    """Returns the names of the outputs, and the rows of the table."""
    with open(table, encoding="utf-8", newline="") as file:
        names, *lines = csv.reader(file)
    # sample, status, outputs, random_seed, parameters, note
    outputs = names[2:len(names) - len(parameters) - 2]
    kinds = ([int, str] + [_to_number] * len(outputs) + [int]
             + [_to_value] * len(parameters) + [str])
    rows = [{name: kind(field)
             for name, kind, field in zip(names, kinds, line, strict=True)}
            for line in lines]
    return outputs, rows


def _to_number(field):
    """Returns an output; that of a failed sample is empty in the table."""
    return float(field) if field else math.nan


def _to_value(field):
    """Returns a parameter, which is YAML: a number, a list, or its text."""
    if len(field) > 1 and field[0] == field[-1] == "'":
        return field[1:-1].replace("''", "'")
    try:
        return json.loads(field)
    except json.JSONDecodeError:
        return field
