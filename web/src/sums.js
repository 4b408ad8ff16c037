// SPDX-License-Identifier: BSD-3-Clause
// What the plots show: sums over the tables, of what the filter lets pass.
// A table that does not know a part of the filter is replaced by the events
// kept in the report, and the result says so (`kept`).
import {WAITING} from './colours.js';
import {layerOf, classOf, inLayer, isReal, READS, WRITES} from './model.js';

const EVERYBODY = 255; // processes that a table could not tell apart

/** How much of each bin of `step` fine bins lies in the window; null: all. */
export function weights(model, window, step = 1) {
  if (!window) return null;
  const width = model.width * step;
  const result = new Float64Array(Math.ceil(model.bins / step));
  for (let i = 0; i < result.length; i++) {
    const from = Math.max(window[0], i * width);
    const to = Math.min(window[1], (i + 1) * width);
    // borders of bins are round; what is below a part in 10^6 is not
    const part = Math.max(0, (to - from) / width);
    result[i] = part > 1 - 1e-6 ? 1 : part < 1e-6 ? 0 : part;
  }
  return result;
}

/** Is an event in the filter? `except` names parts to leave aside. */
export function passes(model, state, except = {}) {
  const {start, dur, who, file} = model.sample;
  const window = except.window ? null : state.window;
  const evidence =
    state.finding === null || except.finding
      ? null
      : (model.evidence[state.finding] ?? new Set());
  return (i) =>
    (!window || (start[i] < window[1] && start[i] + dur[i] >= window[0])) &&
    (state.who === null || except.who || who[i] === state.who) &&
    (state.file === null || file[i] === state.file) &&
    (!evidence || evidence.has(i));
}

export function events(model, state) {
  const pass = passes(model, state);
  const list = [];
  for (let i = 0; i < model.sample.count; i++) if (pass(i)) list.push(i);
  return list;
}

/* --- time x process -------------------------------------------------- */

const ofCells = {
  bytes: (t, i) => t.bytes[i],
  calls: (t, i) => t.calls[i],
  time: (t, i) => t.time[i],
};
const ofShare = {
  read: (t, i) => t.read[i],
  write: (t, i) => t.written[i],
  bytes: (t, i) => t.read[i] + t.written[i],
  calls: (t, i) => t.calls[i],
  time: (t, i) => t.time[i],
  layers: (t, i) => t.time[i],
};

/**
 * Own times of all layers: {values, parts: [{layer, values}]}, by process and
 * bin. What waits for others is a part of its own, whatever its layer.
 */
function byLayers(model) {
  const {cells, bins, who} = model;
  const size = who.length * bins;
  const values = new Float64Array(size);
  const parts = new Map();
  for (let i = 0; i < cells.count; i++) {
    const layer = cells.layer[i];
    if (!isReal(model, layer) || cells.who[i] === EVERYBODY || !cells.own[i])
      continue;
    const key = model.waits[cells.class[i]] ? WAITING : layer;
    if (!parts.has(key)) parts.set(key, new Float64Array(size));
    const at = cells.who[i] * bins + cells.bin[i];
    parts.get(key)[at] += cells.own[i];
    values[at] += cells.own[i];
  }
  return {
    values,
    anyLayer: false,
    parts: [...parts]
      .map(([layer, of]) => ({layer, values: of}))
      .sort(
        (a, b) =>
          (a.layer === WAITING) - (b.layer === WAITING) || b.layer - a.layer,
      ),
  };
}

/** The measure by process and bin, over all time: rows of `who`. */
export function grid(model, state, measure = state.measure) {
  const {bins, cells, share, coarse} = model;
  if (measure === 'layers' && state.file === null) return byLayers(model);
  const values = new Float64Array(model.who.length * bins);
  if (state.file !== null) {
    const get = ofShare[measure];
    for (let i = 0; i < share.count; i++) {
      if (share.file[i] !== state.file || share.who[i] === EVERYBODY) continue;
      const at = share.who[i] * bins + share.bin[i] * coarse;
      const part = get(share, i) / coarse;
      for (let k = 0; k < coarse; k++) values[at + k] += part;
    }
    return {values, anyLayer: true};
  }
  const only = {read: [READS], write: [WRITES], bytes: [READS, WRITES]}[
    measure
  ];
  const get = ofCells[only ? 'bytes' : measure];
  for (let i = 0; i < cells.count; i++) {
    if (
      cells.layer[i] !== state.layer ||
      cells.who[i] === EVERYBODY ||
      (only && !only.includes(model.moves[cells.class[i]]))
    )
      continue;
    values[cells.who[i] * bins + cells.bin[i]] += get(cells, i);
  }
  return {values, anyLayer: false};
}

/** Sums of a grid: by bin of the chosen process, by process in the window. */
export function margins(model, state, values) {
  const {bins} = model;
  const weight = weights(model, state.window);
  const byBin = new Float64Array(bins);
  const byWho = new Float64Array(model.who.length);
  for (let who = 0; who < byWho.length; who++) {
    for (let bin = 0; bin < bins; bin++) {
      const value = values[who * bins + bin];
      if (!value) continue;
      byWho[who] += weight ? value * weight[bin] : value;
      if (state.who === null || state.who === who) byBin[bin] += value;
    }
  }
  return {byBin, byWho};
}

/** Bytes and calls by bin, for the lines over time: one pass over a table. */
export function overTime(model, state) {
  const sums = {
    read: new Float64Array(model.bins),
    write: new Float64Array(model.bins),
    calls: new Float64Array(model.bins),
  };
  if (state.file === null) timeOfCells(model, state, sums);
  else timeOfShare(model, state, sums);
  return sums;
}

function timeOfCells(model, state, sums) {
  const {bin, who, layer, class: kind, calls, bytes, count} = model.cells;
  for (let i = 0; i < count; i++) {
    if (layer[i] !== state.layer) continue;
    if (state.who !== null && who[i] !== state.who) continue;
    sums.calls[bin[i]] += calls[i];
    const way = model.moves[kind[i]];
    if (way === READS) sums.read[bin[i]] += bytes[i];
    else if (way === WRITES) sums.write[bin[i]] += bytes[i];
  }
}

function timeOfShare(model, state, sums) {
  const {share, coarse} = model;
  for (let i = 0; i < share.count; i++) {
    if (share.file[i] !== state.file) continue;
    if (state.who !== null && share.who[i] !== state.who) continue;
    for (let k = 0; k < coarse; k++) {
      const at = share.bin[i] * coarse + k;
      sums.read[at] += share.read[i] / coarse;
      sums.write[at] += share.written[i] / coarse;
      sums.calls[at] += share.calls[i] / coarse;
    }
  }
}

/* --- layers and calls ------------------------------------------------ */

/** For each layer: time, own time and waiting in it, calls, bytes. */
export function byLayer(model, state) {
  const weight = weights(model, state.window);
  const rows = model.layers.map(() => ({
    calls: 0,
    time: 0,
    own: 0,
    waiting: 0,
    read: 0,
    write: 0,
  }));
  const {cells} = model;
  for (let i = 0; i < cells.count; i++) {
    if (
      (state.who !== null && cells.who[i] !== state.who) ||
      !isReal(model, cells.layer[i])
    )
      continue;
    const part = weight ? weight[cells.bin[i]] : 1;
    const row = rows[cells.layer[i]];
    row.calls += part * cells.calls[i];
    row.time += part * cells.time[i];
    row.own += part * cells.own[i];
    if (model.waits[cells.class[i]]) row.waiting += part * cells.own[i];
    const way = model.moves[cells.class[i]];
    if (way === READS) row.read += part * cells.bytes[i];
    else if (way === WRITES) row.write += part * cells.bytes[i];
  }
  return rows;
}

/** What an event took itself, without what it caused, in ns. */
export function ownOf(model, event) {
  let own = model.sample.dur[event];
  for (const child of model.children(event))
    if (!model.inner[classOf(model, child)]) own -= model.sample.dur[child];
  return Math.max(0, own);
}

/**
 * Calls, bytes, time by layer and class, both greatest time first; then what
 * a service did later, and what waits, of all layers together.
 */
export function operations(model, state) {
  const rows = new Map();
  const add = (of, kind, calls, bytes, time) => {
    const layer = model.waits[kind] ? WAITING : of;
    const key = layer * 256 + kind;
    const row = rows.get(key) ?? {
      layer,
      kind,
      calls: 0,
      bytes: 0,
      time: 0,
    };
    row.calls += calls;
    row.bytes += bytes;
    row.time += time;
    rows.set(key, row);
  };
  const kept = state.file !== null;
  if (kept) {
    const {sample} = model;
    for (const i of events(model, {...state, finding: null}))
      add(
        layerOf(model, i),
        classOf(model, i),
        1,
        Math.max(0, sample.ret[i] < 0 ? 0 : sample.size[i]),
        sample.dur[i] / 1e9,
      );
  } else {
    const {cells} = model;
    const weight = weights(model, state.window);
    for (let i = 0; i < cells.count; i++) {
      if (state.who !== null && cells.who[i] !== state.who) continue;
      const part = weight ? weight[cells.bin[i]] : 1;
      if (part && isReal(model, cells.layer[i]))
        add(
          cells.layer[i],
          cells.class[i],
          part * cells.calls[i],
          part * cells.bytes[i],
          part * cells.time[i],
        );
    }
  }
  const ofLayer = new Map();
  for (const {layer, time} of rows.values())
    ofLayer.set(layer, (ofLayer.get(layer) ?? 0) + time);
  return {
    kept,
    rows: [...rows.values()]
      .filter((row) => row.calls > 0)
      .sort(
        (a, b) =>
          (a.layer === WAITING) - (b.layer === WAITING) ||
          model.later.has(a.layer) - model.later.has(b.layer) ||
          ofLayer.get(b.layer) - ofLayer.get(a.layer) ||
          a.layer - b.layer ||
          b.time - a.time,
      ),
  };
}

/** The names of the calls of a layer and kind, longest in all first. */
export function callNames(model) {
  const times = new Map();
  for (let i = 0; i < model.paths.count; i++) {
    const {call} = model.nodes[model.paths.node[i]];
    times.set(call, (times.get(call) ?? 0) + model.paths.time[i]);
  }
  const lists = new Map();
  for (const [call] of [...times].sort((a, b) => b[1] - a[1])) {
    const known = model.calls[call];
    if (!known) continue;
    const layer = model.waits[known.class] ? WAITING : known.layer;
    const key = layer * 256 + known.class;
    const list = lists.get(key) ?? [];
    if (!list.includes(known.name)) list.push(known.name);
    lists.set(key, list);
  }
  return ({layer, kind}) => lists.get(layer * 256 + kind) ?? [];
}

/** Requests by size, of the layer: {power: {read, write, …bytes}}. */
export function sizes(model, state) {
  const rows = new Map();
  const add = (power, kind, calls, bytes) => {
    const row = rows.get(power) ?? {
      power,
      read: 0,
      write: 0,
      readBytes: 0,
      writeBytes: 0,
    };
    const name = model.moves[kind] === READS ? 'read' : 'write';
    row[name] += calls;
    row[name + 'Bytes'] += bytes;
    rows.set(power, row);
  };
  const kept = state.file !== null || state.who !== null;
  if (kept) {
    for (const i of events(model, {...state, finding: null})) {
      const kind = classOf(model, i);
      const size = model.sample.size[i];
      if (model.moves[kind] && size >= 0 && inLayer(model, i, state.layer))
        add(powerOf(size), kind, 1, size);
    }
  } else {
    const table = model.sizes;
    const weight = weights(model, state.window, model.coarse);
    for (let i = 0; i < table.count; i++) {
      const part = weight ? weight[table.bin[i]] : 1;
      if (part && table.layer[i] === state.layer)
        add(
          table.power[i],
          table.class[i],
          part * table.calls[i],
          part * table.bytes[i],
        );
    }
  }
  return {
    kept,
    rows: [...rows.values()].sort((a, b) => a.power - b.power),
  };
}

/** The size class: 2^k to below 2^(k+1); nothing at all is 255. */
export function powerOf(size) {
  return size < 1 ? 255 : Math.floor(Math.log2(size));
}

/* --- files ----------------------------------------------------------- */

/** For each file: calls, read, written, time, and processes. */
export function byFile(model, state) {
  const {share} = model;
  const weight = weights(model, state.window, model.coarse);
  const rows = model.files.map((_, file) => ({
    file,
    calls: 0,
    read: 0,
    written: 0,
    time: 0,
    who: new Set(),
  }));
  for (let i = 0; i < share.count; i++) {
    if (state.who !== null && share.who[i] !== state.who) continue;
    const part = weight ? weight[share.bin[i]] : 1;
    const row = rows[share.file[i]];
    if (!part || !row) continue;
    row.calls += part * share.calls[i];
    row.read += part * share.read[i];
    row.written += part * share.written[i];
    row.time += part * share.time[i];
    row.who.add(share.who[i]);
  }
  return rows;
}

/** For each process: calls, time in I/O and waiting, read and written. */
export function byProcess(model, state) {
  const rows = model.who.map((_, who) => ({
    who,
    calls: 0,
    time: 0,
    waiting: 0,
    read: 0,
    written: 0,
  }));
  const weigh = (step) => {
    const weight = weights(model, state.window, step);
    return (bin) => (weight ? weight[bin] : 1);
  };
  const counts = (who) =>
    who !== EVERYBODY && (state.who === null || state.who === who);
  if (state.file !== null) {
    const {share} = model;
    const part = weigh(model.coarse);
    for (let i = 0; i < share.count; i++) {
      if (share.file[i] !== state.file || !counts(share.who[i])) continue;
      const row = rows[share.who[i]];
      for (const name of ['calls', 'time', 'read', 'written'])
        row[name] += part(share.bin[i]) * share[name][i];
    }
    return rows;
  }
  const {cells} = model;
  const part = weigh(1);
  for (let i = 0; i < cells.count; i++) {
    if (!counts(cells.who[i])) continue;
    const row = rows[cells.who[i]];
    const much = part(cells.bin[i]);
    const way = model.moves[cells.class[i]];
    if (isReal(model, cells.layer[i])) {
      row.calls += much * cells.calls[i];
      if (model.later.has(cells.layer[i])) continue;
      row[model.waits[cells.class[i]] ? 'waiting' : 'time'] +=
        much * cells.own[i];
    } else if (way === READS) row.read += much * cells.bytes[i];
    else if (way === WRITES) row.written += much * cells.bytes[i];
  }
  // of threads at the same time the time counts once, as in the report
  if (!state.window)
    for (const row of rows)
      if (counts(row.who)) row.time = model.ioOf[row.who] ?? row.time;
  return rows;
}

/** Files by processes: the measure, for the given files. */
export function sharing(model, state, files, measure) {
  const {share} = model;
  const weight = weights(model, state.window, model.coarse);
  const row = new Map(files.map((file, i) => [file, i]));
  const count = model.who.length;
  const values = new Float64Array(files.length * count);
  const get = ofShare[measure];
  for (let i = 0; i < share.count; i++) {
    const at = row.get(share.file[i]);
    if (at === undefined || share.who[i] === EVERYBODY) continue;
    const part = weight ? weight[share.bin[i]] : 1;
    values[at * count + share.who[i]] += part * get(share, i);
  }
  return values;
}

export function byMount(model, state) {
  const rows = model.mounts.map((mount) => ({
    ...mount,
    files: 0,
    calls: 0,
    read: 0,
    written: 0,
    time: 0,
  }));
  for (const sum of byFile(model, state)) {
    const row = rows[model.files[sum.file].mount];
    if (!row || !sum.calls || (state.file !== null && state.file !== sum.file))
      continue;
    row.files += 1;
    for (const name of ['calls', 'read', 'written', 'time'])
      row[name] += sum[name];
  }
  return rows
    .filter((row) => row.calls)
    .sort((a, b) => b.read + b.written - a.read - a.written);
}

/* --- steps ----------------------------------------------------------- */

const touches = (window, step) =>
  !window || (step.begin < window[1] && step.end > window[0]);

/** Requests by step and process; bytes by step. Steps in the window count. */
export function steps(model, state) {
  const count = model.who.length;
  const requests = new Float64Array(model.steps.length * count);
  const rows = model.steps.map((step, i) => ({
    step: i,
    read: 0,
    write: 0,
    calls: 0,
    inside: touches(state.window, step),
  }));
  const add = (step, who, kind, calls, bytes) => {
    if (who !== EVERYBODY) requests[who * rows.length + step] += calls;
    if (state.who !== null && state.who !== who) return;
    rows[step].calls += calls;
    if (model.moves[kind] === READS) rows[step].read += bytes;
    else if (model.moves[kind] === WRITES) rows[step].write += bytes;
  };
  const kept = state.file !== null;
  if (kept) stepsOfEvents(model, state, add);
  else if (model.binsPerStep) stepsOfCells(model, state, add);
  else stepsOfTable(model, state, add);
  return {kept, requests, rows};
}

function stepsOfTable(model, state, add) {
  const {step, who, layer, class: kind, calls, bytes, count} = model.stepsum;
  for (let i = 0; i < count; i++)
    if (layer[i] === state.layer)
      add(step[i], who[i], kind[i], calls[i], bytes[i]);
}

function stepsOfCells(model, state, add) {
  const {bin, who, layer, class: kind, calls, bytes, count} = model.cells;
  for (let i = 0; i < count; i++)
    if (layer[i] === state.layer) {
      const step = Math.floor(bin[i] / model.binsPerStep);
      add(step, who[i], kind[i], calls[i], bytes[i]);
    }
}

function stepsOfEvents(model, state, add) {
  const {sample} = model;
  const begins = model.steps.map((step) => step.begin);
  const pass = passes(
    model,
    {...state, finding: null},
    {window: true, who: true},
  );
  for (let i = 0; i < sample.count; i++) {
    if (!pass(i) || !inLayer(model, i, state.layer)) continue;
    const step = lastNotAfter(begins, sample.start[i]);
    if (step >= 0 && sample.start[i] < model.steps[step].end)
      add(
        step,
        sample.who[i],
        classOf(model, i),
        1,
        Math.max(0, sample.size[i]),
      );
  }
}

function lastNotAfter(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function total(values) {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
