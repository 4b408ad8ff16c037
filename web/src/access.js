// SPDX-License-Identifier: BSD-3-Clause
// Where a file was accessed: from the events kept, or from the grid of those
// files that have more accesses than the report keeps.
import {classOf, inLayer, READS} from './model.js';
import {byFile, passes} from './sums.js';

const LEAST_BINS = 16; // of time, for a grid that tells anything

/** The chosen file, or the one with most bytes. */
export function fileOf(model, state) {
  if (state.file !== null) return state.file;
  const known = new Set(model.accessFiles.map((row) => row.file));
  for (let i = 0; i < model.sample.count; i++)
    if (model.sample.off[i] >= 0) known.add(model.sample.file[i]);
  let best = -1;
  let most = 0;
  for (const row of byFile(model, {window: null, who: null}))
    if (
      (model.files[row.file].kind ?? 'file') === 'file' &&
      known.has(row.file) &&
      row.read + row.written > most
    ) {
      best = row.file;
      most = row.read + row.written;
    }
  return best;
}

/** Accesses of one layer, where their places are known. */
function eventsOf(model, file, layer) {
  const {sample} = model;
  const list = [];
  for (let i = 0; i < sample.count; i++)
    if (
      sample.file[i] === file &&
      sample.off[i] >= 0 &&
      sample.size[i] > 0 &&
      model.moves[classOf(model, i)] &&
      inLayer(model, i, layer)
    )
      list.push(i);
  return list;
}

/** The layer asked for, or that with most accesses when it has none. */
function layerWith(model, file, wanted) {
  let best = {layer: wanted, list: eventsOf(model, file, wanted)};
  if (best.list.length) return best;
  for (const layer of model.layers.keys()) {
    const list = eventsOf(model, file, layer);
    if (list.length >= best.list.length) best = {layer, list};
  }
  return best;
}

/**
 * {file, layer, points: [{event, start, dur, off, size, who, read, order,
 * inside}], cells: [{time, off, height, width, read, calls, bytes}], extent}
 */
export function accesses(model, state) {
  const file = fileOf(model, state);
  const {layer, list} = layerWith(model, file, state.layer);
  const {sample} = model;
  const pass = passes(model, {...state, file: null, finding: null});
  list.sort((a, b) => sample.start[a] - sample.start[b]);
  const points = list.map((event, order) => ({
    event,
    start: sample.start[event],
    dur: sample.dur[event],
    off: sample.off[event],
    size: sample.size[event],
    who: sample.who[event],
    order: order + 1,
    read: model.moves[classOf(model, event)] === READS,
    inside: pass(event),
  }));
  const cells = gridOf(model, file);
  const known = model.accessFiles.find((row) => row.file === file);
  const extent = points.reduce(
    (most, point) => Math.max(most, point.off + point.size),
    Math.max(1, (cells.length && known?.max_offset) || 0),
  );
  return {file, layer, points, cells, extent};
}

function gridOf(model, file) {
  const {access} = model;
  const at = model.accessFiles.findIndex((row) => row.file === file);
  const cells = [];
  const bins = model.head.access_bins ?? 256;
  if (at < 0 || bins < LEAST_BINS) return cells;
  const {offset_unit: unit} = model.accessFiles[at];
  const width = model.reach / bins;
  for (let i = 0; i < access.count; i++)
    if (access.file[i] === at)
      cells.push({
        time: access.time[i] * width,
        width,
        off: access.offset[i] * unit,
        height: unit,
        read: !access.write[i],
        calls: access.calls[i],
        bytes: access.bytes[i],
      });
  return cells;
}
