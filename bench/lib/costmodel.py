# SPDX-License-Identifier: BSD-3-Clause
"""What forwarding should bring, by the cost model of doc/forward.md."""
from typing import NamedTuple

IDLE = 0.05  # s after which a file that nobody writes is stored


class Rates(NamedTuple):
    """Bytes a second: memory is filled, the file system takes."""
    fill: float
    store: float


class Course(NamedTuple):
    """Phases of computing for so many seconds, and of writing bytes."""
    phases: int
    bytes: float
    compute: float
    cache: float


class Forecast(NamedTuple):
    """Seconds that the program waits in writes, and for the close."""
    write: float
    close: float

    @property
    def both(self):
        return self.write + self.close


def write_phase(course, rates, dirty):
    """(seconds, what is dirty then). Above half of the cache it is stored
    while the program writes, and what does not fit waits for that."""
    took = course.bytes / rates.fill
    pressed = max(0.0, dirty + course.bytes - course.cache / 2)
    dirty += course.bytes - min(pressed, took * rates.store)
    excess = max(0.0, dirty - course.cache)
    return took + excess / rates.store, dirty - excess


def forecast(course, rates):
    wait = dirty = 0.0
    for _ in range(course.phases):
        stored = max(0.0, course.compute - IDLE) * rates.store
        dirty = max(0.0, dirty - stored)
        took, dirty = write_phase(course, rates, dirty)
        wait += took
    return Forecast(wait, dirty / rates.store)
