// SPDX-License-Identifier: BSD-3-Clause
// Files, calls and processes are found by name; what a call took is shown
// call by call; processes stand in a table, and how they ended is said.
import assert from 'node:assert/strict';
import {after, before, beforeEach, test} from 'node:test';
import {numbers, set, start, state} from './browser.mjs';
import {call, makeRun, report} from './made.mjs';

const run = makeRun({ranks: 12, steps: 6});
const people = (who) => ({
  pid: 4000 + who,
  program: 'simulate',
  processes: 1,
  procs: String(who + 1),
});
const named = (name) => run.events.filter((e) => e.call === call(name));
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6 * b, `${a}, not ${b}`);
let browser;
let page;
let box;

before(async () => {
  browser = await start();
  page = await browser.open(
    report(run, {people, lives: () => ({first: 0, last: run.span})}),
  );
  box = page.getByRole('combobox', {name: 'Find a file, call or rank'});
});
after(async () => {
  assert.deepEqual(page.faults, []);
  await browser.stop();
});
beforeEach(async () => {
  await set(page, {window: null, who: null, file: null, call: null});
});

const found = () => page.locator('#found [role=option]').allInnerTexts();

test('a file is found by a part of its name', async () => {
  await box.fill('input');
  assert.deepEqual(await found(), ['file\n/home/user/input.dat']);
  await page.keyboard.press('Enter');
  assert.equal((await state(page)).file, 1);
  assert.ok(await page.locator('#found').isHidden());
});

test('a rank is found by its number, program or pid', async () => {
  await box.fill('rank 1');
  assert.deepEqual(
    (await found()).map((text) => text.split('\n')[1]),
    ['rank 1', 'rank 10', 'rank 11'],
  );
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal((await state(page)).who, 10);
  await box.fill('4007');
  await page.locator('#found [role=option]').first().click();
  assert.equal((await state(page)).who, 7);
});

test('a call is found, and its latency and events are shown', async () => {
  await box.fill('PWR');
  assert.match((await found())[0], /^call\npwrite\nposix$/);
  await page.keyboard.press('Enter');
  assert.equal((await state(page)).call, call('pwrite'));
  await set(page, {});
  const due = named('pwrite');
  assert.equal((await numbers(page, 'events')).count, due.length);
  assert.equal((await numbers(page, 'latency')).calls, due.length);
  assert.deepEqual((await numbers(page, 'filter')).chips, [
    'latency and events of pwrite',
  ]);
});

test('what is not there is said', async () => {
  await box.fill('no such name');
  assert.match(await page.locator('#found').innerText(), /Nothing of that/);
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('#found').isHidden());
});

test('the histogram has every call of the one that is chosen', async () => {
  await page.locator('#latency select').selectOption(String(call('write')));
  await set(page, {});
  const due = named('write');
  for (const who of [null, 3]) {
    await set(page, {who});
    const mine = due.filter((e) => who === null || e.who === who);
    const {rows, calls, time, kept} = await numbers(page, 'latency');
    assert.equal(kept, who !== null);
    assert.equal(calls, mine.length);
    near(time, mine.reduce((sum, e) => sum + e.dur, 0) / 1e9);
    for (const row of rows)
      assert.equal(
        row.calls,
        mine.filter((e) => e.dur / 1e9 >= row.least && e.dur / 1e9 < row.end)
          .length,
        `${row.least}`,
      );
  }
  assert.match(
    await page.locator('#latency .lead').textContent(),
    /calls of write, .* Half take less than \d/,
  );
});

test('processes stand with program, pid, host and life', async () => {
  const rows = await numbers(page, 'processes');
  assert.equal(rows.length, 12);
  rows.slice(1).forEach((row, i) => assert.ok(row.time <= rows[i].time));
  const table = page.locator('#processes table');
  assert.match(
    await table.locator('tbody tr').first().innerText(),
    /^rank \d+\tsimulate\t40\d\d\tnode\d\t600 ms\t/,
  );
  await table.getByRole('button', {name: 'rank 11'}).click();
  assert.equal((await state(page)).who, 11);
});

test('a program that was killed is named, with its signal', async () => {
  const few = makeRun({ranks: 3, steps: 1});
  const open = async (lives) => {
    const other = await browser.open(report(few, {people, lives}));
    const note = await other.locator('#ending').allInnerTexts();
    await other.close();
    return note;
  };
  const dead = (more) => (who) => ({
    program: '/opt/simulate',
    pid: 4000 + who,
    state: who === 2 ? 'cut' : 'exited',
    ...(who === 2 && more),
  });
  assert.deepEqual(await open(() => ({state: 'exited'})), []);
  const rest = ' What it did until then is in this report.';
  assert.deepEqual(await open(dead({signal: 'unknown'})), [
    'Rank 2, simulate (pid 4002) was killed or crashed (signal not known).' +
      rest,
  ]);
  assert.deepEqual(await open(dead({signal: 'SIGKILL'})), [
    'Rank 2, simulate (pid 4002) was killed by SIGKILL.' + rest,
  ]);
});
