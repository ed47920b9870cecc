"""Programs that take turns at the same work, in the same run."""
import json
import subprocess
import threading


class Program:
    """One engine with a scene, that takes n queries or steps when told to."""

    def __init__(self, command, limit):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL)
        self.times, self.last = [], None
        self.limit = limit

    def take(self, n, counts=True):
        # What takes longer has no figure.
        timer = threading.Timer(self.limit, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(f'{n}\n')
            self.process.stdin.flush()
            self.last = json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            self.last, self.times = None, []
            return 0
        finally:
            timer.cancel()
        if counts:
            self.times.append(self.last['us'])
        return self.last['us']

    def close(self):
        try:
            self.process.stdin.close()
        except OSError:
            pass
        self.process.wait()
