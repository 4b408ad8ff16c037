#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that use HDF5 through something else get a plan, too.

usage: run-above.py NAME COMMAND...

The command writes and reads a dataset /field of 128 x 128 numbers; it gets a
scene's name, which means nothing to it, and a file's."""
import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent.parent / "lib"))
from weirtool import Tap  # noqa: E402

SETTINGS = {"alignment": "1,65536", "meta_block_size": "8K",
            "chunk": ("32,64", 'dataset="/field"'),
            "deflate": ("5", 'dataset="/field"'),
            "shuffle": ("true", 'dataset="/field"')}


def load():
    found = importlib.util.spec_from_file_location("rows",
                                                   HERE / "run-hdf5.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


class Runner:
    """As the runner of the rows has it, with another command."""

    def __init__(self, rows, command, scratch):
        class Other(rows.Runner):
            def command(self, scene, ranks):
                return [*command, scene, "x.h5"]

        self.run = Other("serial", command[-1], scratch).run


def check(tap, rows, name, command):
    with tempfile.TemporaryDirectory(prefix="weir-above-") as scratch:
        runner = Runner(rows, command, scratch)
        bare, done = runner.run("field"), runner.run("field", SETTINGS)
    wrong = [f"{o.code} {o.facts} {o.stderr}" for o in (bare, done)
             if o.code or o.fact("good") != 1]
    wrong += [f"{setting}: {done.effects(setting)}" for setting in SETTINGS
              if {v for v, _ in done.effects(setting)} != {"took"}]
    tap.result(not wrong, f"{name}: all is applied, data are good", wrong)
    tap.result(bare.fact("chunk_rows") != 32 == done.fact("chunk_rows"),
               f"{name}: it finds other chunks", [bare.facts, done.facts])
    tap.result(any(e.get("off", 1) % 65536 == 0 and e.get("off")
                   for e in done.on_disk(rows.WRITES)),
               f"{name}: chunks are aligned")


def main():
    name, command = sys.argv[1], sys.argv[2:]
    command = [str(Path(word).resolve()) if Path(word).exists() else word
               for word in command]
    tap = Tap()
    if name == "h5py" and (not shutil.which(command[0]) or subprocess.run(
            [command[0], "-c", "import h5py"], capture_output=True,
            stdin=subprocess.DEVNULL).returncode):
        tap.skip(name, "Python has no module h5py")
        return tap.done()
    check(tap, load(), name, command)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
