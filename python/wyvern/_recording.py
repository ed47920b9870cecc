"""Recordings of a Viewer as a block of `with`."""

import contextlib


@contextlib.contextmanager
def recording(viewer, file=None, frames_per_second=64.0):
    """Records what happens inside the block.

    At its end pages show the timeline, and the page is written to the file, if
    there is one. If the block raises an exception, so much is kept as there
    is."""
    viewer.StartRecording(frames_per_second)
    try:
        yield viewer
    finally:
        viewer.StopRecording()
        viewer.PublishRecording()
        if file is not None:
            viewer.SaveStaticHtml(file)
