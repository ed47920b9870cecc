#!/usr/bin/env python3
"""How handing out samples grows: a simulation of coordinators and workers.

    coordination.py [--request SECONDS] [--latency SECONDS]

A coordinator answers one request at a time, which takes it `request`; the
answer travels for `latency`. A worker that is given k samples is busy for the
sum of k times, of the given mean, each exponentially distributed (their sum is
a gamma variate). Ranges are as in app/sweep.cc: a quarter of what is left for
each worker, from 1 to `chunk`. Printed is how much of the workers' time is
work. One coordinator with 10,000 workers is what would be with a network in
between; shards are machines of 64 processors with one coordinator each, which
is what `wyvern sweep --shard` does.
"""
import argparse
import heapq
import random


def simulate(samples, workers, mean, chunk, request, latency, rng):
    """Wall time, and when the coordinator was busy, of one coordinator."""
    ready = [(0.0, w) for w in range(workers)]
    left, free, end, busy = samples, 0.0, 0.0, 0.0
    while left > 0:
        asked, worker = heapq.heappop(ready)
        free = max(free, asked + latency) + request
        busy += request
        count = min(left, max(1, min(chunk, left // (4 * workers))))
        left -= count
        done = free + latency + rng.gammavariate(count, mean)
        end = max(end, done)
        heapq.heappush(ready, (done, worker))
    return end, busy / end


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--request", type=float, default=20e-6)
    parser.add_argument("--latency", type=float, default=50e-6)
    options = parser.parse_args()
    rng = random.Random(1)
    print("samples  workers    mean s  chunk  at work  coordinator busy")
    for samples, workers, mean, chunk in [
            (10**6, 100, 1e-3, 1), (10**6, 100, 1e-3, 1000),
            (10**6, 1000, 1e-2, 1), (10**6, 1000, 1e-2, 1000),
            (10**6, 10000, 1.0, 1), (10**6, 10000, 1.0, 1000),
            (10**8, 10000, 0.1, 1000), (10**8, 10000, 1.0, 1000)]:
        wall, busy = simulate(samples, workers, mean, chunk, options.request,
                              options.latency, rng)
        print("%7.0e %8d %9g %6d %7.1f%% %8.1f%%" % (
            samples, workers, mean, chunk,
            100 * samples * mean / workers / wall, 100 * busy))
    print("\nsamples   shards of 64 workers  mean s  at work")
    for samples, mean in [(10**6, 1.0), (10**8, 0.1), (10**8, 1.0)]:
        shards = 156
        share = samples // shards
        wall = max(
            simulate(share, 64, mean, 1000, options.request, 5e-6, rng)[0]
            for _ in range(shards))
        print("%7.0e %10d %20g %9.1f%%" % (
            samples, shards, mean, 100 * share * mean / 64 / wall))


main()
