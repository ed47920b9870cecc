"""Samples as data frames and plots."""


def _labels(samples, names):
    """Returns a name for each row of the samples."""
    if names is None:
        return [str(i) for i in range(len(samples))]
    names = list(names)
    if len(names) != len(samples):
        raise ValueError(f"There are {len(names)} names for {len(samples)} "
                         "elements; give one name for each element.")
    return names


def dataframe(log, names=None):
    """Returns the samples of a VectorLog as a pandas DataFrame."""
    import pandas

    samples = log.data()
    return pandas.DataFrame(
        samples.T, columns=_labels(samples, names),
        index=pandas.Index(log.sample_times(), name="time"))


def plot(log, names=None):
    """Plots the samples of a VectorLog and returns the Axes."""
    from matplotlib import pyplot

    samples = log.data()
    _, axes = pyplot.subplots()
    axes.plot(log.sample_times(), samples.T, label=_labels(samples, names))
    axes.set_xlabel("time [s]")
    axes.legend()
    return axes
