// SPDX-License-Identifier: BSD-3-Clause
// What is chosen in one plot changes the others: by pointer and by keys.
import assert from 'node:assert/strict';
import {after, before, beforeEach, test} from 'node:test';
import {fill} from './pack.mjs';
import {finding, makeRun, report, total} from './made.mjs';
import {numbers, set, start, state, template} from './browser.mjs';

const run = makeRun({ranks: 8, steps: 12});
const evidence = run.events.filter((e) => e.size === 100).slice(4, 7);
const bytes = report(run, {
  findings: [
    finding({
      top: [
        {
          name: '/scratch/run/private.0002',
          count: 1,
          bytes: 1,
          time: 1,
          saving: 1,
        },
      ],
    }),
    finding({id: 'other'}),
  ],
  evidence: [evidence, []],
});
const id = (e) => `${e.who + 1}.1.${e.number}`;
let browser;
let page;

before(async () => {
  browser = await start();
  page = await browser.open(bytes);
  await set(page, {measure: 'bytes'});
});
after(async () => {
  assert.deepEqual(page.faults, []);
  await browser.stop();
});
beforeEach(async () => {
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !weirPage.describe('filter').filtered);
  await set(page, {}); // drawn at once, so that nothing moves below a click
});

/** Drag over a part of an element: from and to as parts of its width. */
async function drag(selector, from, to, row = 0.5) {
  const element = page.locator(selector).first();
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  const y = box.y + row * box.height;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, y);
  await page.mouse.move(box.x + to * box.width, y);
  await page.mouse.up();
  await page.waitForFunction(() => weirPage.state().window);
}

const IDS = [
  'heat',
  'rates',
  'icicle',
  'sizes',
  'ranks',
  'operations',
  'latency',
  'processes',
  'mounts',
  'files',
  'access',
  'sharing',
  'steps',
  'calls',
  'events',
];
const FIXED = ['rates']; // it shows all time, and the window in it

for (const plot of [
  '#heat canvas:visible',
  '#rates .u-over',
  '#access canvas',
  '#steps .pair > div:last-child canvas',
])
  test(`a window drawn in ${plot} filters all the others`, async () => {
    const before = await page.evaluate(() => weirPage.describe());
    await drag(plot, 0.4, 0.6);
    const now = await page.evaluate(() => weirPage.describe());
    for (const one of IDS.filter((name) => !FIXED.includes(name)))
      assert.notDeepEqual(now[one], before[one], one);
    assert.equal(now.filter.chips.length, 1);
    assert.match(now.filter.chips[0], /^time 0\.\d+ s to/);
  });

test('a window counts exactly what is in it', async () => {
  // from the fourth to the ninth step: borders of the coarsest bins
  const window = [run.span / 4, (run.span * 3) / 4];
  await set(page, {window});
  const inside = (e) => e.start >= window[0] && e.start < window[1];
  const wrote = total(run, 'write', inside);
  const all = await page.evaluate(() => weirPage.describe());
  const near = (value, what) =>
    assert.ok(
      Math.abs(value - wrote) < 1,
      `${what}: ${value} instead of ${wrote}`,
    );
  near(all.heat.total, 'heat');
  near(all.ranks.mean * 8, 'ranks');
  near(
    all.sizes.rows.reduce((s, row) => s + row.writeBytes, 0),
    'sizes',
  );
  near(
    all.files.reduce((s, row) => s + row.written, 0) + 6 * 80,
    'files and what fprintf wrote',
  );
  near(
    all.steps.rows
      .filter((row) => row.inside)
      .reduce((s, row) => s + row.write, 0),
    'steps',
  );
  assert.equal(
    all.events.count,
    run.events.filter(
      (e) => e.start < window[1] && e.start + e.dur >= window[0],
    ).length,
  );
});

test('a click on a row of the heat map chooses the process', async () => {
  const before = await numbers(page, 'sizes');
  const canvas = page.locator('#heat canvas:visible');
  const box = await canvas.boundingBox();
  // the rows begin below the sums and are 18 pixels high
  await canvas.click({position: {x: box.width / 2, y: 50 + 18 * 2.5}});
  await page.waitForFunction(() => weirPage.state().who === 2);
  const sizes = await numbers(page, 'sizes');
  assert.equal(sizes.kept, true);
  assert.notDeepEqual(sizes, before);
  const own = sizes.rows.find((row) => row.power === 16);
  assert.equal(own.write, 12 * 4);
  const files = await numbers(page, 'files');
  assert.deepEqual(files.map((row) => row.name).sort(), [
    '/home/user/input.dat',
    '/scratch/run/checkpoint.h5',
    '/scratch/run/private.0002',
  ]);
  // the chips are drawn after the numbers
  await page.waitForFunction(
    () => weirPage.describe('filter').chips.length === 1,
  );
  assert.deepEqual((await numbers(page, 'filter')).chips, ['rank 2']);
});

test('a file chosen shows its accesses, events and who used it', async () => {
  await page
    .getByRole('button', {name: '/scratch/run/private.0005'})
    .first()
    .click();
  await page.waitForFunction(() => weirPage.state().file === 8);
  const all = await page.evaluate(() => weirPage.describe());
  assert.equal(all.access.file, '/scratch/run/private.0005');
  assert.equal(all.access.points.length, 72);
  assert.equal(all.events.count, 72);
  assert.deepEqual(
    all.heat.byWho.map((value) => value > 0),
    [0, 0, 0, 0, 0, 1, 0, 0].map(Boolean),
  );
  assert.equal(Math.round(all.heat.total), 7200);
  assert.deepEqual(
    all.icicle.boxes.map((box) => [box.name, box.calls]),
    [['write', 72]],
  );
  assert.equal(all.steps.rows[3].write, 600);
});

test('a finding leads to its evidence, its file and the chain', async () => {
  await page.getByRole('button', {name: 'Show the evidence'}).click();
  await page.waitForFunction(() => weirPage.state().finding === 0);
  const events = await numbers(page, 'events');
  assert.deepEqual(events.ids.sort(), evidence.map(id).sort());
  assert.equal((await numbers(page, 'heat')).marks, 3);
  await page
    .locator('#finding-0 .where')
    .getByRole('button', {name: '/scratch/run/private.0002'})
    .click();
  assert.equal((await state(page)).file, 5);
  await page.getByRole('button', {name: 'Clear'}).click();
  assert.equal((await numbers(page, 'filter')).filtered, false);
});

test('an event shows what caused it and what it caused', async () => {
  const low = run.events.find((e) => e.parent?.parent && e.size);
  const middle = run.events.indexOf(low.parent);
  await set(page, {event: middle});
  const {event} = await numbers(page, 'events');
  assert.deepEqual(event, {
    above: [id(low.parent.parent)],
    below: [id(low)],
  });
  const chain = page.locator('#event-detail li');
  assert.equal(await chain.count(), 3);
  await chain.last().getByRole('button').click();
  await page.waitForFunction(
    () => weirPage.describe('events').event?.above.length === 2,
  );
  assert.match(
    await page.locator('#event-detail').textContent(),
    /write_state \(checkpoint\.c:212\)/,
  );
});

test('zooming and panning move all axes of time', async () => {
  await set(page, {window: [run.span / 4, run.span / 2]});
  await page.getByRole('button', {name: 'Zoom in'}).click();
  assert.deepEqual((await state(page)).view, [run.span / 4, run.span / 2]);
  await set(page, {}); // the bars of calls stand in place of the map
  const canvas = page.locator('#heat canvas:visible');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + box.width / 2, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 100, box.y + 100);
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.waitForTimeout(50);
  const {view, window} = await state(page);
  assert.ok(view[0] > run.span / 4 && view[1] > run.span / 2);
  assert.deepEqual(window, [run.span / 4, run.span / 2]);
  await page.getByRole('button', {name: 'Whole run'}).click();
  assert.deepEqual((await state(page)).view, [0, run.span]);
});

test('all of it works by keys alone', async () => {
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('body').press('Tab');
  const skip = () => page.evaluate(() => document.activeElement.className);
  for (let i = 0; i < 3 && (await skip()) !== 'skip'; i++)
    await page.keyboard.press('Shift+Tab');
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  const reached = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    reached.push(
      await page.evaluate(
        () => document.activeElement.closest('section, #filter')?.id,
      ),
    );
    if (
      await page.evaluate(() => document.activeElement.matches('#heat canvas'))
    )
      break;
  }
  assert.deepEqual([...new Set(reached)], ['findings', 'filter', 'heat']);
  for (let i = 0; i < 20; i++) await page.keyboard.press('ArrowRight');
  for (let i = 0; i < 10; i++) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => weirPage.state().who === 1);
  const {window} = await state(page);
  assert.deepEqual(
    window.map((time) => Math.round(time / run.width)),
    [40, 61],
  );
  assert.match(await page.locator('#live').textContent(), /rank 1/);
  const outline = await page.evaluate(
    () => getComputedStyle(document.activeElement).outlineStyle,
  );
  assert.equal(outline, 'solid');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => weirPage.state().who === null);
  assert.equal((await state(page)).window, null);
});

test('the served page asks the trace, a file never does', async () => {
  const row = (index, more = {}) => ({
    start: 5000,
    dur: 10,
    host: 'n',
    pid: 1,
    proc: 1,
    thread: 1,
    index,
    call: 'pwrite',
    layer: 'posix',
    file: '<b>name</b>',
    size: 1,
    ret: 1,
    ...more,
  });
  const answers = {
    '/events': {
      events: [row(1), row(2)],
      next: 'more',
      looked_at: 2,
    },
    '/event': {
      event: row(2),
      above: [row(0)],
      below: [row(3)],
      below_count: 5,
    },
  };
  const asked = [];
  const served = await browser.visit('http://weir.test/', {
    prepare: (tab) =>
      tab.route('**/*', (route) => {
        const url = new URL(route.request().url());
        asked.push(url.pathname + url.search);
        const json = answers[url.pathname];
        return json
          ? route.fulfill({json})
          : route.fulfill({
              contentType: 'text/html',
              body: fill(template(), bytes, "'self'"),
            });
      }),
  });
  await set(served, {window: [0, run.span / 2]});
  await served.getByLabel('From').selectOption('trace');
  await served.getByRole('button', {name: 'Ask for more'}).waitFor();
  assert.ok(
    asked.includes('/events?from=0&to=600000000&limit=50'),
    asked.join(' '),
  );
  await served.getByRole('button', {name: '1.1.2'}).first().click();
  await served.locator('#event-detail li').nth(2).waitFor();
  assert.ok(asked.includes('/event?id=1.1.2'));
  assert.equal(await served.locator('#events b').count(), 0);
  assert.deepEqual(served.faults, []);
  await served.close();
});
