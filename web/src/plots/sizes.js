// SPDX-License-Identifier: BSD-3-Clause
// How many requests there are of each size.
import {createCard, empty, keptNote} from '../card.js';
import {theme} from '../colours.js';
import {choice, make, table} from '../dom.js';
import {bytes, count, several, short} from '../format.js';
import {sizes} from '../sums.js';
import {createColumns} from './columns.js';

const NOTHING = 255; // the class of requests that moved nothing
const label = (power) => (power === NOTHING ? '0 B' : bytes(2 ** power));

export function createSizes({model, store}) {
  let by = 'requests';
  let now = {rows: []};
  const card = createCard({
    id: 'sizes',
    title: 'Request sizes',
    controls: [
      choice(
        'Count',
        [
          ['requests', 'requests'],
          ['bytes', 'bytes'],
        ],
        by,
        (value) => {
          by = value;
          update(store.get());
        },
      ),
    ],
    numbers: () =>
      table(
        'requests by size',
        [
          {text: 'size from'},
          ...['reads', 'writes', 'bytes read', 'bytes written'].map((text) => ({
            text,
            number: true,
          })),
        ],
        now.rows.map((row) => [
          label(row.power),
          count(row.read),
          count(row.write),
          bytes(row.readBytes),
          bytes(row.writeBytes),
        ]),
      ),
  });
  const keys = make(
    'p',
    {class: 'legend'},
    make('span', {}, make('i', {class: 'key read'}), 'reads'),
    make('span', {}, make('i', {class: 'key write'}), 'writes'),
  );
  const holder = make('div');
  const nothing = empty('No read or write of this layer is in the filter.');
  card.body.append(keys, holder, nothing);
  const columns = createColumns(holder, {
    label: 'Bars: requests by size. Left and right move.',
  });

  function update(state) {
    now = sizes(model, state);
    holder.hidden = !now.rows.length;
    keys.hidden = holder.hidden;
    nothing.hidden = !holder.hidden;
    card.setNote(keptNote(model, now.kept));
    card.setLead(
      `Reads and writes of layer ` +
        `${model.layers[state.layer].name}, in classes of powers of ` +
        'two.',
    );
    const colours = theme();
    const suffix = by === 'bytes' ? 'Bytes' : '';
    columns.set({
      bars: filled(now.rows).map((row) => ({
        label: label(row.power),
        lines: [
          row.power === NOTHING
            ? 'nothing moved'
            : `${label(row.power)} to below ` + label(row.power + 1),
          `${several(row.read, 'read')} of ${bytes(row.readBytes)}`,
          `${several(row.write, 'write')} of ${bytes(row.writeBytes)}`,
        ],
        parts: [
          {
            value: row['read' + suffix],
            colour: colours.read,
          },
          {
            value: row['write' + suffix],
            colour: colours.write,
          },
        ],
      })),
      format: by === 'bytes' ? bytes : short,
      base: by === 'bytes' ? 1024 : 10,
      axis: 'size of a request, from',
    });
    card.refill();
  }

  return {
    id: 'sizes',
    title: 'Request sizes',
    element: card.element,
    uses: ['window', 'who', 'file', 'layer', 'theme'],
    update,
    describe: () => sizes(model, store.get()),
  };
}

/** Classes in between that have nothing get a place too. */
function filled(rows) {
  const some = rows.filter((row) => row.power !== NOTHING);
  const result = rows.filter((row) => row.power === NOTHING);
  if (!some.length) return result;
  for (let power = some[0].power; power <= some[some.length - 1].power; power++)
    result.push(
      some.find((row) => row.power === power) ?? {
        power,
        read: 0,
        write: 0,
        readBytes: 0,
        writeBytes: 0,
      },
    );
  return result;
}
