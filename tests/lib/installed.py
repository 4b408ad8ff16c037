# SPDX-License-Identifier: BSD-3-Clause
"""What was built, installed into an empty place."""
import subprocess
from pathlib import Path


class Installed:
    def __init__(self, build, place):
        subprocess.run(['meson', 'install', '-C', build, '--no-rebuild',
                        '--quiet', '--destdir', place], check=True,
                       stdout=subprocess.DEVNULL)
        self.root = place
        self.weir = next(Path(place).rglob('bin/weir'))
        self.prefix = self.weir.parent.parent

    def one(self, pattern):
        return next(self.prefix.glob(pattern), None)

    def missing(self, patterns):
        return [f'{pattern}: not installed' for pattern in patterns
                if not self.one(pattern)]
