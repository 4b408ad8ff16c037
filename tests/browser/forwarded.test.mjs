// SPDX-License-Identifier: BSD-3-Clause
// A run whose files a service stored: its layers stand apart, and the time
// that data waits there is none of the program's.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {numbers, set, startWithStack} from './browser.mjs';

const WRITE = 25; // calls of tests/query/make_stack.c
const FORWARD = 1950;
const TAKEN = 1960;
const STAGE = 1961;
const STORED = 1980;
const DAEMON = 101;
const WRITES = 8;
let stack, page;

const line = (proc, thread, call, depth, begin, dur, size, more = {}) =>
  [
    ...[proc, thread, call, depth, begin, dur, size],
    ...[more.cid ?? 0, more.cause ?? 0, more.batch ?? 0, 0, 0, '-'],
  ].join(' ');

/** Writes of two clients that are stored together, long after. */
function lines() {
  const made = [];
  const taken = [];
  for (let i = 0; i < WRITES; i++) {
    const client = 1 + (i % 2);
    const at = 1000 * (i + 1);
    made.push(
      line(client, 1, FORWARD, 1, at + 50, 100, 4096, {cid: i + 1}),
      line(client, 1, WRITE, 0, at, 200, 4096),
    );
    taken.push(
      line(DAEMON, 2, TAKEN, 0, at + 300, 90000 - at, 4096, {
        cause: i + 1,
        batch: 1,
      }),
    );
  }
  made.push(
    line(DAEMON, 1, STORED, 1, 50000, 30000, WRITES * 4096),
    line(DAEMON, 1, STAGE, 0, 49000, 40000, WRITES * 4096, {batch: 1}),
  );
  // of each thread, as they end
  return [...made, ...taken].join('\n') + '\n';
}

before(async () => {
  stack = await startWithStack('-1', lines());
  page = stack.page;
});

after(() => stack?.stop());

test('the layers of the service can be chosen', async () => {
  const choice = page.locator('#filter label', {hasText: /^Layer/});
  assert.deepEqual(await choice.locator('option').allTextContents(), [
    'posix',
    'client',
    'serve',
    'backend',
    'operating system',
  ]);
});

test('the time of calls is without that of the service', async () => {
  const all = await numbers(page, 'icicle');
  assert.ok(Math.abs(all.width - WRITES * 200e-9) < 1e-12, all.width);
  assert.deepEqual(
    new Set(all.boxes.map((box) => box.name)),
    new Set(['pwrite', 'forward']),
  );
});

test('the map of processes counts the calls of the program', async () => {
  await set(page, {rows: 'heat'});
  assert.match(
    await page.locator('#heat .lead').textContent(),
    /^1\.6 µs in I\/O, summed/,
  );
});

test('a daemon that is chosen shows what it did', async () => {
  const {who} = await page.evaluate(() => weirPage.size());
  await set(page, {who: who - 1});
  const all = await numbers(page, 'icicle');
  await set(page, {who: null});
  assert.deepEqual(
    new Set(all.boxes.map((box) => box.name)),
    new Set(['serve_write', 'serve_stage', 'backend_write']),
  );
});

test('a call leads down to what stored it', async () => {
  await page.evaluate(() =>
    weirPage.part('calls').set({view: 'client', of: 'latency', who: 0}),
  );
  const bars = await numbers(page, 'calls');
  assert.equal(bars.length, WRITES / 2);
  const layers = bars.map((bar) => Object.keys(bar.parts).sort().join());
  assert.deepEqual(layers, [
    'backend,client,posix,serve',
    ...Array(WRITES / 2 - 1).fill('client,posix,serve'),
  ]);
  assert.deepEqual(page.faults, []);
});

test('the daemon has no share in what the program does', async () => {
  await set(page, {measure: 'bytes'});
  const {rows, mean} = await numbers(page, 'ranks');
  assert.equal(rows.length, 2);
  assert.equal(mean, (WRITES * 4096) / 2);
});
