// SPDX-License-Identifier: BSD-3-Clause
// Calls by what they took, in quarters of powers of two: from the table of
// all calls, or from the events kept where the table does not know the filter.
import {NEVER_RETURNED} from './model.js';
import {passes, weights} from './sums.js';

const NOTHING = 255; // the clock could tell no time
const ENOUGH = 10; // calls

/** Where a quarter begins, in seconds; the end of the one before. */
const leastOf = (quarter) =>
  quarter < 0 || quarter === NOTHING
    ? 0
    : (2 ** Math.floor(quarter / 4) * (1 + (quarter % 4) / 4)) / 1e9;

export function quarterOf(ns) {
  if (ns < 1) return NOTHING;
  const power = Math.floor(Math.log2(ns));
  return 4 * power + Math.floor(4 * (ns / 2 ** power - 1));
}

/** The calls there are, by their own time, longest first. */
export function latencyCalls(model) {
  const {latency, paths, nodes} = model;
  const calls = new Map();
  for (let i = 0; i < latency.count; i++)
    calls.set(
      latency.call[i],
      (calls.get(latency.call[i]) ?? 0) + latency.calls[i],
    );
  const own = new Map();
  for (let i = 0; i < paths.count; i++) {
    const {call} = nodes[paths.node[i]];
    own.set(call, (own.get(call) ?? 0) + paths.own[i]);
  }
  const isIo = (call) =>
    !model.waits[model.calls[call].class] &&
    !model.later.has(model.calls[call].layer);
  return [...calls]
    .map(([call, number]) => ({call, calls: number}))
    .sort(
      (a, b) =>
        isIo(b.call) - isIo(a.call) ||
        (own.get(b.call) ?? 0) - (own.get(a.call) ?? 0),
    );
}

/** The longest of which there are enough to tell of latencies. */
export const firstCall = (calls) =>
  (calls.find(({calls: number}) => number >= ENOUGH) ?? calls[0]).call;

function ofTable(model, state, call, add) {
  const {latency} = model;
  const weight = weights(model, state.window, model.coarse);
  for (let i = 0; i < latency.count; i++) {
    if (latency.call[i] !== call) continue;
    const part = weight ? weight[latency.bin[i]] : 1;
    if (part)
      add(latency.quarter[i], part * latency.calls[i], part * latency.time[i]);
  }
}

function ofEvents(model, state, call, add) {
  const {sample} = model;
  const pass = passes(model, {...state, finding: null});
  for (let i = 0; i < sample.count; i++)
    if (
      sample.call[i] === call &&
      !(sample.flags?.[i] & NEVER_RETURNED) &&
      pass(i)
    )
      add(quarterOf(sample.dur[i]), 1, sample.dur[i] / 1e9);
}

/** {call, calls, time, rows: [{quarter, least, end, calls, time}], kept}. */
export function latencies(model, state, call) {
  const found = new Map();
  let calls = 0;
  let time = 0;
  const add = (quarter, number, seconds) => {
    const row = found.get(quarter) ?? {quarter, calls: 0, time: 0};
    row.calls += number;
    row.time += seconds;
    found.set(quarter, row);
    calls += number;
    time += seconds;
  };
  const kept = state.who !== null || state.file !== null;
  (kept ? ofEvents : ofTable)(model, state, call, add);
  return {call, calls, time, kept, rows: filled(found)};
}

/** All quarters between the least and the greatest, in their order. */
function filled(found) {
  const some = [...found.keys()].filter((quarter) => quarter !== NOTHING);
  const rows = [];
  for (let at = Math.min(...some); at <= Math.max(...some); at++)
    rows.push({quarter: at, calls: 0, time: 0, ...found.get(at)});
  if (found.has(NOTHING)) rows.unshift(found.get(NOTHING));
  return rows.map((row) => ({
    ...row,
    least: leastOf(row.quarter),
    end: leastOf(row.quarter === NOTHING ? 0 : row.quarter + 1),
  }));
}

/** The row in which that part of the calls is reached. */
export function percentile(rows, part) {
  const all = rows.reduce((sum, row) => sum + row.calls, 0);
  let sum = 0;
  return rows.find((row) => (sum += row.calls) >= part * all) ?? rows.at(-1);
}
