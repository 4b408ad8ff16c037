# SPDX-License-Identifier: BSD-3-Clause
"""What forwarding should bring, by the cost model of doc/forward.md."""
import sys
from pathlib import Path
from typing import NamedTuple

SPEC = Path(__file__).resolve().parents[2] / 'spec'
sys.path.insert(0, str(SPEC / 'gen'))
from constants import read  # noqa: E402

CONSTANTS = read(SPEC / 'constants')
IDLE = CONSTANTS['service_idle'][0] / 1e9  # s, of a file that nobody writes
BULK = CONSTANTS['service_bulk'][0]  # bytes of a file stored at once


class Rates(NamedTuple):
    """Bytes a second: memory is filled that is new, and that was used before;
    the file system takes. Seconds that opening and closing take anyway."""
    new: float
    used: float
    store: float
    anyway: float


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


class Memory:
    """Filled by phases, emptied by the file system."""

    def __init__(self, course, rates):
        self.course, self.rates = course, rates
        self.dirty = self.peak = 0.0
        self.before = 0.0  # of what is dirty, before the last phase

    def compute(self):
        """What the last phase wrote is stored when the file is idle, and when
        what was there before is stored."""
        time, rate = self.course.compute, self.rates.store
        begin = max(IDLE if self.dirty < BULK else 0, self.before / rate)
        stored = min(self.before, time * rate) + min(
            self.dirty - self.before, max(0.0, time - begin) * rate)
        self.dirty -= stored

    def fill(self):
        """Seconds. Above half of the cache, and when there is much, it is
        stored meanwhile, and what does not fit waits for that."""
        count, cache = self.course.bytes, self.course.cache
        self.before = self.dirty
        new = min(count, max(0.0, self.dirty + count - self.peak))
        took = new / self.rates.new + (count - new) / self.rates.used
        pressed = max(0.0, self.dirty + count - min(cache / 2, BULK))
        self.dirty += count - min(pressed, took * self.rates.store)
        excess = max(0.0, self.dirty - cache)
        self.dirty -= excess
        self.before = min(self.before, self.dirty)
        self.peak = max(self.peak, self.dirty)
        return took + excess / self.rates.store


def forecast(course, rates):
    memory, wait = Memory(course, rates), 0.0
    for _ in range(course.phases):
        memory.compute()
        wait += memory.fill()
    return Forecast(wait, memory.dirty / rates.store + rates.anyway)
