// SPDX-License-Identifier: BSD-3-Clause
// What a reader sees first: the cause, what to try, where on the page one is;
// that nothing is cut off, and that numbers read as language has them.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {numbers, set, start} from './browser.mjs';
import {call, CALLS, finding, makeRun, report} from './made.mjs';

const run = makeRun({ranks: 8, steps: 12});
const COMMAND = 'weir run --plan trace/plan-small-writes.xml -- ./simulate';
const place = (name) => ({name, count: 1, bytes: 1, time: 1, saving: 1});
const found = finding({
  title: '24016 small writes',
  files: 3,
  try: COMMAND,
  top: [place('/scratch/run/private.0002'), place('/home/user/run.log')],
});
const WAYS = {viewport: {width: 1280, height: 900}};
let browser;
let page;

before(async () => {
  browser = await start();
  page = await browser.open(
    report(run, {findings: [found], evidence: [[run.events[3]]]}),
    WAYS,
  );
});
after(async () => {
  assert.deepEqual(page.faults, []);
  await browser.stop();
});

test('it opens on the layer and the file where the time is', async () => {
  const {cause} = await numbers(page, 'summary');
  const own = new Map();
  const below = new Map();
  for (const e of run.events)
    if (e.parent) below.set(e.parent, (below.get(e.parent) ?? 0) + e.dur);
  const names = {H5: 'hdf5', MP: 'mpiio', fp: 'stdio', st: 'stdio'};
  for (const e of run.events) {
    const {name} = CALLS[e.call];
    if (name === 'stream_flush') continue;
    const layer =
      name === 'stat' ? 'posix' : (names[name.slice(0, 2)] ?? 'posix');
    const inner = name === 'fprintf' ? 0 : (below.get(e) ?? 0);
    own.set(layer, (own.get(layer) ?? 0) + (e.dur - inner) / 1e9);
  }
  const greatest = [...own].sort((a, b) => b[1] - a[1])[0][0];
  assert.equal(cause.layer, greatest);
  for (const {name, time} of cause.parts)
    assert.ok(Math.abs(time - own.get(name)) < 1e-4, `${name}: ${time}`);
  assert.equal(cause.file, '/scratch/run/checkpoint.h5');
  const text = await page.locator('#summary .cause').textContent();
  assert.match(
    text,
    /% of the time in I\/O calls is in posix, .* in pwrite; most/,
  );
  const top = await page.locator('#summary .cause').boundingBox();
  assert.ok(top.y + top.height < 900, 'it is in sight before any scrolling');
});

test('a card names the file and the command to try', async () => {
  const card = page.locator('#finding-0');
  assert.equal(
    await card.locator('.where').innerText(),
    '/scratch/run/private.0002 and 2 more files',
  );
  assert.equal(await card.locator('.try code').innerText(), COMMAND);
  assert.match(await card.locator('h3').innerText(), /^24,016 small writes$/);
  await card.getByRole('button', {name: 'Copy'}).click();
  assert.equal(await page.evaluate(() => getSelection().toString()), COMMAND);
});

test('operations stand by their time, with the count beside', async () => {
  const {rows} = await numbers(page, 'operations');
  const times = new Map();
  for (const {layer, time} of rows)
    times.set(layer, (times.get(layer) ?? 0) + time);
  rows.slice(1).forEach((row, i) => {
    assert.ok(times.get(row.layer) <= times.get(rows[i].layer));
    if (row.layer === rows[i].layer) assert.ok(row.time <= rows[i].time);
  });
  assert.ok(rows.some((row, i) => i && row.calls > rows[i - 1].calls));
  const heads = await page.locator('#operations th[scope=col]').allInnerTexts();
  assert.deepEqual(heads, ['kind', 'time', '', 'calls', 'bytes']);
});

test('what waits is told apart, and is no part of I/O', async () => {
  const slow = makeRun({ranks: 2, steps: 1});
  const waits = slow.events.filter((event) => event.call === call('write'));
  for (const event of waits) event.call = call('recv');
  const waited = waits.reduce((sum, event) => sum + event.dur, 0) / 1e9;
  const other = await browser.open(report(slow), WAYS);
  const {rows} = await numbers(other, 'operations');
  assert.equal(rows.at(-1).calls, waits.length);
  assert.match(
    await other.locator('#operations tbody tr').last().innerText(),
    /^waiting on pipes, sockets and terminals recv\t/,
  );
  const named = async () =>
    (await numbers(other, 'icicle')).boxes.map((box) => box.name);
  assert.ok(!(await named()).includes('recv'), 'I/O comes first');
  const {width} = await numbers(other, 'icicle');
  await other.locator('#icicle select').selectOption('all');
  assert.equal((await named()).at(-1), 'recv');
  const all = (await numbers(other, 'icicle')).width;
  assert.ok(Math.abs(all - width - waited) < 1e-9, `${all} ${width} ${waited}`);
  const bars = (await numbers(other, 'ranks')).rows.map(({value}) => value);
  assert.ok(Math.abs(bars[0] + bars[1] - width) < 1e-6, `${bars} ${width}`);
  assert.match(
    await other.locator('.cause').innerText(),
    /waiting and starting [\d.]+ µs \(not I\/O\)/,
  );
  await other.close();
});

test('a step of the bandwidth has its pixels, and finer ones zoomed', async () => {
  const plot = await page.locator('#rates .u-over').first().boundingBox();
  const whole = await numbers(page, 'rates');
  const steps = run.span / 1e9 / whole.step;
  assert.ok(2 * steps <= plot.width, `${steps} steps on ${plot.width} pixels`);
  const fine = makeRun({ranks: 2, steps: 4, bins: 1024});
  const other = await browser.open(report(fine), WAYS);
  const all = (await numbers(other, 'rates')).step;
  assert.ok(all > (2 * fine.width) / 1e9, 'bins are joined');
  await set(other, {view: [0, fine.span / 8]});
  const part = (await numbers(other, 'rates')).step;
  assert.ok(Math.abs(part - fine.width / 1e9) < 1e-12, 'none when zoomed');
  await other.close();
});

test('what compares processes is left out where there is one', async () => {
  const ids = (of) =>
    of.$$eval('nav a', (links) => links.map((link) => link.hash.slice(1)));
  const one = await browser.open(report(makeRun({ranks: 1, steps: 2})), WAYS);
  for (const id of ['sharing', 'ranks']) {
    assert.ok((await ids(page)).includes(id));
    assert.ok(!(await ids(one)).includes(id));
    assert.equal(await one.locator('#' + id).count(), 0);
  }
  assert.deepEqual(one.faults, []);
  await one.close();
});

test('the mark of the section follows scrolling', async () => {
  const marked = async (id) => {
    await page.waitForFunction(
      (name) =>
        document.querySelector('nav a[aria-current]')?.hash === '#' + name,
      id,
    );
    assert.equal(await page.locator('nav a[aria-current]').count(), 1);
  };
  await marked('summary');
  for (const id of ['heat', 'files', 'events']) {
    await page.locator(`nav a[href="#${id}"]`).click();
    await marked(id);
  }
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await marked('limits');
  await page.evaluate(() => scrollTo(0, 0));
  await marked('summary');
});

/** Elements whose content is wider than they are. */
const tooWide = (of) =>
  of.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter(
        (one) =>
          one.scrollWidth > one.clientWidth &&
          one.clientWidth > 0 &&
          getComputedStyle(one).display !== 'inline' &&
          !one.classList.contains('unseen'),
      )
      .map((one) => `${one.tagName}#${one.id}.${one.className}`),
  );

for (const width of [1280, 1920])
  for (const colorScheme of ['light', 'dark'])
    test(`nothing is too wide, ${width} ${colorScheme}`, async () => {
      const names = Array.from(
        {length: 6},
        (_, i) =>
          `/scratch/${'a-rather-long-name-of-a-project/'.repeat(4)}${i}`,
      );
      const long = makeRun({ranks: 6, steps: 6, names});
      const other = await browser.open(
        report(long, {
          findings: [found, finding({top: [place(names[0])]})],
          evidence: [[long.events[3]], []],
          args: ['/opt/programs/simulate', ...names],
        }),
        {viewport: {width, height: 900}, colorScheme},
      );
      await set(other, {event: 4, window: [0, long.span / 2], file: 9});
      await other.evaluate(() => {
        document.querySelectorAll('details').forEach((one) => {
          one.open = true;
        });
        weirPage.redraw();
      });
      assert.deepEqual(await tooWide(other), []);
      assert.ok(
        await other.evaluate(
          () => document.documentElement.scrollWidth <= innerWidth,
        ),
      );
      await other.close();
    });

test('one is singular, and thousands have separators', async () => {
  const one = makeRun({ranks: 1, steps: 1, each: 1});
  const other = await browser.open(
    report(one, {
      findings: [finding()],
      evidence: [[one.events[0]]],
      unseen: {dropped: 1, unended: 1, system: 12345},
    }),
    WAYS,
  );
  const text = await other.evaluate(() => document.body.innerText);
  assert.match(text, /1 finding\n/);
  assert.match(text, /\b1 call made when/);
  assert.match(text, /\b1 process whose end/);
  assert.match(text, /12,345 calls on sockets/);
  assert.match(text, /Show the evidence \(1 event\)/);
  assert.doesNotMatch(
    text,
    /(?<![\d.,])1 (calls|files|events|findings|steps|equal parts|processes|hosts|requests)\b/,
  );
  assert.doesNotMatch(text, /(?<![\w.,/:-])\d{5,}(?![\w/])/);
  await other.close();
});
