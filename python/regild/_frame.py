# SPDX-License-Identifier: Apache-2.0
"""Numbers as numpy has them, and tables as pandas has them, where these are installed."""

from dataclasses import asdict


def number(value):
    """A number of the program's JSON, where one that is not finite is a text."""
    return float(value) if isinstance(value, str) else value


def numbers(values):
    """A series: an array of doubles, or a list where there is no numpy."""
    try:
        import numpy
    except ImportError:
        return [float(value) for value in values]
    return numpy.array(values, dtype=float)


def to_frame(rows):
    """A pandas.DataFrame of rows, or of anything else in `types` that is a list."""
    import pandas

    return pandas.DataFrame([asdict(row) for row in rows])
