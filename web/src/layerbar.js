// SPDX-License-Identifier: BSD-3-Clause
// The time in calls as one bar of layers, with its legend.
import {layerColour} from './colours.js';
import {make} from './dom.js';
import {percent, seconds} from './format.js';
import {isReal} from './model.js';
import {byLayer} from './sums.js';

const WAIT = 'var(--wait)';

/**
 * Own times of the layers that the program waits for, longest first, and what
 * is no I/O at the end: {parts: [{layer, name, time, colour}], later}.
 * `later` is what a service did by itself, a part of nothing.
 */
export function partsOf(model, state) {
  const rows = byLayer(model, state)
    .map((row, layer) => ({
      layer,
      name: model.layers[layer].name,
      time: row.own - row.waiting,
      waiting: row.waiting,
      colour: layerColour(layer),
    }))
    .filter(({layer}) => isReal(model, layer));
  const isLater = ({layer}) => model.later.has(layer);
  const parts = rows
    .filter((row) => row.time > 0 && !isLater(row))
    .sort((a, b) => b.time - a.time);
  const waiting = rows.reduce((sum, row) => sum + row.waiting, 0);
  if (waiting > 0)
    parts.push({
      layer: null,
      name: 'waiting and starting',
      time: waiting,
      colour: WAIT,
    });
  return {
    parts,
    later: rows.filter((row) => row.time > 0 && isLater(row)),
  };
}

/** Shares are those of I/O, of which waiting is no part. */
export function barOf({parts, later = []}, tall) {
  const io = parts.filter(({layer}) => layer !== null);
  const waits = parts.filter(({layer}) => layer === null);
  const shown = io.length ? io : waits;
  const all = shown.reduce((sum, part) => sum + part.time, 0);
  const key = ({name, time, colour}, share) => {
    const swatch = make('i', {class: 'key'});
    swatch.style.background = colour;
    return make('li', {}, swatch, `${name} ${seconds(time)} (${share})`);
  };
  return [
    make(
      'div',
      {class: tall ? 'stack tall' : 'stack', 'aria-hidden': 'true'},
      shown.map(({name, time, colour}) => {
        const piece = make('i', {title: `${name} ${seconds(time)}`});
        piece.style.width = (100 * time) / all + '%';
        piece.style.background = colour;
        return piece;
      }),
    ),
    make(
      'ul',
      {class: 'keys'},
      io.map((part) => key(part, percent(part.time, all))),
      waits.map((part) => key(part, 'not I/O')),
      later.map((part) => key(part, 'later, much at once')),
    ),
  ];
}
