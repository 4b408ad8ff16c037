// SPDX-License-Identifier: BSD-3-Clause
// What operations of each kind took, and how many there are, by layer.
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
      'Time by layer and kind, longest first. A call of one layer is ' +
      'made by calls of those above: layers do not add up.',
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
                  text: 'time',
                  number: true,
                  get: (row) => seconds(row.time),
                },
                {
                  text: '',
                  bar: (row) => [
                    {
                      value: row.time,
                      colour: layerColour(row.layer),
                    },
                  ],
                },
                {
                  text: 'calls',
                  number: true,
                  get: (row) => count(row.calls),
                },
                {
                  text: 'bytes',
                  number: true,
                  get: (row) => (row.bytes ? bytes(row.bytes) : ''),
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
