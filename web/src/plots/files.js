// SPDX-License-Identifier: BSD-3-Clause
// The files: a table to sort, and to choose one from.
import {createCard, empty} from '../card.js';
import {theme} from '../colours.js';
import {button, choice, make, pathParts, replace} from '../dom.js';
import {bytes, count, seconds, several} from '../format.js';
import {fileName, isFile} from '../model.js';
import {byFile} from '../sums.js';
import {barTable, volumes} from './bartable.js';

const FIRST = 12;
const SPECIAL = {object: 'dataset', channel: 'pipe'}; // no files
const ORDERS = {
  time: ['time', (row) => row.time],
  read: ['bytes read', (row) => row.read],
  written: ['bytes written', (row) => row.written],
  calls: ['calls', (row) => row.calls],
  who: ['processes', (row) => row.who.size],
};

export function createFiles({model, store}) {
  let order = 'time';
  let all = false;
  const card = createCard({
    id: 'files',
    wide: true,
    title: 'Files',
    controls: [
      choice(
        'Order by',
        Object.entries(ORDERS).map(([key, [text]]) => [key, text]),
        order,
        (value) => {
          order = value;
          update(store.get());
        },
      ),
    ],
  });

  /** Files first; the sums of many others and of none at the end. */
  const rowsOf = (state) =>
    byFile(model, state)
      .filter((row) => row.calls > 0)
      .sort(
        (a, b) =>
          isFile(model, b.file) - isFile(model, a.file) ||
          ORDERS[order][1](b) - ORDERS[order][1](a),
      );

  /** As the summary counts them; with a filter, those that are listed. */
  function amounts(rows, {window, who, file}) {
    const {total = {}} = model.report;
    const whole = window === null && who === null && file === null;
    const some = (kind) =>
      rows.filter((row) => (model.files[row.file].kind ?? 'file') === kind)
        .length;
    return [
      [(whole && total.files) || some('file'), 'file'],
      [(whole && total.objects) || some('object'), 'dataset'],
      [(whole && total.channels) || some('channel'), 'pipe'],
    ]
      .filter(([number, kind]) => number > 0 || kind === 'file')
      .map(([number, kind]) => several(number, kind))
      .join(', ');
  }

  function nameOf(row) {
    const {kind} = model.files[row.file];
    const name = button(
      pathParts(fileName(model, row.file)),
      (event) => {
        event.stopPropagation();
        choose(row);
      },
      {
        class: 'link',
        'aria-pressed': String(store.get().file === row.file),
      },
    );
    return SPECIAL[kind] && SPECIAL[kind] !== fileName(model, row.file)
      ? make('span', {}, name, ' ', make('small', {}, SPECIAL[kind]))
      : name;
  }

  const choose = (row) =>
    store.set({
      file: store.get().file === row.file ? null : row.file,
    });

  function update(state) {
    const rows = rowsOf(state);
    const colours = theme();
    card.setLead(
      `${amounts(rows, state)} in the filter. Choose one to see where it was ` +
        'accessed, by whom and when.',
    );
    const shown = all ? rows : rows.slice(0, FIRST);
    const chosen = rows.find((row) => row.file === state.file);
    if (chosen && !shown.includes(chosen)) shown.push(chosen);
    const left = rows.length - shown.length;
    replace(
      card.body,
      rows.length
        ? barTable(
            'Files',
            [
              {
                text: 'file',
                class: 'name',
                get: nameOf,
              },
              {
                text: 'time',
                number: true,
                get: (row) => seconds(row.time),
              },
              {
                text: '',
                bar: (row) => [
                  {
                    value: row.time,
                    colour: colours.accent,
                  },
                ],
              },
              ...volumes(colours),
              {
                text: 'calls',
                number: true,
                get: (row) => count(row.calls),
              },
              {
                text: 'processes',
                number: true,
                get: (row) => count(row.who.size),
              },
            ],
            shown,
            {
              click: choose,
              chosen: (row) => row.file === state.file,
            },
          )
        : empty('No file is in the filter.'),
      (left > 0 || (all && rows.length > FIRST)) &&
        button(
          all ? 'Show fewer' : `Show ${count(left)} more`,
          () => {
            all = !all;
            update(store.get());
          },
          {class: 'more'},
        ),
    );
  }

  return {
    id: 'files',
    title: 'Files',
    element: card.element,
    uses: ['window', 'who', 'file', 'theme'],
    update,
    describe: () =>
      rowsOf(store.get()).map((row) => ({
        name: fileName(model, row.file),
        calls: row.calls,
        read: row.read,
        written: row.written,
        time: row.time,
        processes: row.who.size,
      })),
  };
}
