// SPDX-License-Identifier: BSD-3-Clause
// Every plot against numbers counted from the events in another way.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {numbers, set, start} from './browser.mjs';
import {
  CLASSES,
  LAYERS,
  call,
  finding,
  lowest,
  makeRun,
  report,
  total,
} from './made.mjs';

const run = makeRun({ranks: 8, steps: 12});
const low = lowest(run.events);
const layer = (id) => LAYERS.findIndex((row) => row.id === id);
const near = (a, b, what) =>
  assert.ok(
    Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(b)),
    `${what}: ${a} instead of ${b}`,
  );
const sum = (list, get = (x) => x) => list.reduce((s, x) => s + get(x), 0);
const named = (name) => run.events.filter((e) => e.call === call(name));
let browser;
let page;

before(async () => {
  browser = await start();
  page = await browser.open(
    report(run, {
      findings: [finding()],
      evidence: [[run.events[3], run.events[9]]],
      limits: ['a limit in words'],
      unseen: {dropped: 7, system: 3},
    }),
  );
});
after(() => browser.stop());

test('the heat map has the bytes of each process and bin', async () => {
  await set(page, {measure: 'write'});
  const heat = await numbers(page, 'heat');
  assert.equal(heat.rows.length, 8);
  for (let who = 0; who < 8; who++)
    near(
      heat.byWho[who],
      sum(
        [...low].filter((e) => e.who === who && e.call !== call('pread')),
        (e) => e.size,
      ),
      `rank ${who}`,
    );
  near(sum(heat.byBin), total(run, 'write'), 'all bins');
  await set(page, {measure: 'read'});
  near((await numbers(page, 'heat')).total, total(run, 'read'), 'read');
});

test('the heat map counts calls and time of a layer', async () => {
  await set(page, {measure: 'calls', layer: layer('mpiio')});
  const calls = run.events.filter(
    (e) =>
      e.call === call('MPI_File_open') ||
      e.call === call('MPI_File_write_at_all'),
  );
  near((await numbers(page, 'heat')).total, calls.length, 'calls');
  await set(page, {measure: 'time'});
  near(
    (await numbers(page, 'heat')).total,
    sum(calls, (e) => e.dur / 1e9),
    'time',
  );
  await set(page, {measure: 'bytes', layer: 0});
});

test('rates add up to what was moved', async () => {
  const rates = await numbers(page, 'rates');
  near(sum(rates.read), total(run, 'read'), 'read');
  near(sum(rates.write), total(run, 'write'), 'written');
  near(sum(rates.calls), low.size, 'requests');
});

test('the icicle is as wide as the calls of the program took', async () => {
  const icicle = await numbers(page, 'icicle');
  near(
    icicle.width,
    sum(
      run.events.filter((e) => !e.parent),
      (e) => e.dur / 1e9,
    ),
    'width',
  );
  const [top, below] = icicle.boxes;
  assert.equal(top.name, 'H5Dwrite');
  near(
    top.time,
    sum(named('H5Dwrite'), (e) => e.dur / 1e9),
    'time',
  );
  near(
    top.own,
    top.time - sum(named('MPI_File_write_at_all'), (e) => e.dur / 1e9),
    'own time',
  );
  assert.deepEqual(
    [below.name, below.depth, below.calls],
    ['MPI_File_write_at_all', 1, 8 * 12 * 4],
  );
  near(sum(icicle.layers), icicle.width, 'own times of layers');
});

test('sizes are counted in powers of two', async () => {
  const {rows, kept} = await numbers(page, 'sizes');
  assert.equal(kept, false);
  assert.deepEqual(
    rows.map((row) => [row.power, row.read, row.write]),
    [
      [6, 0, 8 * 12 * 6 + 12],
      [12, 32, 0],
      [16, 0, 8 * 12 * 4],
    ],
  );
});

test('operations are told by layer and kind', async () => {
  const {rows} = await numbers(page, 'operations');
  const of = (id, kind) =>
    rows.find(
      (row) => row.layer === layer(id) && CLASSES[row.kind].name === kind,
    );
  assert.equal(of('posix', 'write').calls, 8 * 12 * 10);
  assert.equal(of('posix', 'open').calls, 8);
  assert.equal(of('hdf5', 'write').calls, 8 * 12 * 4);
  near(of('mpiio', 'write').bytes, 8 * 12 * 4 * 65536, 'bytes');
  assert.ok(!rows.some((row) => row.layer === layer('os')));
});

test('file systems, files and sharing agree', async () => {
  const mounts = await numbers(page, 'mounts');
  assert.deepEqual(
    mounts.map((row) => [row.path, row.files]),
    [
      ['/scratch', 9],
      ['/home', 1],
    ],
  );
  near(mounts[0].written, 8 * 12 * (4 * 65536 + 600), 'written');
  const files = await numbers(page, 'files');
  const shared = files.find((row) => row.name.endsWith('.h5'));
  assert.deepEqual([shared.processes, shared.written], [8, 8 * 12 * 4 * 65536]);
  const matrix = await numbers(page, 'sharing');
  assert.equal(matrix.files[0], '/scratch/run/checkpoint.h5');
  for (let who = 0; who < 8; who++)
    near(matrix.values[who], 12 * 4 * 65536, 'share');
  const own = matrix.files.indexOf('/scratch/run/private.0003');
  assert.deepEqual(
    matrix.values.slice(own * 8, own * 8 + 8),
    [0, 0, 0, 7200, 0, 0, 0, 0],
  );
});

test('the balance shows who is slow', async () => {
  await set(page, {measure: 'time', layer: layer('hdf5')});
  const ranks = await numbers(page, 'ranks');
  assert.equal(ranks.rows.length, 8);
  near(ranks.greatest, ranks.rows[7].value, 'the last is slowest');
  near(
    ranks.rows[7].value,
    sum(
      run.events.filter(
        (e) =>
          e.who === 7 &&
          (e.call === call('H5Dwrite') || e.call === call('H5Fopen')),
      ),
      (e) => e.dur / 1e9,
    ),
    'its time',
  );
  await set(page, {measure: 'bytes', layer: 0});
});

test('steps have requests by process and bytes', async () => {
  const {requests, rows} = await numbers(page, 'steps');
  assert.equal(requests[0 * 12 + 0], 4 + 4 + 6 + 1 + 1);
  assert.equal(requests[3 * 12 + 5], 10);
  assert.deepEqual([rows[0].read, rows[5].read], [8 * 4 * 4096, 0]);
  assert.equal(rows[5].write, 8 * (4 * 65536 + 600) + 80);
});

test('accesses are where and when they were', async () => {
  const access = await numbers(page, 'access');
  assert.equal(access.file, '/scratch/run/checkpoint.h5');
  assert.equal(access.points.length, 8 * 12 * 4);
  assert.equal(access.extent, 8 * 12 * 4 * 65536);
  const sorted = named('pwrite').sort((a, b) => a.start - b.start);
  sorted.forEach((event, i) =>
    assert.deepEqual(
      [
        access.points[i].start,
        access.points[i].off,
        access.points[i].who,
        access.points[i].order,
      ],
      [event.start, event.off, event.who, i + 1],
    ),
  );
});

test('call by call the layers add up', async () => {
  const bars = await numbers(page, 'calls');
  const mine = named('MPI_File_write_at_all').filter((e) => e.who === 0);
  assert.deepEqual(
    bars.map((bar) => bar.id),
    mine.map((_, i) => i),
  );
  bars.forEach((bar, i) => {
    near(bar.seconds, mine[i].dur / 1e9, 'latency');
    near(bar.parts.mpiio + bar.parts.posix, bar.seconds, 'layers');
  });
});

test('bars of a server are there only when it was traced', async () => {
  assert.equal(await page.locator('#calls').getByLabel('Server').count(), 0);
  const served = makeRun({ranks: 3, steps: 4, server: true});
  const other = await browser.open(report(served));
  await other.evaluate(() => weirPage.part('calls').set({view: 'server'}));
  const bars = await numbers(other, 'calls');
  const calls = served.events.filter(
    (e) => e.call === call('serve_write') && e.who === 3,
  );
  assert.equal(bars.length, calls.length);
  near(
    sum(bars, (bar) => bar.parts.server),
    sum(calls, (e) => e.dur / 1e9),
    'time in the server',
  );
  assert.deepEqual(
    bars.slice(0, 3).map((bar) => [bar.id, bar.who]),
    [
      [0, 0],
      [0, 1],
      [0, 2],
    ],
  );
  assert.deepEqual(other.faults, []);
  await other.close();
});

test('losses and limits are said', async () => {
  assert.match(
    await page.locator('#summary .warn').textContent(),
    /not complete.*7 calls/,
  );
  assert.match(await page.locator('#limits').textContent(), /a limit in words/);
});

test('every canvas has been painted, in both themes', async () => {
  const painted = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('canvas')]
        .filter((canvas) => canvas.offsetParent)
        .map((canvas) => {
          const {data} = canvas
            .getContext('2d')
            .getImageData(0, 0, canvas.width, canvas.height);
          const seen = new Set(new Uint32Array(data.buffer));
          return seen.size;
        }),
    );
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({colorScheme});
    await page.evaluate(() => weirPage.redraw());
    const colours = await painted();
    assert.ok(colours.length >= 10, `${colours.length} canvases`);
    colours.forEach((count, i) =>
      assert.ok(
        count > 3,
        `canvas ${i} has ${count} colours in ${colorScheme}`,
      ),
    );
  }
});

test('a table of numbers stands beside every canvas', async () => {
  for (const card of await page.locator('.card:has(canvas)').all()) {
    await card.locator('.numbers summary').click();
    await card.locator('.numbers td').first().waitFor();
    assert.ok(
      (await card.locator('.numbers td').count()) > 0,
      await card.getAttribute('id'),
    );
  }
});

test('nothing went wrong and nobody was asked', () => {
  assert.deepEqual(page.faults, []);
  assert.equal(
    page.requests.filter((url) => !url.startsWith('data:')).length,
    1,
  );
});
