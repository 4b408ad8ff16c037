// SPDX-License-Identifier: BSD-3-Clause
// How much was read and written below each mount point.
import {createCard, empty} from '../card.js';
import {theme} from '../colours.js';
import {make, replace} from '../dom.js';
import {bytes, count, seconds} from '../format.js';
import {byMount} from '../sums.js';
import {barTable, volumes} from './bartable.js';

export function createMounts({model, store}) {
  const card = createCard({
    id: 'mounts',
    title: 'File systems',
    lead: 'Volumes by mount point.',
  });
  return {
    id: 'mounts',
    title: 'File systems',
    element: card.element,
    uses: ['window', 'who', 'file', 'theme'],
    update(state) {
      const rows = byMount(model, state);
      const colours = theme();
      replace(
        card.body,
        rows.length
          ? barTable(
              'Volumes by mount point',
              [
                {
                  text: 'mount point',
                  class: 'name',
                  get: (row) =>
                    make(
                      'span',
                      {},
                      row.path,
                      ' ',
                      make('small', {}, row.fs ?? ''),
                    ),
                },
                {
                  text: 'files',
                  number: true,
                  get: (row) => count(row.files),
                },
                ...volumes(colours),
                {
                  text: 'time',
                  number: true,
                  get: (row) => seconds(row.time),
                },
              ],
              rows,
            )
          : empty('No mount point is known for the files in the filter.'),
      );
    },
    describe: () => byMount(model, store.get()),
  };
}
