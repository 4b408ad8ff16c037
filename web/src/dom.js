// SPDX-License-Identifier: BSD-3-Clause
// Elements, made without any HTML text: names in a trace may be hostile.

const HIDDEN = new RegExp(
  '[\\u0000-\\u001f\\u007f-\\u009f\\u061c' +
    '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]',
  'g',
);

/** Characters that hide or reorder text, shown as what they are. */
export function plain(text) {
  return String(text).replace(
    HIDDEN,
    (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'),
  );
}

/** Children that are there; text is always shown as what it is. */
function shown(children) {
  return children
    .flat(2)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : plain(child)));
}

/** make('p', {class: 'x', onclick: f}, 'text', element, …) */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : plain(value));
  }
  element.append(...shown(children));
  return element;
}

/** A path that may be broken behind its slashes. */
export const pathParts = (path) =>
  plain(path)
    .split(/(?<=[/:])(?=[^/:])/)
    .flatMap((part, i) => (i ? [make('wbr'), part] : [part]));

export function button(text, onclick, attributes = {}) {
  return make('button', {type: 'button', onclick, ...attributes}, text);
}

/** A choice: options are [[value, text], …]. */
export function choice(label, options, value, onchange) {
  const select = make(
    'select',
    {
      onchange: () => onchange(select.value),
    },
    options.map(([key, text]) => make('option', {value: key}, text)),
  );
  select.value = value;
  const element = make(
    'label',
    {class: 'choice'},
    make('span', {}, label),
    select,
  );
  element.select = select;
  return element;
}

/** A table of text. Columns: {text, number: bool}; rows of cells. */
export function table(caption, columns, rows) {
  const cell = (tag, content, column) =>
    make(
      tag,
      {
        class: column.number && 'number',
        scope: tag === 'th' && 'col',
      },
      content,
    );
  return make(
    'table',
    {},
    make('caption', {}, caption),
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        columns.map((column) => cell('th', column.text, column)),
      ),
    ),
    make(
      'tbody',
      {},
      rows.map((row) =>
        make(
          'tr',
          {},
          row.map((content, i) => cell('td', content, columns[i])),
        ),
      ),
    ),
  );
}

export function replace(element, ...children) {
  element.replaceChildren(...shown(children));
}
