// SPDX-License-Identifier: BSD-3-Clause
// Single calls as bars: which there are in a stretch of time, and in which
// lane of their thread each one lies, below the call that was under way.
import {
  classOf,
  fileName,
  idOf,
  isReal,
  layerOf,
  NEVER_RETURNED,
} from './model.js';
import {askEvents} from './served.js';
import {passes} from './sums.js';

const MOST = 3000; // bars that can be told apart
const SMALL = 300; // a run of so few calls is shown by bars as a whole
const ENOUGH = 0.98; // of the calls there: as good as all
const ASKED = 1000; // of a server at a time

/** Calls by bin, of all layers: how many a stretch of time has. */
function callsByBin(model) {
  const calls = new Float64Array(model.bins);
  const {cells} = model;
  for (let i = 0; i < cells.count; i++)
    if (isReal(model, cells.layer[i])) calls[cells.bin[i]] += cells.calls[i];
  return calls;
}

function callsIn(model, [from, to]) {
  model.callsByBin ??= callsByBin(model);
  const first = Math.floor(from / model.width);
  const last = Math.min(model.bins - 1, Math.floor(to / model.width));
  let sum = 0;
  for (let bin = first; bin <= last; bin++) {
    const begin = Math.max(from, bin * model.width);
    const end = Math.min(to, (bin + 1) * model.width);
    sum += (model.callsByBin[bin] * Math.max(0, end - begin)) / model.width;
  }
  return sum;
}

const endOf = (model, i) =>
  model.sample.flags?.[i] & NEVER_RETURNED
    ? model.reach
    : model.sample.start[i] + model.sample.dur[i];

/** Rows of the sample that are under way in the stretch. */
function keptIn(model, [from, to]) {
  const {start, count} = model.sample;
  const list = [];
  for (let i = 0; i < count && start[i] < to; i++)
    if (endOf(model, i) >= from) list.push(i);
  return list;
}

/**
 * Are single calls to be shown? {bars: yes or no, kept: rows of the sample,
 * calls: how many there are, all: whether these are all of them}.
 */
export function lookAt(model, {view, rows}) {
  const kept = model.sample.count ? keptIn(model, view) : [];
  const calls = Math.max(kept.length, Math.round(callsIn(model, view)));
  const all = model.complete || kept.length >= ENOUGH * calls;
  const whole = view[0] <= 0 && view[1] >= model.reach;
  const few = calls <= (whole ? SMALL : MOST);
  return {
    kept,
    calls,
    all,
    few: calls <= MOST,
    bars: rows === 'bars' || (rows === 'auto' && few && all && calls > 0),
  };
}

/** What a bar tells, of the sample. */
export function barsOfSample(model, state, kept) {
  const {sample} = model;
  const pass = passes(model, state);
  return kept.map((i) => ({
    index: i,
    id: idOf(model, i),
    start: sample.start[i],
    end: endOf(model, i),
    returned: !(sample.flags?.[i] & NEVER_RETURNED),
    who: sample.who[i],
    thread: sample.process[i] * 65536 + sample.thread[i],
    call: model.calls[sample.call[i]].name,
    layer: layerOf(model, i),
    waits: model.waits[classOf(model, i)],
    file: sample.file[i] >= 0 ? fileName(model, sample.file[i]) : '',
    off: sample.off[i],
    size: sample.size[i],
    pale: !pass(i) || (state.call !== null && sample.call[i] !== state.call),
  }));
}

/** Is a call one that waits? Of some names there are both: the file tells. */
function waitsOf(model) {
  const io = new Set(
    model.calls.filter((row) => !model.waits[row.class]).map(({name}) => name),
  );
  const channels = new Set(
    model.files.filter(({kind}) => kind === 'channel').map(({name}) => name),
  );
  return ({call, file}) => !io.has(call) || channels.has(file);
}

/** The same from the trace itself; null when there are too many. */
export async function barsOfServer(model, state) {
  const filter = {window: state.view, who: state.who, file: null};
  const layers = new Map(model.layers.map((layer, i) => [layer.id, i]));
  const waits = waitsOf(model);
  const bars = [];
  let after = null;
  do {
    const answer = await askEvents(model, filter, ASKED, after);
    bars.push(...answer.events);
    after = answer.next;
  } while (after && bars.length < MOST);
  if (after) return null;
  return bars
    .map((row) => ({
      ...row,
      end: row.start + row.dur,
      returned: true,
      who: model.whoOf.get(row.process) ?? -1,
      thread: row.process * 65536 + row.thread,
      layer: layers.get(row.layer) ?? -1,
      waits: waits(row),
      pale:
        (state.file !== null && row.file !== fileName(model, state.file)) ||
        (state.call !== null && row.call !== model.calls[state.call].name),
    }))
    .filter((bar) => bar.who >= 0 && bar.layer >= 0);
}

/**
 * Rows of processes, each with lanes: {who, first, lanes}; every bar gets the
 * number of its lane. A thread's lanes are its own.
 */
export function layOut(bars, most) {
  const sorted = [...bars].sort(
    (a, b) =>
      a.who - b.who ||
      a.thread - b.thread ||
      a.start - b.start ||
      b.end - a.end,
  );
  const rows = [];
  let thread = null;
  let open = [];
  for (const bar of sorted) {
    let row = rows[rows.length - 1];
    if (!row || row.who !== bar.who) {
      if (rows.length === most) break;
      row = {who: bar.who, first: row ? row.first + row.lanes : 0, lanes: 0};
      rows.push(row);
      thread = null;
    }
    if (thread !== bar.thread) {
      thread = bar.thread;
      open = [];
      row.base = row.lanes;
    }
    while (open.length && open[open.length - 1] <= bar.start) open.pop();
    bar.lane = row.first + row.base + open.length;
    open.push(bar.end);
    row.lanes = Math.max(row.lanes, row.base + open.length);
  }
  return {
    rows,
    lanes: rows.reduce((sum, row) => sum + row.lanes, 0),
    bars: sorted.filter((bar) => bar.lane !== undefined),
    processes: new Set(sorted.map((bar) => bar.who)).size,
  };
}
