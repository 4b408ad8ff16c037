// SPDX-License-Identifier: BSD-3-Clause
// The page as weir report --browse shows it: it asks for events of the trace.
// Usage: WEIR, MAKE_EVENTS and CHROMIUM in the environment.
import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {after, before, test} from 'node:test';
import {set, start} from './browser.mjs';

const {WEIR, MAKE_EVENTS} = process.env;
const MADE = 60000; // more than a page keeps
const folder = mkdtempSync(join(tmpdir(), 'weir-served-'));
const trace = join(folder, 'trace');
let browser, server, address, page;

/** What weir dump tells of some events. */
function dump(...options) {
  const text = execFileSync(
    WEIR,
    ['dump', '--format', 'jsonl', ...options, trace],
    {encoding: 'utf8', maxBuffer: 1 << 30},
  );
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** What the page knows, but for its columns. */
function headOfPage() {
  const file = join(folder, 'data');
  execFileSync(WEIR, ['report', trace, '--page-data', file]);
  const data = readFileSync(file);
  return JSON.parse(data.subarray(16, 16 + data.readUInt32LE(12)));
}

const idOf = (event) => `${event.proc}.${event.thread}.${event.index}`;

before(async () => {
  execFileSync(MAKE_EVENTS, [
    ...['-e', String(MADE), '-p', '4', '-t', '1', '-f', '300', '-n', '1'],
    trace,
  ]);
  server = spawn(WEIR, ['report', trace, '--browse'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  [address] = await Promise.race([
    new Promise((done) =>
      createInterface({input: server.stdout}).once('line', (line) =>
        done([line]),
      ),
    ),
    new Promise((_, fail) =>
      server.once('exit', (code) => fail(new Error(`weir ended: ${code}`))),
    ),
  ]);
  browser = await start();
  page = await browser.visit(address);
});

after(async () => {
  await browser?.stop();
  server?.kill('SIGTERM');
  rmSync(folder, {recursive: true});
});

const isOfEvents = (message) => message.url().includes('/events?');

/** The ids in the table, once all that was asked is answered and drawn. */
async function idsAfter(action) {
  let open = 0;
  let told = null;
  const count = (request) => (open += isOfEvents(request));
  const answered = async (answer) => {
    if (!isOfEvents(answer)) return;
    told = await answer.json();
    open--;
  };
  const first = page.waitForResponse(isOfEvents);
  page.on('request', count);
  page.on('response', answered);
  await action();
  await first;
  while (open) await page.waitForTimeout(10);
  page.off('request', count);
  page.off('response', answered);
  await page.waitForFunction(
    (due) =>
      [...document.querySelectorAll('#events table.events td')].some(
        (cell) => cell.textContent === due,
      ),
    idOf(told.events.at(-1)),
  );
  return page.$$eval('#events table.events tbody tr', (rows) =>
    rows.map((row) => row.firstChild.textContent),
  );
}

const choose = (value) =>
  page
    .locator('#events label.choice', {hasText: 'From'})
    .locator('select')
    .selectOption(value);

test('it shows the trace from its begin, and more when asked', async () => {
  const due = dump('--time', '0-0.01').map(idOf);
  assert.deepEqual(await idsAfter(() => choose('trace')), due.slice(0, 50));
  const more = await idsAfter(() => page.click('#events button.more'));
  assert.deepEqual(more, due.slice(0, 100));
});

test('its filter selects events of the trace', async () => {
  const window = [1000000.5, 1200000.25];
  const due = dump('--time', '1000000ns-1200001ns', '--process', 'rank:2');
  const ids = await idsAfter(() => set(page, {window, who: 2}));
  assert.deepEqual(ids, due.slice(0, 50).map(idOf));
  assert.ok(ids.length > 0);
});

test('every row of files leads to events', async () => {
  const all = dump();
  const {files} = headOfPage();
  const told = new Set(files.map((file) => file.name).filter(Boolean));
  const wanted = {
    file: (event, row) => event.file === row.name,
    others: (event) => event.file && !told.has(event.file),
  };
  for (const kind of Object.keys(wanted)) {
    const file = files.findIndex((row) => row.kind === kind);
    assert.ok(file >= 0, kind);
    const due = all.filter((event) => wanted[kind](event, files[file]));
    const ids = await idsAfter(() =>
      set(page, {window: null, who: null, file}),
    );
    assert.deepEqual(ids, due.slice(0, 50).map(idOf), kind);
  }
});

test('an event is shown with what caused it', async () => {
  const [inner] = dump('--links').filter((event) => event.parent);
  const outer = inner.parent;
  await set(page, {file: null, window: [inner.start, inner.start]});
  await page.locator('#events table.events button', {hasText: outer}).click();
  await page.waitForFunction(
    (ids) =>
      ids.every((id) =>
        document.querySelector('#event-detail').textContent.includes(id),
      ),
    [outer, inner.id],
  );
});

test('it talks to its server alone, and breaks no rule', () => {
  const {origin} = new URL(address);
  assert.deepEqual(page.faults, []);
  assert.ok(page.requests.length > 5);
  for (const url of page.requests)
    assert.ok(url.startsWith(origin + '/') || url.startsWith('data:'), url);
});

test('the URL works once', async () => {
  const second = await browser.visit(address, {ready: false});
  assert.match(await second.textContent('body'), /works once/);
});
