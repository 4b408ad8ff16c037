// SPDX-License-Identifier: BSD-3-Clause
// The tree of calls below calls, as sums of the table of paths or of the
// events kept, and how it is laid out as an icicle.
import {layerOf} from './model.js';
import {events, weights, ownOf} from './sums.js';

function ofPaths(model, state) {
  const {paths} = model;
  const weight = weights(model, state.window, model.coarse);
  const rows = model.nodes.map(({call, parent, depth, name}) => ({
    call,
    parent,
    depth,
    name,
    calls: 0,
    time: 0,
    own: 0,
  }));
  for (let i = 0; i < paths.count; i++) {
    if (state.who !== null && paths.who[i] !== state.who) continue;
    const part = weight ? weight[paths.bin[i]] : 1;
    const row = rows[paths.node[i]];
    row.calls += part * paths.calls[i];
    row.time += part * paths.time[i];
    row.own += part * paths.own[i];
  }
  return rows;
}

/** The call that waits for it: what a service does later has none. */
function causeOf(model, event) {
  const cause = model.sample.parent[event];
  const isLater = (at) => model.later.has(layerOf(model, at));
  return cause >= 0 && isLater(event) && !isLater(cause) ? -1 : cause;
}

function ofEvents(model, state) {
  const {sample} = model;
  const rows = [];
  const known = new Map();
  const nodeOf = new Map(); // of an event, whether it passes or not
  const place = (event) => {
    if (nodeOf.has(event)) return nodeOf.get(event);
    const cause = causeOf(model, event);
    const parent = cause >= 0 ? place(cause) : -1;
    const key = parent + ':' + sample.call[event];
    if (!known.has(key)) {
      known.set(key, rows.length);
      rows.push({
        call: sample.call[event],
        parent,
        depth: parent < 0 ? 0 : rows[parent].depth + 1,
        calls: 0,
        time: 0,
        own: 0,
      });
    }
    nodeOf.set(event, known.get(key));
    return known.get(key);
  };
  for (const event of events(model, {...state, finding: null})) {
    const row = rows[place(event)];
    row.calls += 1;
    row.time += sample.dur[event] / 1e9;
    row.own += ownOf(model, event) / 1e9;
  }
  return rows;
}

/** Rows {call, parent, depth, calls, time, own, width, children}. */
export function treeOf(model, state) {
  const allWho = model.paths.count && model.paths.who[0] === 0xff;
  const kept = state.file !== null || (state.who !== null && allWho);
  const rows = kept ? ofEvents(model, state) : ofPaths(model, state);
  for (const row of rows) {
    row.children = [];
    row.width = row.own;
    row.later = model.later.has(model.calls[row.call]?.layer);
    row.waits = model.waits[model.calls[row.call]?.class];
  }
  rows.forEach((row, i) => {
    if (row.parent >= 0) rows[row.parent].children.push(i);
  });
  // a cause that the filter leaves out is as wide as what it caused
  for (let i = rows.length - 1; i >= 0; i--) {
    const below = rows[i].children.reduce(
      (sum, child) => sum + rows[child].width,
      0,
    );
    rows[i].width = Math.max(rows[i].time, below);
  }
  for (const row of rows)
    row.children.sort((a, b) => rows[b].width - rows[a].width);
  return {kept, rows};
}

/**
 * Those of the program; of what is done later where there is nothing else.
 * I/O comes before what waits, which is left out if nobody wants it.
 */
function rootsOf(rows, withWaits) {
  const roots = rows.flatMap((row, i) =>
    row.parent < 0 && row.width ? [i] : [],
  );
  const own = roots.filter((i) => !rows[i].later);
  const io = own.filter((i) => !rows[i].waits);
  const shown = io.length && !withWaits ? io : own.length ? own : roots;
  return shown.sort(
    (a, b) =>
      Boolean(rows[a].waits) - Boolean(rows[b].waits) ||
      rows[b].width - rows[a].width,
  );
}

/** Boxes {node, depth, from, to} of the tree below `top` (-1: all). */
export function layOut(rows, top, withWaits = true) {
  const boxes = [];
  const put = (node, from, depth) => {
    const row = rows[node];
    if (!row.width) return;
    boxes.push({node, depth, from, to: from + row.width});
    let at = from;
    for (const child of row.children) {
      put(child, at, depth + 1);
      at += rows[child].width;
    }
  };
  const roots = top >= 0 ? [top] : rootsOf(rows, withWaits);
  let at = 0;
  for (const root of roots) {
    put(root, at, 0);
    at += rows[root].width;
  }
  return {
    boxes,
    width: at,
    depth: boxes.reduce((most, box) => Math.max(most, box.depth + 1), 0),
  };
}
