#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make the page of weir report --html: one file, nothing from elsewhere.

usage: build.py OUT [DEPFILE]

Bundles main.js and style.css by esbuild and puts them into page.html with a
policy that allows these two and nothing else. Two words are left in OUT for
whoever writes a report: @WEIR_CONNECT@ becomes 'none', or 'self' where a server
answers questions about the trace; @WEIR_DATA@ becomes the data, gzip in base64.

Status: 0; 3 when esbuild or uPlot is missing (`npm ci` in this folder).
"""
import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LATER = ('@WEIR_CONNECT@', '@WEIR_DATA@')
MISSING = 3


def missing():
    if not shutil.which('esbuild'):
        return 'esbuild (Debian: apt-get install esbuild)'
    if not (HERE / 'node_modules/uplot/package.json').exists():
        return f'uPlot (npm ci in {HERE.name}/)'
    return None


def bundle(source, folder):
    """The text of SOURCE with all that it needs, and the files it is from."""
    out, meta = folder / source, folder / (source + '.json')
    subprocess.run(
        ['esbuild', source, '--bundle', '--minify', '--format=iife',
         '--target=es2020', '--charset=utf8', '--legal-comments=inline',
         '--log-level=warning', f'--outfile={out}', f'--metafile={meta}'],
        check=True, cwd=HERE)
    inputs = json.loads(meta.read_text(encoding='utf-8'))['inputs']
    return out.read_text(encoding='utf-8').strip(), list(inputs)


def fingerprint(text):
    digest = hashlib.sha256(text.encode('utf-8')).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def page():
    """Return (the page, the files it is made of)."""
    with tempfile.TemporaryDirectory() as folder:
        script, scripts = bundle('main.js', Path(folder))
        style, styles = bundle('style.css', Path(folder))
    if '</script' in script.lower() or '</style' in style.lower():
        sys.exit('build.py: the code would end its own element')
    parts = {
        '@SCRIPT_HASH@': fingerprint(script),
        '@STYLE_HASH@': fingerprint(style),
        '@STYLE@': style,
        '@SCRIPT@': script,
    }
    text = (HERE / 'page.html').read_text(encoding='utf-8')
    for word, part in parts.items():
        if text.count(word) != 1:
            sys.exit(f'build.py: page.html should have one {word}')
        text = text.replace(word, part)
    for word in LATER:
        if text.count(word) != 1:
            sys.exit(f'build.py: the page should have one {word}')
    return text, ['page.html', 'build.py', *scripts, *styles]


def main(out, depfile=None):
    lacking = missing()
    if lacking:
        print(f'build.py: no page without {lacking}', file=sys.stderr)
        return MISSING
    text, inputs = page()
    Path(out).write_text(text, encoding='utf-8')
    if depfile:
        names = ' '.join(str(HERE / name) for name in inputs)
        Path(depfile).write_text(f'{out}: {names}\n', encoding='utf-8')
    return 0


if __name__ == '__main__':
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
