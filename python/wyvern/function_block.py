"""Functions as controllers: @wyvern.controller(period=1e-3)."""

import functools
import inspect
import math

import numpy as np

from wyvern.systems.framework import LeafSystem


def controller(function=None, *, period=None, offset=0.0, sizes=None, output=1):
    """Makes blocks of a function.

    Each parameter of the function is an input port of its name; a parameter `t`
    is the time [s]. Its result is the output port "control".

    period: time between calls [s]. The result is held in between, as the
        discrete state; it is zero before the first call. Without a period, the
        output is a direct function of the inputs.
    offset: time of the first call [s].
    sizes: sizes of the inputs by name; 1 for those that are not there.
    output: size of the result.

    The decorated function returns a new block each time it is called:

        @wyvern.controller(period=1e-3, sizes={"state": 2})
        def law(state):
            return -20 * state[0] - 2 * state[1]

        builder.AddNamedSystem("law", law())

    Raises TypeError or ValueError if the function cannot be a block; a result
    of a wrong size or that is not finite raises ValueError during a step."""
    if function is None:
        return functools.partial(controller, period=period, offset=offset,
                                 sizes=sizes, output=output)
    if not callable(function):
        raise TypeError(f"controller() wants a function, not {function!r}; "
                        "write @controller(period=...).")
    names = _parameters(function)
    sizes = dict(sizes or {})
    unknown = set(sizes) - set(names) - {"t"}
    if unknown or "t" in sizes:
        raise ValueError(
            f"controller(): sizes name {', '.join(sorted(sizes))}, but the "
            f"inputs of {function.__name__}() are {', '.join(names) or 'none'}.")

    @functools.wraps(function)
    def make():
        return FunctionBlock(function, {n: sizes.get(n, 1) for n in names},
                             period, offset, output)

    make.function = function
    # Its own parameters are those of the block, of which there are none.
    del make.__wrapped__
    return make


def _parameters(function):
    """Returns the names of the inputs of a function."""
    names = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD,
                                  parameter.KEYWORD_ONLY):
            raise TypeError(
                f"controller(): the parameter '{name}' of "
                f"{function.__name__}() cannot be an input port; use "
                "parameters with names alone.")
        if name != "t":
            names.append(name)
    return names


class FunctionBlock(LeafSystem):
    """A block that computes a function of its inputs; controller() makes it."""

    def __init__(self, function, inputs, period, offset, output):
        super().__init__()
        self.set_name(function.__name__)
        self._function = function
        self._wants_time = "t" in inspect.signature(function).parameters
        self._size = int(output)
        self._inputs = {name: self.DeclareVectorInputPort(name, int(size))
                        for name, size in inputs.items()}
        if period is None:
            self.DeclareVectorOutputPort("control", self._size, self._calc)
            return
        self.DeclareStateOutputPort(
            "control", self.DeclareDiscreteState(self._size))
        self.DeclarePeriodicDiscreteUpdateEvent(period, offset, self._update)

    def _call(self, context):
        """Returns the result for the inputs of the Context."""
        values = {name: port.Eval(context)
                  for name, port in self._inputs.items()}
        if self._wants_time:
            values["t"] = context.get_time()
        result = np.atleast_1d(
            np.asarray(self._function(**values), dtype=float))
        if result.shape != (self._size,):
            raise ValueError(
                f"{self._function.__name__}() returned an array of the shape "
                f"{result.shape}; its output has the size {self._size}.")
        if not all(map(math.isfinite, result)):
            raise ValueError(f"{self._function.__name__}() returned "
                             f"{result.tolist()}, which is not finite.")
        return result

    def _calc(self, context, output):
        output.SetFromVector(self._call(context))

    def _update(self, context, discrete_state):
        discrete_state.set_value(self._call(context))
