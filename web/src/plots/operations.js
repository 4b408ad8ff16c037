// SPDX-License-Identifier: BSD-3-Clause
// How many operations of each kind, layer by layer.
import {createCard, empty, keptNote} from '../card.js';
import {layerColour} from '../colours.js';
import {replace} from '../dom.js';
import {bytes, count, seconds} from '../format.js';
import {operations} from '../sums.js';
import {barTable} from './bartable.js';

export function createOperations({model, store}) {
  const card = createCard({
    id: 'operations',
    title: 'Operations',
    lead:
      'Calls by layer and kind. A call of one layer is made by ' +
      'calls of those above: layers do not add up.',
  });
  return {
    id: 'operations',
    title: 'Operations',
    element: card.element,
    uses: ['window', 'who', 'file'],
    update(state) {
      const {rows, kept} = operations(model, state);
      card.setNote(keptNote(model, kept));
      replace(
        card.body,
        rows.length
          ? barTable(
              'Operations by layer and kind',
              [
                {
                  text: 'kind',
                  get: (row) => model.classes[row.kind],
                },
                {
                  text: 'calls',
                  number: true,
                  get: (row) => count(row.calls),
                },
                {
                  text: '',
                  bar: (row) => [
                    {
                      value: row.calls,
                      colour: layerColour(row.layer),
                    },
                  ],
                },
                {
                  text: 'bytes',
                  number: true,
                  get: (row) => (row.bytes ? bytes(row.bytes) : ''),
                },
                {
                  text: 'time',
                  number: true,
                  get: (row) => seconds(row.time),
                },
              ],
              rows,
              {
                group: (row) => model.layers[row.layer].name,
              },
            )
          : empty('No call is in the filter.'),
      );
    },
    describe: () => operations(model, store.get()),
  };
}
