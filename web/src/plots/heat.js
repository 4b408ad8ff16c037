// SPDX-License-Identifier: BSD-3-Clause
// Processes by time, with sums above and beside: the first look at a run.
import {barsOfSample, barsOfServer, layOut, lookAt} from '../bars.js';
import {createCard, cut, cutCaption} from '../card.js';
import {partColour, theme, WAITING} from '../colours.js';
import {button, choice, make, table} from '../dom.js';
import {bytes, count, moment, ns, several, timeTicks} from '../format.js';
import {MEASURES} from '../measures.js';
import {whoLabel, whoLines} from '../model.js';
import {isServed} from '../served.js';
import {grid, margins, total} from '../sums.js';
import {attachTime, timeKey} from '../timeaxis.js';
import {createLanes} from './lanes.js';
import {createMatrix, wantsLog} from './matrix.js';

const MOST_ROWS = 24; // processes shown by bars
const PAUSE = 200; // ms without a move, before the server is asked
const MOVES =
  'Drag to choose a time, Shift-drag to pan, Ctrl-wheel to zoom; click a ' +
  'process to choose it, a call to see its tree.';

export function createHeat(context) {
  const {model, store, axis} = context;
  const rows = choice(
    'Rows',
    [
      ['auto', 'automatic'],
      ['heat', 'heat map'],
      ['bars', 'single calls'],
    ],
    'auto',
    (value) => store.set({rows: value}),
  );
  const scale = choice(
    'Colours',
    [
      ['auto', 'automatic'],
      ['linear', 'linear'],
      ['log', 'logarithmic'],
    ],
    'auto',
    (value) => store.set({scale: value}),
  );
  const card = createCard({
    id: 'heat',
    wide: true,
    title: 'Processes over time',
    controls: [
      rows,
      scale,
      button('−', () => axis.zoom(2), {'aria-label': 'Zoom farther'}),
      button('+', () => axis.zoom(0.5), {'aria-label': 'Zoom closer'}),
    ],
    numbers: () => numbers(model, current),
  });
  let current = null;
  const [map, single] = [make('div'), make('div', {hidden: true})];
  card.body.append(map, single, make('p', {class: 'hint'}, MOVES));
  const matrix = createMatrix(map, {
    label:
      'Heat map of processes over time. Arrow keys move, Shift ' +
      'with left and right draws a window, plus and minus zoom, ' +
      'Enter chooses a process, Escape clears.',
    cellText: (row, bin, joins) =>
      cellText(model, store.get(), current, {row, bin, joins}),
    rowClick: (row) => choose(row),
    onkey: (event, cursor) => timeKey(event, model, store, axis, cursor),
  });
  const choose = (row) =>
    store.set({
      who: store.get().who === row ? null : row,
    });
  attachTime(matrix.canvas.element, store, axis, {
    area: matrix.area,
    click: (x, y) => {
      const row = matrix.rowAt(y);
      if (row >= 0 && row < model.who.length) choose(row);
    },
  });
  const cursor = {bin: 0};
  const lanes = createLanes(single, {
    label:
      'Bars of single calls by process. Left and right move along, up and ' +
      'down to what made a call and what it made, Enter shows its tree, ' +
      'plus and minus zoom.',
    lines: (bar) => barText(model, bar),
    click: (bar) => context.showEvent(bar),
    onkey: (event) => timeKey(event, model, store, axis, cursor),
  });
  attachTime(lanes.canvas.element, store, axis, {
    area: lanes.area,
    click: (x, y) => {
      const bar = lanes.barAt(x, y);
      if (bar) context.showEvent(bar);
    },
  });
  const fetched = createFetched(model, () => update(store.get()));
  let key = null;

  function compute(state) {
    const now = [state.measure, state.layer, state.file].join();
    if (now !== key) current = grid(model, state);
    key = now;
    Object.assign(current, margins(model, state, current.values));
    for (const part of current.parts ?? []) {
      const sums = margins(model, state, part.values);
      part.byColumn = sums.byBin;
      part.byRow = sums.byWho;
    }
    current.state = state;
    return current;
  }

  /** The bars to show, or null where the map is better or all there is. */
  function barsFor(state) {
    const look = lookAt(model, state);
    const some = (list) =>
      state.who === null ? list : list.filter((bar) => bar.who === state.who);
    if (look.bars)
      return {look, bars: some(barsOfSample(model, state, look.kept))};
    if (state.rows !== 'heat' && isServed() && look.few && !look.all) {
      const bars = fetched(state);
      if (bars) return {look: {...look, all: true}, bars: some(bars)};
    }
    return {look, bars: null};
  }

  function showBars(state, {look, bars}) {
    const shape = layOut(bars, MOST_ROWS);
    card.setLead(
      `${several(bars.length, 'call')}, each below the one that made it.`,
    );
    card.setNote(
      [
        !look.all &&
          `This report keeps ${count(look.kept.length)} of about ` +
            `${several(look.calls, 'call')} here; weir report --browse shows all.`,
        shape.processes > shape.rows.length &&
          `The first ${MOST_ROWS} of ${several(shape.processes, 'process', 'es')} ` +
            'with calls here; choose one to see it.',
      ]
        .filter(Boolean)
        .join(' '),
    );
    lanes.set({
      ...shape,
      view: state.view,
      names: model.names,
      lives: model.lives,
      window: state.window,
      keys: keysOf(model, shape.bars),
    });
  }

  function showMap(state, look) {
    const measure = MEASURES[state.measure];
    const all = total(current.byWho) - sumOf(current, isLater(model));
    const view = state.view.map((time) => time / model.width);
    card.setLead(lead(model, state, current, all));
    card.setNote(noteOf(model, current, all) || lookNote(model, state, look));
    matrix.set({
      rows: model.who.length,
      columns: model.bins,
      values: current.values,
      parts: partsFor(model, current),
      full: model.width / 1e9,
      lives: model.lives.map((life) => life.map((time) => time / model.width)),
      view,
      labels: model.names,
      ticks: (from, to, most) => inBins(model, from, to, most),
      format: measure.format,
      legend: (joins) =>
        current.parts
          ? 'the stronger, the more of the time'
          : `${measure.name} in ${ns(joins * model.width)}`,
      joins: true,
      top: withoutLater(model, current, current.byBin, 'byColumn'),
      right: withoutLater(model, current, current.byWho, 'byRow'),
      window: state.window?.map((time) => time / model.width),
      chosen: state.who,
      marks: marksOf(model, state),
      logarithmic:
        state.scale === 'auto'
          ? (current.wantsLog ??= wantsLog(current.values))
          : state.scale === 'log',
    });
  }

  function update(state, changed) {
    const found = barsFor(state);
    rows.select.value = state.rows;
    const moved = changed && changed.size === 1 && changed.has('view');
    const wasMap = !map.hidden;
    map.hidden = Boolean(found.bars);
    single.hidden = !map.hidden;
    scale.hidden = map.hidden || Boolean(current?.parts);
    if (found.bars) {
      showBars(state, found);
    } else if (moved && wasMap && current) {
      matrix.move({view: state.view.map((time) => time / model.width)});
      card.setNote(
        noteOf(model, current, 1) || lookNote(model, state, found.look),
      );
      return;
    } else {
      compute(state);
      showMap(state, found.look);
    }
    scale.hidden = map.hidden || Boolean(current?.parts);
    card.refill();
  }

  return {
    id: 'heat',
    title: 'Processes over time',
    element: card.element,
    lanes,
    uses: [
      'view',
      'window',
      'who',
      'file',
      'finding',
      'call',
      'layer',
      'measure',
      'scale',
      'rows',
      'theme',
    ],
    update,
    describe() {
      const state = store.get();
      compute(state);
      const {bars} = barsFor(state);
      return {
        measure: state.measure,
        layer: state.layer,
        rows: model.who.map((who) => who.label),
        names: model.names,
        lives: model.lives,
        byWho: [...current.byWho],
        byBin: [...current.byBin],
        byLayer: current.parts?.map(({layer, byRow}) => [layer, total(byRow)]),
        total: total(current.byWho),
        greatest: Math.max(...current.values),
        marks: marksOf(model, state).length,
        view: state.view,
        bars: bars && layOut(bars, MOST_ROWS).bars,
      };
    },
  };
}

/** Calls of the trace itself, asked for when a view stands still. */
function createFetched(model, arrived) {
  let timer = 0;
  let known = {key: null, bars: null};
  return (state) => {
    const key = [state.view, state.who, state.file].join();
    if (known.key === key) return known.bars;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const bars = await barsOfServer(model, state).catch(() => null);
      known = {key, bars};
      arrived();
    }, PAUSE);
    return null;
  };
}

const keyOf = (model, layer) => ({
  name: layer === WAITING ? 'waiting' : model.layers[layer].name,
  colour: partColour(layer, theme()),
});

/** The parts with their names and colours; none where one file is chosen. */
function partsFor(model, current) {
  return current.parts?.map((part) => ({
    ...part,
    ...keyOf(model, part.layer),
    aside: model.later.has(part.layer),
  }));
}

/** Sums of what the program waited for: a service works later, and at once. */
function withoutLater(model, current, sums, name) {
  const later = (current.parts ?? []).filter(({layer}) =>
    model.later.has(layer),
  );
  return sums.map((sum, i) =>
    later.reduce((rest, part) => Math.max(0, rest - part[name][i]), sum),
  );
}

/** The colours that there are among bars. */
function keysOf(model, bars) {
  const layers = new Set(bars.map((bar) => (bar.waits ? WAITING : bar.layer)));
  return [...layers]
    .sort((a, b) => (a === WAITING) - (b === WAITING) || a - b)
    .map((layer) => keyOf(model, layer));
}

/** What a service did later is no time of the program's calls. */
const isLater = (model) => (layer) => model.later.has(layer);

const sumOf = (current, wanted) =>
  (current.parts ?? [])
    .filter(({layer}) => wanted(layer))
    .reduce((sum, {byRow}) => sum + total(byRow), 0);

/** What to do for single calls, where the report has not all of them. */
function lookNote(model, state, look) {
  if (model.complete || !look.few || look.all || isServed()) return '';
  return (
    `This report keeps ${count(look.kept.length)} of about ` +
    `${several(look.calls, 'call')} here; weir report --browse shows each.`
  );
}

function barText(model, bar) {
  return [
    bar.call,
    `${model.layers[bar.layer].name}, ${whoLabel(model, bar.who)}`,
    bar.file,
    bar.size > 0
      ? bytes(bar.size) + (bar.off >= 0 ? ` at ${count(bar.off)}` : '')
      : '',
    bar.returned
      ? `${ns(bar.end - bar.start)} long, from ` +
        moment(bar.start, (bar.end - bar.start) * 10)
      : `never returned, from ${moment(bar.start, 1e6)}`,
    `event ${bar.id}`,
  ].filter(Boolean);
}

function noteOf(model, current, all) {
  if (model.head.timeless)
    return 'This trace has sums instead of calls: their times are unknown.';
  if (!all) return 'Nothing to show: try another measure or layer above.';
  return current.anyLayer
    ? 'Of one file: what reached the operating system, in any layer.'
    : '';
}

function lead(model, state, current, all) {
  const measure = MEASURES[state.measure];
  if (current.parts) {
    const waiting = sumOf(current, (layer) => layer === WAITING);
    return (
      `${measure.format(all - waiting)} in I/O` +
      (waiting > 0 ? ` and ${measure.format(waiting)} waiting` : '') +
      ', summed over processes.'
    );
  }
  const layer =
    state.file === null ? `, layer ${model.layers[state.layer].name}` : '';
  return `${measure.format(all)} ${measure.short}${layer}.`;
}

function inBins(model, from, to, most) {
  const {ticks, unit} = timeTicks(from * model.width, to * model.width, most);
  return {
    unit: `time (${unit})`,
    ticks: ticks.map(({at, text}) => ({
      at: at / model.width,
      text,
    })),
  };
}

/** When the evidence of the chosen finding happened, in bins. */
function marksOf(model, state) {
  if (state.finding === null) return [];
  return [...(model.evidence[state.finding] ?? [])].map(
    (event) => model.sample.start[event] / model.width,
  );
}

/** Of the bins that are drawn as one. */
function cellText(model, state, current, {row, bin, joins}) {
  const measure = MEASURES[state.measure];
  const first = bin - (bin % joins);
  const end = Math.min(model.bins, first + joins);
  const start = row * model.bins;
  const value = total(current.values.subarray(start + first, start + end));
  return [
    ...whoLines(model, row),
    `${moment(first * model.width, model.width)} to ` +
      moment(end * model.width, model.width),
    `${measure.format(value)} ${measure.short}`,
    `${state.window ? 'in the window' : 'in all'}: ` +
      measure.format(current.byWho[row]),
  ];
}

function numbers(model, current) {
  const {measure} = current.state;
  const rows = model.who.map((who, i) => [
    whoLabel(model, i),
    who.program ?? '',
    who.pid ? String(who.pid) : '',
    who.host ?? '',
    ...model.lives[i].map(ns),
    MEASURES[measure].format(current.byWho[i]),
  ]);
  return table(
    cutCaption(`${MEASURES[measure].name} by process`, rows),
    [
      {text: 'process'},
      {text: 'program'},
      {text: 'pid', number: true},
      {text: 'host'},
      {text: 'first call', number: true},
      {text: 'last call', number: true},
      {text: MEASURES[measure].name, number: true},
    ],
    cut(rows),
  );
}
