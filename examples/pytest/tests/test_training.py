# SPDX-License-Identifier: Apache-2.0
"""A model of two numbers that learns a line: what it loses on the way is a golden."""

import os

# What a change on purpose would change.
RATE = float(os.environ.get("RATE", "0.1"))


def train(steps):
    slope, offset, losses = 0.0, 0.0, {}
    points = [(x / 10, 3 * x / 10 + 1) for x in range(10)]
    for step in range(1, steps + 1):
        errors = [(slope * x + offset - y, x) for x, y in points]
        losses[step] = sum(error * error for error, _ in errors) / len(points)
        slope -= RATE * 2 * sum(error * x for error, x in errors) / len(points)
        offset -= RATE * 2 * sum(error for error, _ in errors) / len(points)
    return losses, slope


def test_line(golden):
    losses, slope = train(20)
    golden.check("loss", losses, rtol=1e-3)
    golden.check("slope", slope, rtol=1e-2)
