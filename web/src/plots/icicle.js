// SPDX-License-Identifier: BSD-3-Clause
// Where the time went, call below call: the width is time, each row is
// caused by the row above it.
import {createCanvas, mount, pointOf, showTip, say, fit} from '../canvas.js';
import {createCard, cut, cutCaption, empty, keptNote} from '../card.js';
import {inkOn, layerColour} from '../colours.js';
import {button, choice, make, replace, table} from '../dom.js';
import {barOf, partsOf} from '../layerbar.js';
import {count, percent, seconds, several, ticks} from '../format.js';
import {byLayer} from '../sums.js';
import {layOut, treeOf} from '../tree.js';

const ROW = 26;
const AXIS = 26;

export function createIcicle({model, store}) {
  const up = button('Show all', () => store.set({node: -1}), {
    hidden: true,
  });
  const which = choice(
    'Calls',
    [
      ['io', 'I/O'],
      ['all', 'I/O and waiting'],
    ],
    'io',
    () => update(store.get()),
  );
  const card = createCard({
    id: 'icicle',
    wide: true,
    title: 'Where the time went',
    controls: [up, which],
    numbers: () => numbers(model, tree),
  });
  const layers = make('div', {class: 'layers'});
  const holder = make('div');
  const nothing = empty('No call with a time is in the filter.');
  card.body.append(layers, holder, nothing);
  let tree = null;
  let shape = {boxes: [], width: 0, depth: 0};
  let chosen = -1;

  const nameOf = (row) => row.name ?? model.calls[row.call]?.name ?? 'others';
  const layerOf = (row) => model.calls[row.call]?.layer ?? -1;
  const boxAt = (x, y) => {
    const value = (x / canvas.size.width) * shape.width;
    const depth = Math.floor(y / ROW);
    return shape.boxes.find(
      (box) => box.depth === depth && value >= box.from && value < box.to,
    );
  };
  const lines = (box) => {
    const row = tree.rows[box.node];
    const path = [];
    for (let at = row.parent; at >= 0; at = tree.rows[at].parent)
      path.unshift(nameOf(tree.rows[at]));
    return [
      nameOf(row),
      `layer ${model.layers[layerOf(row)]?.name ?? 'several'}`,
      `${several(row.calls, 'call')}, ${seconds(row.time)}, ` +
        `${percent(row.width, shape.width)} of what is shown`,
      `${seconds(row.own)} of it in itself`,
      path.length ? 'caused by ' + path.join(' › ') : 'called by the program',
    ];
  };
  const canvas = createCanvas({
    label:
      'Icicle of calls below calls. Arrow keys move, Enter ' +
      'shows one call alone.',
    height: () => Math.max(1, shape.depth) * ROW + AXIS,
    paint: (c) => paintIcicle(c, shape, tree, chosen, {nameOf, layerOf}),
    onkey: (event) => key(event),
  });
  mount(canvas, holder);
  canvas.element.addEventListener('pointermove', (event) => {
    const box = boxAt(...pointOf(canvas, event));
    showTip(box ? lines(box) : null, event.clientX, event.clientY);
  });
  canvas.element.addEventListener('click', (event) => {
    const box = boxAt(...pointOf(canvas, event));
    if (box)
      store.set({
        node: box.node === store.get().node ? -1 : box.node,
      });
  });
  canvas.element.addEventListener('blur', () => {
    chosen = -1;
    canvas.later();
  });

  function key(event) {
    const at = shape.boxes.findIndex((box) => box.node === chosen);
    if (event.key === 'Enter' && at >= 0) {
      store.set({
        node: chosen === store.get().node ? -1 : chosen,
      });
      return true;
    }
    const next =
      at < 0
        ? shape.boxes[0]
        : neighbour(shape.boxes, shape.boxes[at], event.key);
    if (!event.key.startsWith('Arrow') || !next)
      return event.key.startsWith('Arrow');
    chosen = next.node;
    say(lines(next));
    return true;
  }

  function compute(state) {
    tree = treeOf(model, state);
    // nodes of events kept are others than those of the table
    const top = tree.kept || state.node >= tree.rows.length ? -1 : state.node;
    shape = layOut(tree.rows, top, which.select.value === 'all');
  }

  function update(state) {
    compute(state);
    up.hidden = state.node < 0;
    which.hidden = !tree.rows.some((row) => row.waits && row.width);
    holder.hidden = !shape.boxes.length;
    nothing.hidden = Boolean(shape.boxes.length);
    card.setNote(keptNote(model, tree.kept));
    card.setLead(
      `${seconds(shape.width)}, summed over processes. Width is time; below ` +
        'a call are those that it made. Click one to see it alone.',
    );
    replace(layers, ownTimes(model, state));
    canvas.later();
    card.refill();
  }

  return {
    id: 'icicle',
    title: 'Where the time went',
    element: card.element,
    uses: ['window', 'who', 'file', 'node'],
    update,
    describe() {
      compute(store.get());
      return {
        kept: tree.kept,
        width: shape.width,
        boxes: shape.boxes.map((box) => ({
          name: nameOf(tree.rows[box.node]),
          depth: box.depth,
          time: tree.rows[box.node].time,
          own: tree.rows[box.node].own,
          calls: tree.rows[box.node].calls,
        })),
        layers: byLayer(model, store.get()).map((row) => row.own),
      };
    },
  };
}

function neighbour(boxes, box, key) {
  const middle = (box.from + box.to) / 2;
  const by = {ArrowUp: -1, ArrowDown: 1}[key];
  if (by) {
    const row = boxes.filter((b) => b.depth === box.depth + by);
    return (
      row.find((b) => b.from <= middle && b.to > middle) ??
      (by > 0
        ? row.find((b) => b.from >= box.from && b.to <= box.to)
        : undefined)
    );
  }
  const row = boxes.filter((b) => b.depth === box.depth);
  const at = row.indexOf(box) + (key === 'ArrowLeft' ? -1 : 1);
  return row[at];
}

/** One bar of all layers' own times, which is also the legend. */
function ownTimes(model, state) {
  if (state.file === null) return barOf(partsOf(model, state));
  const rows = byLayer(model, state);
  return make(
    'ul',
    {class: 'keys'},
    model.layers.map(({name}, i) => rows[i].time > 0 && key(i, name)),
  );
}

function key(layer, text) {
  const swatch = make('i', {class: 'key'});
  swatch.style.background = layerColour(layer);
  return make('li', {}, swatch, text);
}

function paintIcicle(c, shape, tree, chosen, {nameOf, layerOf}) {
  const {ctx, theme} = c;
  const scale = c.width / (shape.width || 1);
  ctx.textAlign = 'left';
  for (const box of shape.boxes) {
    const x = box.from * scale;
    const width = (box.to - box.from) * scale;
    if (width < 0.4) continue;
    const row = tree.rows[box.node];
    const layer = layerOf(row);
    const colour = row.waits
      ? theme.wait
      : layer >= 0
        ? layerColour(layer)
        : '#8c8c8c';
    const y = box.depth * ROW;
    ctx.fillStyle = colour;
    ctx.globalAlpha = row.calls ? 0.9 : 0.35;
    ctx.fillRect(x, y + 1, Math.max(0.6, width - 1), ROW - 2);
    ctx.globalAlpha = 1;
    if (width > 36) {
      ctx.fillStyle = inkOn(colour);
      ctx.fillText(
        fit(ctx, nameOf(row) + '  ' + seconds(row.time), width - 10),
        x + 5,
        y + ROW / 2,
      );
    }
    if (box.node === chosen) {
      ctx.strokeStyle = theme.text;
      ctx.lineWidth = 3;
      ctx.strokeRect(x + 1, y + 1.5, width - 3, ROW - 3);
      ctx.lineWidth = 1;
    }
  }
  const y = shape.depth * ROW + 4;
  ctx.textAlign = 'center';
  for (const tick of ticks(0, shape.width, Math.max(2, c.width / 120))) {
    const x = tick * scale;
    const text = seconds(tick);
    const half = ctx.measureText(text).width / 2;
    ctx.fillStyle = theme.line;
    ctx.fillRect(Math.min(x, c.width - 1), y, 1, 5);
    ctx.fillStyle = theme.muted;
    // the first and the last text stay within the plot
    ctx.fillText(text, Math.max(half, Math.min(c.width - half, x)), y + 13);
  }
}

function numbers(model, tree) {
  const rows = tree.rows
    .filter((row) => row.calls || row.width)
    .sort((a, b) => b.own - a.own)
    .map((row) => [
      row.name ?? model.calls[row.call]?.name ?? 'others',
      row.parent < 0
        ? ''
        : (tree.rows[row.parent].name ??
          model.calls[tree.rows[row.parent].call]?.name ??
          'others'),
      count(row.calls),
      seconds(row.time),
      seconds(row.own),
    ]);
  return table(
    cutCaption('calls by their own time', rows),
    [
      {text: 'call'},
      {text: 'made by'},
      {text: 'calls', number: true},
      {text: 'time', number: true},
      {text: 'own time', number: true},
    ],
    cut(rows),
  );
}
