// SPDX-License-Identifier: BSD-3-Clause
// A trace with I/O servers: the page tells of them what weir query tells.
// Usage: WEIR, MAKE_STACK and CHROMIUM in the environment.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {after, before, test} from 'node:test';
import {numbers, startWithStack} from './browser.mjs';

const {WEIR} = process.env;
const READ = 11; // calls of tests/query/make_stack.c
const SERVE = 30;
const DISK = 40;
let stack, page;

const line = (proc, thread, call, depth, begin, dur, size, cid, cause) =>
  [proc, thread, call, depth, begin, dur, size, cid, cause, 0, 0, 0, '-'].join(
    ' ',
  );

/** Reads of two clients, each of which two servers work for. */
function lines() {
  const made = [];
  let cid = 0;
  for (const client of [1, 2])
    for (let i = 0; i < 3; i++) {
      const begin = 1000 * client + 110000 * i;
      cid += 1;
      for (const server of [101, 102]) {
        const at = begin + 5000 + 700 * (server - 101);
        const disk = 20000 * client + 100 * i + (server - 101) * 5000;
        made.push(line(server, client, DISK, 1, at + 99, disk, 4096, 0, 0));
        made.push(line(server, client, SERVE, 0, at, 60000, 8192, 0, cid));
      }
      made.push(line(client, 1, READ, 0, begin, 100000 + i, 16384, cid, 0));
    }
  // of each thread, as they end
  return made.join('\n') + '\n';
}

function query(text) {
  return execFileSync(WEIR, ['query', stack.trace, text, '--format', 'jsonl'], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row));
}

before(async () => {
  stack = await startWithStack('2', lines());
  page = stack.page;
});

after(() => stack?.stop());

async function barsOf(wish) {
  await page.evaluate((to) => weirPage.part('calls').set(to), wish);
  return numbers(page, 'calls');
}

function near(found, due, what) {
  assert.equal(found.length, due.length, what);
  found
    .toSorted((a, b) => a - b)
    .forEach((value, i) => {
      const wanted = due.toSorted((a, b) => a - b)[i];
      assert.ok(Math.abs(value - wanted) < 1e-6 * wanted, `${what} ${value}`);
    });
}

test('power by client at a server is that of weir query', async () => {
  const bars = await barsOf({view: 'server', of: 'power'});
  near(
    bars.map((bar) => bar.watts),
    query('power by id,client where server=0').map((row) => row.mean),
    'watts',
  );
  assert.equal(new Set(bars.map((bar) => bar.who)).size, 2);
});

test('layers of a server add up to its latency', async () => {
  const bars = await barsOf({view: 'server', of: 'latency'});
  near(
    bars.map((bar) => bar.parts.server + bar.parts.disk),
    query('latency by id where server=0 and layer=server').map(
      (row) => row.mean,
    ),
    'seconds',
  );
});

test('a client shows its own calls, in all layers below', async () => {
  const bars = await barsOf({view: 'client', of: 'latency', who: 0});
  assert.equal(bars.length, 3);
  for (const bar of bars)
    assert.deepEqual(Object.keys(bar.parts).sort(), [
      'disk',
      'mpiio',
      'server',
    ]);
});
