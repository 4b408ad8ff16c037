// SPDX-License-Identifier: BSD-3-Clause
// What operations of each kind took, and how many there are, by layer.
import {createCard, empty, keptNote} from '../card.js';
import {partColour, theme, WAITING} from '../colours.js';
import {make, replace} from '../dom.js';
import {bytes, count, seconds} from '../format.js';
import {WAITS} from '../model.js';
import {callNames, operations} from '../sums.js';
import {barTable} from './bartable.js';

const NAMES = 3; // calls that are named

export function createOperations({model, store}) {
  const namesOf = callNames(model);
  const card = createCard({
    id: 'operations',
    title: 'Operations',
    lead:
      'By layer, longest first. What a layer takes is in part that of the ' +
      'layers below, so they do not add up.',
  });

  function update(state) {
    const {rows, kept} = operations(model, state);
    card.setNote(keptNote(model, kept));
    replace(
      card.body,
      rows.length
        ? barTable(
            'Operations by layer and kind',
            columnsOf(kindOf, longestOf(rows)),
            rows,
            {group: groupOf},
          )
        : empty('No call is in the filter.'),
    );
  }

  /** What a service does, it does later, and much at once. */
  const isLater = ({layer}) => model.later.has(layer);
  const longestOf = (rows) =>
    Math.max(1e-30, ...rows.map((row) => (isLater(row) ? 0 : row.time)));
  const groupOf = (row) =>
    row.layer === WAITING
      ? 'not I/O'
      : model.layers[row.layer].name +
        (isLater(row) ? ', later and much at once' : '');

  /** The kind, and which calls these are. */
  function kindOf(row) {
    const names = namesOf(row);
    const name = model.classes[row.kind];
    const more = names.length > NAMES ? ', …' : '';
    const told = names.slice(0, NAMES).join(', ') + more;
    return make(
      'span',
      {title: names.join(', ')},
      row.layer === WAITING ? (WAITS[name] ?? name) : name,
      told !== name && [' ', make('small', {}, told)],
    );
  }

  return {
    id: 'operations',
    title: 'Operations',
    element: card.element,
    uses: ['window', 'who', 'file', 'theme'],
    update,
    describe: () => operations(model, store.get()),
  };
}

function columnsOf(kindOf, longest) {
  const colours = theme();
  return [
    {text: 'kind', get: kindOf},
    {text: 'time', number: true, get: (row) => seconds(row.time)},
    {
      text: '',
      full: longest,
      bar: (row) => [{value: row.time, colour: partColour(row.layer, colours)}],
    },
    {text: 'calls', number: true, get: (row) => count(row.calls)},
    {
      text: 'bytes',
      number: true,
      get: (row) => (row.bytes ? bytes(row.bytes) : ''),
    },
  ];
}
