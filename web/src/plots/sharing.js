// SPDX-License-Identifier: BSD-3-Clause
// Which process used which file, and how much.
import {createCard, cut, cutCaption, empty} from '../card.js';
import {make, table} from '../dom.js';
import {count, upper} from '../format.js';
import {MEASURES} from '../measures.js';
import {fileName, isFile, whoLabel, whoShort} from '../model.js';
import {byFile, sharing} from '../sums.js';
import {createMatrix} from './matrix.js';

const MOST = 32;

export function createSharing({model, store}) {
  if (model.who.length < 2) return null;
  let files = [];
  let values = new Float64Array(0);
  const card = createCard({
    id: 'sharing',
    wide: true,
    title: 'Files and processes',
    numbers: () => numbers(),
  });
  const holder = make('div');
  const nothing = empty('No file of the report is in the filter.');
  card.body.append(holder, nothing);
  const format = (value) => MEASURES[store.get().measure].format(value);
  const matrix = createMatrix(holder, {
    label:
      'Matrix of files and processes. Arrow keys move, Enter ' +
      'chooses the file.',
    cellText: (row, who) => [
      fileName(model, files[row]),
      whoLabel(model, who),
      format(values[row * model.who.length + who] ?? 0),
    ],
    rowClick: (row) => choose(row),
    wideLabels: true,
  });
  const choose = (row) =>
    store.set({
      file: store.get().file === files[row] ? null : files[row],
    });
  matrix.canvas.element.addEventListener('click', (event) => {
    const row = matrix.rowAt(event.offsetY);
    if (row >= 0 && row < files.length) choose(row);
  });

  function compute(state) {
    const size = {
      read: (r) => r.read,
      write: (r) => r.written,
      bytes: (r) => r.read + r.written,
      calls: (r) => r.calls,
      time: (r) => r.time,
      layers: (r) => r.time,
    }[state.measure];
    const sums = byFile(model, {...state, who: null}).filter(
      (row) => size(row) > 0 && isFile(model, row.file),
    );
    files = sums
      .sort((a, b) => size(b) - size(a))
      .slice(0, MOST)
      .map((row) => row.file);
    values = sharing(model, state, files, state.measure);
    return sums.length;
  }

  function numbers() {
    const rows = [];
    files.forEach((file, row) =>
      model.who.forEach((_, who) => {
        const value = values[row * model.who.length + who];
        if (value)
          rows.push([
            fileName(model, file),
            whoLabel(model, who),
            format(value),
          ]);
      }),
    );
    return table(
      cutCaption('use of files by processes', rows),
      [
        {text: 'file'},
        {text: 'process'},
        {
          text: MEASURES[store.get().measure].name,
          number: true,
        },
      ],
      cut(rows),
    );
  }

  return {
    id: 'sharing',
    title: 'Files and processes',
    element: card.element,
    uses: ['window', 'file', 'who', 'measure'],
    update(state) {
      const all = compute(state);
      // of a file it is not known by layer
      const name =
        state.measure === 'layers'
          ? 'time in calls'
          : MEASURES[state.measure].name;
      holder.hidden = !files.length;
      nothing.hidden = Boolean(files.length);
      card.setLead(
        `${upper(name)}: each process in each file` +
          `${all > MOST ? `, the first ${MOST} of ${count(all)}` : ''}` +
          '. A full row is a file that all share. Click a row to choose ' +
          'its file.',
      );
      matrix.set({
        rows: files.length,
        columns: model.who.length,
        values,
        view: [0, model.who.length],
        labels: files.map((file) => fileName(model, file)),
        ticks: (from, to, most) => whoTicks(model, most),
        tickRoom: hasRanks(model) ? 48 : 80,
        format: MEASURES[state.measure].format,
        legend: () => name,
        chosen: files.includes(state.file) ? files.indexOf(state.file) : null,
        window: state.who === null ? null : [state.who, state.who + 1],
        logarithmic: true,
      });
      card.refill();
    },
    describe() {
      compute(store.get());
      return {
        files: files.map((file) => fileName(model, file)),
        values: [...values],
      };
    },
  };
}

const hasRanks = (model) =>
  model.who.every(({rank}) => rank !== null && rank !== undefined);

function whoTicks(model, most) {
  const every = Math.max(1, Math.ceil(model.who.length / most));
  const ranks = hasRanks(model);
  return {
    unit: ranks ? 'rank' : 'process',
    ticks: model.who.flatMap((who, i) =>
      i % every
        ? []
        : [
            {
              at: i + 0.5,
              text: ranks ? String(who.rank) : whoShort(model, i),
            },
          ],
    ),
  };
}
