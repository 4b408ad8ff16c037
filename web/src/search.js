// SPDX-License-Identifier: BSD-3-Clause
// A box to find files, calls and processes by a part of their names.
import {say} from './canvas.js';
import {make, replace} from './dom.js';
import {several} from './format.js';
import {fileName, isFile, whoLines} from './model.js';

const MOST = 12; // of a kind
const TEXT = 'Find a file, call or rank';

/** All that can be found: {kind, text, more, patch, part}. */
function thingsOf(model) {
  const people = model.who.map((_, who) => {
    const [text, ...more] = whoLines(model, who);
    return {kind: 'process', text, more: more[0] ?? '', patch: {who}};
  });
  const calls = model.calls.map((call, i) => ({
    kind: 'call',
    text: call.name,
    more:
      (model.layers[call.layer]?.name ?? '') +
      (model.classes[call.class] === 'wait' ? ', waiting' : ''),
    patch: {call: i},
    part: 'latency',
  }));
  const files = model.files.flatMap((row, file) =>
    isFile(model, file)
      ? [
          {
            kind: row.kind ?? 'file',
            text: fileName(model, file),
            more: '',
            patch: {file},
          },
        ]
      : [],
  );
  return {people, calls, files};
}

/** What begins with the text before what only has it within. */
export function find(things, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const rank = ({text: name, more}) => {
    const lower = name.toLowerCase();
    if (lower === wanted) return 0;
    if (lower.startsWith(wanted)) return 1;
    if (lower.split('/').pop().startsWith(wanted)) return 2;
    if (lower.includes(wanted)) return 3;
    return more.toLowerCase().includes(wanted) ? 4 : -1;
  };
  return Object.values(things).flatMap((list) =>
    list
      .map((thing) => ({...thing, rank: rank(thing)}))
      .filter((thing) => thing.rank >= 0)
      .sort((a, b) => a.rank - b.rank)
      .slice(0, MOST),
  );
}

export function createSearch({model, store, goTo}) {
  const things = thingsOf(model);
  let found = [];
  let at = -1;
  const list = make('ul', {
    id: 'found',
    role: 'listbox',
    'aria-label': 'Found',
    hidden: true,
  });
  const input = make('input', {
    type: 'search',
    placeholder: TEXT,
    'aria-label': TEXT,
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  });

  function choose(thing) {
    store.set(thing.patch);
    input.value = '';
    show();
    if (document.getElementById(thing.part)) goTo(thing.part);
  }

  function mark(next) {
    at = next;
    [...list.children].forEach((item, i) =>
      item.setAttribute('aria-selected', String(i === at)),
    );
    const item = list.children[at];
    input.setAttribute('aria-activedescendant', item?.id ?? '');
    item?.scrollIntoView?.({block: 'nearest'});
  }

  function show() {
    found = find(things, input.value);
    const text = input.value.trim();
    replace(
      list,
      found.map((thing, i) =>
        make(
          'li',
          {
            id: `found-${i}`,
            role: 'option',
            'aria-selected': 'false',
            onpointerdown: (event) => {
              event.preventDefault();
              choose(thing);
            },
          },
          make('small', {}, thing.kind),
          make('span', {}, thing.text),
          thing.more && make('small', {}, thing.more),
        ),
      ),
      text &&
        !found.length &&
        make('li', {class: 'hint'}, 'Nothing of that name is in this report.'),
    );
    list.hidden = !text;
    input.setAttribute('aria-expanded', String(found.length > 0));
    mark(found.length ? 0 : -1);
    if (text) say([several(found.length, 'name') + ' found']);
  }

  input.addEventListener('input', show);
  input.addEventListener('blur', () => {
    list.hidden = true;
  });
  input.addEventListener('focus', show);
  input.addEventListener('keydown', (event) => {
    const by = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (by && found.length) mark((at + by + found.length) % found.length);
    else if (event.key === 'Enter' && found[at]) choose(found[at]);
    else if (event.key === 'Escape' && input.value) {
      input.value = '';
      show();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return make('div', {class: 'search', role: 'search'}, input, list);
}
