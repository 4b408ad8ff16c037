// SPDX-License-Identifier: BSD-3-Clause
// Processes by time, with sums above and beside: the first look at a run.
import {createCard, cut, cutCaption} from '../card.js';
import {choice, table} from '../dom.js';
import {moment, ns, timeTicks} from '../format.js';
import {MEASURES} from '../measures.js';
import {whoLabel} from '../model.js';
import {grid, margins, total} from '../sums.js';
import {attachTime, timeKey} from '../timeaxis.js';
import {createMatrix, wantsLog} from './matrix.js';

export function createHeat({model, store, axis}) {
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
    controls: [scale],
    numbers: () => numbers(model, current),
  });
  let current = null;
  const matrix = createMatrix(card.body, {
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
  let key = null;

  function compute(state) {
    const now = [state.measure, state.layer, state.file].join();
    if (now !== key) current = grid(model, state);
    key = now;
    Object.assign(current, margins(model, state, current.values));
    current.state = state;
    return current;
  }

  function update(state, changed) {
    const view = state.view.map((time) => time / model.width);
    if (changed && changed.size === 1 && changed.has('view')) {
      matrix.move({view});
      return;
    }
    compute(state);
    const measure = MEASURES[state.measure];
    const all = total(current.byWho);
    card.setLead(lead(model, state, all));
    card.setNote(noteOf(model, current, all));
    matrix.set({
      rows: model.who.length,
      columns: model.bins,
      values: current.values,
      view,
      labels: model.who.map((who) => who.label),
      ticks: (from, to, most) => inBins(model, from, to, most),
      format: measure.format,
      legend: (joins) => `${measure.name} in ${ns(joins * model.width)}`,
      joins: true,
      top: current.byBin,
      right: current.byWho,
      window: state.window?.map((time) => time / model.width),
      chosen: state.who,
      marks: marksOf(model, state),
      logarithmic:
        state.scale === 'auto'
          ? (current.wantsLog ??= wantsLog(current.values))
          : state.scale === 'log',
    });
    card.refill();
  }

  return {
    id: 'heat',
    title: 'Processes over time',
    element: card.element,
    uses: [
      'view',
      'window',
      'who',
      'file',
      'finding',
      'layer',
      'measure',
      'scale',
    ],
    update,
    describe() {
      const state = store.get();
      compute(state);
      return {
        measure: state.measure,
        layer: state.layer,
        rows: model.who.map((who) => who.label),
        byWho: [...current.byWho],
        byBin: [...current.byBin],
        total: total(current.byWho),
        greatest: Math.max(...current.values),
        marks: marksOf(model, state).length,
        view: state.view,
      };
    },
  };
}

function noteOf(model, current, all) {
  if (model.head.timeless)
    return 'This trace has sums instead of calls: their times are unknown.';
  if (!all) return 'Nothing to show: try another measure or layer above.';
  return current.anyLayer
    ? 'Of one file: what reached the operating system, in any layer.'
    : '';
}

function lead(model, state, all) {
  const measure = MEASURES[state.measure];
  const layer =
    state.file === null ? `, layer ${model.layers[state.layer].name}` : '';
  return (
    `${measure.format(all)} ${measure.name.replace('bytes ', '')}` +
    `${layer}. Drag to choose a window of time, click to choose a ` +
    'process; Shift-drag pans, Ctrl-wheel zooms.'
  );
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
    whoLabel(model, row),
    `${moment(first * model.width, model.width)} to ` +
      moment(end * model.width, model.width),
    `${measure.format(value)} ${measure.name.replace('bytes ', '')}`,
    `${state.window ? 'in the window' : 'in all'}: ` +
      measure.format(current.byWho[row]),
  ];
}

function numbers(model, current) {
  const {measure} = current.state;
  const rows = model.who.map((who, i) => [
    who.label,
    who.host ?? '',
    MEASURES[measure].format(current.byWho[i]),
  ]);
  return table(
    cutCaption(`${MEASURES[measure].name} by process`, rows),
    [
      {text: 'process'},
      {text: 'host'},
      {text: MEASURES[measure].name, number: true},
    ],
    cut(rows),
  );
}
