#!/usr/bin/env python3
"""The figures of tests/app/random_values_test.cc: FNV-1a of the key, SplitMix64
of the seed and it, Marsaglia's polar normal number with Python's logarithm."""
import math

M = 2**64 - 1
STEP = 0x9E3779B97F4A7C15


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M
    return z ^ (z >> 31)


def fnv(text):
    h = 0xCBF29CE484222325
    for byte in text.encode():
        h = ((h ^ byte) * 0x100000001B3) & M
    return h


class Draws:
    def __init__(self, seed, key):
        self.state = mix((seed + STEP) & M) ^ fnv(key)

    def bits(self):
        self.state = (self.state + STEP) & M
        return mix(self.state)

    def uniform(self):
        return (self.bits() >> 11) * 2.0**-53

    def gaussian(self):
        while True:
            x, y = 2 * self.uniform() - 1, 2 * self.uniform() - 1
            s = x * x + y * y
            if 0 < s < 1:
                return x * math.sqrt(-2 * math.log(s) / s)


draws = Draws(7, "plant_config.time_step")
print(draws.bits(), repr(draws.uniform()), repr(draws.gaussian()))
