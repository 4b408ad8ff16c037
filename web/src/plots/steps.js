// SPDX-License-Identifier: BSD-3-Clause
// Step by step of the program: requests of each process, bytes of all.
import {createCard, cut, cutCaption, keptNote} from '../card.js';
import {theme} from '../colours.js';
import {make, plain, table} from '../dom.js';
import {bytes, count, ns, several, short} from '../format.js';
import {whoLabel, whoShort} from '../model.js';
import {steps} from '../sums.js';
import {createColumns} from './columns.js';
import {createMatrix, wantsLog} from './matrix.js';

export function createSteps({model, store, axis}) {
  const card = createCard({
    id: 'steps',
    wide: true,
    title: 'Step by step',
    numbers: () => numbers(model, now),
  });
  const text = (kind) => make('h3', {}, kind);
  const keys = make(
    'span',
    {class: 'legend'},
    make('span', {}, make('i', {class: 'key read'}), 'read'),
    make('span', {}, make('i', {class: 'key write'}), 'written'),
  );
  const left = make('div');
  const right = make('div');
  const bytesTitle = text('Bytes in each step');
  bytesTitle.append(keys);
  const both = make(
    'div',
    {class: 'pair'},
    make('div', {}, text('Requests by step and process'), left),
    make('div', {}, bytesTitle, right),
  );
  card.body.append(both);
  let now = null;

  const windowOf = (first, last) =>
    store.set({
      window: axis.windowOf(model.steps[first].begin, model.steps[last].end),
    });
  const matrix = createMatrix(left, {
    label:
      'Heat map of requests by step and process. Arrow keys ' +
      'move, Enter chooses the process.',
    cellText: (row, step) => [
      whoLabel(model, row),
      `step ${model.steps[step]?.label ?? step}`,
      several(now.requests[row * model.steps.length + step] ?? 0, 'request'),
    ],
    rowClick: (row) =>
      store.set({
        who: store.get().who === row ? null : row,
      }),
    least: 190,
  });
  let drag = -1;
  matrix.canvas.element.addEventListener('pointerdown', (event) => {
    drag = matrix.columnAt(event.offsetX);
  });
  matrix.canvas.element.addEventListener('pointermove', (event) => {
    const to = matrix.columnAt(event.offsetX);
    const last = model.steps.length - 1;
    if (event.buttons && drag >= 0 && drag <= last && to !== drag)
      windowOf(
        Math.min(drag, Math.max(0, to)),
        Math.max(drag, Math.min(last, to)),
      );
  });
  matrix.canvas.element.addEventListener('click', (event) => {
    const row = matrix.rowAt(event.offsetY);
    const column = matrix.columnAt(event.offsetX);
    if (column === drag && row >= 0 && row < model.who.length)
      store.set({who: store.get().who === row ? null : row});
  });
  const columns = createColumns(right, {
    label:
      'Bars: bytes in each step. Left and right move, with ' +
      'Shift they choose a window.',
    height: 260,
    range: windowOf,
    click: (step) => windowOf(step, step),
  });

  function update(state) {
    now = steps(model, state);
    card.setNote(keptNote(model, now.kept));
    card.setLead(
      (model.binsPerStep
        ? `${several(model.steps.length, 'equal part')} of the run, for the ` +
          'program marked no steps'
        : several(model.steps.length, 'step')) +
        `${model.head.steps_are ? ', ' + model.head.steps_are : ''}` +
        `; layer ${model.layers[state.layer].name}. Drag over steps ` +
        'to choose their time.',
    );
    drawRequests(state);
    drawBytes(state);
    card.refill();
  }

  function drawRequests(state) {
    const inside = now.rows.filter((row) => row.inside).map((row) => row.step);
    matrix.set({
      rows: model.who.length,
      columns: model.steps.length,
      values: now.requests,
      view: [0, model.steps.length],
      labels: model.who.map((_, who) => whoShort(model, who)),
      ticks: (from, to, most) => stepTicks(model, from, to, most),
      tickRoom: 60,
      format: short,
      legend: () => 'requests',
      window:
        state.window && inside.length
          ? [inside[0], inside[inside.length - 1] + 1]
          : null,
      chosen: state.who,
      logarithmic: wantsLog(now.requests),
    });
  }

  function drawBytes() {
    const colours = theme();
    columns.set({
      bars: now.rows.map((row) => ({
        label: model.steps[row.step].label,
        dim: !row.inside,
        lines: [
          `step ${model.steps[row.step].label}`,
          `${ns(model.steps[row.step].end - model.steps[row.step].begin)} long`,
          `${bytes(row.read)} read`,
          `${bytes(row.write)} written`,
          several(row.calls, 'request'),
        ],
        parts: [
          {value: row.read, colour: colours.read},
          {
            value: row.write,
            colour: colours.write,
          },
        ],
      })),
      format: bytes,
      base: 1024,
      axis: model.binsPerStep ? 'begin of the step (s)' : 'step',
    });
  }

  return {
    id: 'steps',
    title: 'Steps',
    element: card.element,
    uses: ['window', 'who', 'file', 'layer', 'theme'],
    update,
    describe() {
      const {requests, rows, kept} = steps(model, store.get());
      return {kept, requests: [...requests], rows};
    },
  };
}

function stepTicks(model, from, to, most) {
  const every = Math.max(1, Math.ceil((to - from) / most));
  const ticks = [];
  for (let i = Math.ceil(from); i < to; i += every)
    ticks.push({
      at: i + 0.5,
      text: plain(model.steps[i].label).slice(0, 8),
    });
  return {ticks, unit: model.binsPerStep ? 'begin (s)' : 'step'};
}

function numbers(model, now) {
  const rows = now.rows.map((row) => [
    model.steps[row.step].label,
    ns(model.steps[row.step].begin),
    ns(model.steps[row.step].end),
    count(row.calls),
    bytes(row.read),
    bytes(row.write),
  ]);
  return table(
    cutCaption('steps', rows),
    [
      {text: 'step'},
      ...['begin', 'end', 'requests', 'read', 'written'].map((name) => ({
        text: name,
        number: true,
      })),
    ],
    cut(rows),
  );
}
