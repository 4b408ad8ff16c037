// SPDX-License-Identifier: BSD-3-Clause
// Processes over time: who they are and when they lived, in which layer they
// were, and single calls as bars where these can be told apart.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {numbers, set, start, state} from './browser.mjs';
import {CALLS, LAYERS, makeRun, report} from './made.mjs';

const run = makeRun({ranks: 8, steps: 12});
const STEP = run.span / 12;
const VIEW = [3 * STEP, 3.9 * STEP]; // one step of all ranks
const id = (e) => `${e.who + 1}.1.${e.number}`;
const inView = (e) => e.start <= VIEW[1] && e.start + e.dur >= VIEW[0];
let browser;
let page;

before(async () => {
  browser = await start();
  page = await browser.open(
    report(run, {
      people: (who) => ({
        pid: 4000 + who,
        program: 'simulate',
        processes: 1,
        procs: String(who + 1),
      }),
      lives: (who) => ({first: who * 1e6, last: run.span - who * 2e6}),
    }),
  );
});
after(async () => {
  assert.deepEqual(page.faults, []);
  await browser.stop();
});

test('the map starts with time, coloured by layer', async () => {
  const heat = await numbers(page, 'heat');
  assert.equal(heat.measure, 'layers');
  assert.equal(heat.bars, null);
  const below = new Map();
  for (const e of run.events)
    if (e.parent) below.set(e.parent, (below.get(e.parent) ?? 0) + e.dur);
  for (const [layer, time] of heat.byLayer) {
    const due = run.events
      .filter((e) => CALLS[e.call].layer === layer)
      .filter((e) => CALLS[e.call].name !== 'stream_flush')
      .reduce(
        (sum, e) =>
          sum +
          e.dur -
          (LAYERS[layer].id === 'stdio' ? 0 : (below.get(e) ?? 0)),
        0,
      );
    assert.ok(Math.abs(time - due / 1e9) < 1e-4, `${LAYERS[layer].id} ${time}`);
  }
  assert.ok(heat.byLayer.length >= 4);
});

test('each process has its rank, program, pid and life', async () => {
  const heat = await numbers(page, 'heat');
  assert.deepEqual(heat.names[3], ['rank 3', 'simulate 4003']);
  assert.deepEqual(heat.lives[3], [3e6, run.span - 6e6]);
  const canvas = page.locator('#heat canvas').first();
  const box = await canvas.boundingBox();
  await canvas.hover({position: {x: box.width / 2, y: 50 + 18 * 3.5}});
  assert.match(
    await page.locator('#tip').innerText(),
    /rank 3\nsimulate, pid 4003, on node2\nlived 3 ms to 1.19 s/,
  );
});

test('zoomed in, every call is a bar below the one that made it', async () => {
  await set(page, {view: VIEW});
  const {bars} = await numbers(page, 'heat');
  const due = run.events.filter(inView);
  assert.deepEqual(bars.map((bar) => bar.id).sort(), due.map(id).sort());
  const laneOf = new Map(bars.map((bar) => [bar.id, bar.lane]));
  const least = Array.from({length: 8}, (_, who) =>
    Math.min(...bars.filter((bar) => bar.who === who).map(({lane}) => lane)),
  );
  const depth = (e) => (e.parent ? 1 + depth(e.parent) : 0);
  for (const e of due)
    assert.equal(laneOf.get(id(e)) - least[e.who], depth(e), id(e));
  await set(page, {view: [0, run.span]});
  assert.equal((await numbers(page, 'heat')).bars, null, 'the map again');
});

test('a bar tells of its call, and a click shows its tree', async () => {
  await set(page, {view: VIEW, event: -1});
  const wanted = run.events.find(
    (e) => inView(e) && e.who === 2 && e.parent?.parent && e.size === 65536,
  );
  const at = await page.evaluate((name) => {
    const {lanes} = weirPage.part('heat');
    return lanes.placeOf(lanes.get().bars.find((bar) => bar.id === name));
  }, id(wanted));
  const canvas = page.locator('#heat canvas').nth(1);
  const position = {x: at[0], y: at[1]};
  await canvas.hover({position});
  const tip = await page.locator('#tip').innerText();
  for (const part of [
    /^pwrite\n/,
    /posix, rank 2\n/,
    /checkpoint\.h5\n/,
    /64 KiB at [\d,]+\n/,
    /ms long, from/,
  ])
    assert.match(tip, part);
  await canvas.click({position});
  await page.waitForFunction(() => weirPage.state().event >= 0);
  const {event} = await numbers(page, 'events');
  assert.deepEqual(event.above, [id(wanted.parent.parent), id(wanted.parent)]);
  await page.evaluate(() => document.querySelector('#heat').scrollIntoView());
  await canvas.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  assert.match(await page.locator('#live').textContent(), /rank 0/);
  await page.keyboard.press('+');
  const {view} = await state(page);
  assert.ok(view[1] - view[0] < VIEW[1] - VIEW[0]);
  await set(page, {view: [0, run.span], event: -1});
});

test('bars wait for the server where the file has not all calls', async () => {
  const kept = report(run, {keep: (e) => e.who === 0 && e.number % 9 === 0});
  const file = await browser.open(kept);
  await set(file, {view: VIEW});
  assert.equal((await numbers(file, 'heat')).bars, null);
  assert.match(
    await file.locator('#heat .note').textContent(),
    /keeps \d+ of about [\d,]+ calls here; weir report --browse shows each/,
  );
  await set(file, {rows: 'bars'});
  assert.ok((await numbers(file, 'heat')).bars.length > 0, 'those there are');
  assert.deepEqual(file.faults, []);
  await file.close();
});
