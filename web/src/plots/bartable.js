// SPDX-License-Identifier: BSD-3-Clause
// Lying bars inside a table: the numbers are always there as text.
import {make} from '../dom.js';
import {bytes} from '../format.js';

/**
 * Columns: {text, number, get(row), bar(row) → [{value, colour}], full: the
 * value of a whole bar, else the greatest}. A row may have click(row). `label` names the table for those who cannot see it.
 */
export function barTable(label, columns, rows, {click, chosen, group} = {}) {
  const greatest = columns.map((column) =>
    column.bar
      ? (column.full ??
        Math.max(1e-30, ...rows.map((row) => sum(column.bar(row)))))
      : 0,
  );
  const body = [];
  let last;
  for (const row of rows) {
    const name = group?.(row);
    if (group && name !== last)
      body.push(
        make(
          'tr',
          {class: 'group'},
          make(
            'th',
            {
              colspan: columns.length,
              scope: 'colgroup',
            },
            name,
          ),
        ),
      );
    last = name;
    body.push(
      make(
        'tr',
        {
          class:
            [click && 'click', chosen?.(row) && 'chosen']
              .filter(Boolean)
              .join(' ') || null,
          onclick: click && (() => click(row)),
        },
        columns.map((column, i) =>
          column.bar
            ? make('td', {class: 'bar'}, bars(column.bar(row), greatest[i]))
            : make(
                'td',
                {
                  class: column.number ? 'number' : column.class,
                },
                cellOf(column.get(row)),
              ),
        ),
      ),
    );
  }
  const table = make(
    'table',
    {class: 'bars', 'aria-label': label},
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        columns.map((column) =>
          make(
            'th',
            {
              scope: 'col',
              class: column.bar ? 'bar' : column.number && 'number',
            },
            column.text,
          ),
        ),
      ),
    ),
    make('tbody', {}, body),
  );
  // without anything to tab to, who has no pointer could not scroll it
  return click
    ? make('div', {class: 'scroll-x'}, table)
    : make(
        'div',
        {class: 'scroll-x', tabindex: 0, role: 'region', 'aria-label': label},
        table,
      );
}

const cellOf = (content) => (content instanceof Node ? content : content);
const sum = (parts) => parts.reduce((all, part) => all + part.value, 0);

function bars(parts, greatest) {
  return make(
    'div',
    {class: 'track', 'aria-hidden': 'true'},
    parts.map((part) => {
      const bar = make('i');
      bar.style.width = (100 * part.value) / greatest + '%';
      bar.style.background = part.colour;
      return bar;
    }),
  );
}

/** Columns of bytes read and written, and both as a bar. */
export const volumes = (colours) => [
  {text: 'read', number: true, get: (row) => bytes(row.read)},
  {text: 'written', number: true, get: (row) => bytes(row.written)},
  {
    text: '',
    bar: (row) => [
      {value: row.read, colour: colours.read},
      {value: row.written, colour: colours.write},
    ],
  },
];
