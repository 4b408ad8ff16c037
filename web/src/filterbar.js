// SPDX-License-Identifier: BSD-3-Clause
// What is chosen, always in sight, and how to let go of it.
import {button, choice, make, replace} from './dom.js';
import {moment, shorten} from './format.js';
import {MEASURES} from './measures.js';
import {fileName, whoLabel} from './model.js';
import {createSearch} from './search.js';
import {isFiltered} from './store.js';

export function createFilterBar(context) {
  const {model, store, axis} = context;
  const measure = choice(
    'Show',
    Object.entries(MEASURES).map(([key, {name}]) => [key, name]),
    store.get().measure,
    (value) => store.set({measure: value}),
  );
  const layer = choice(
    'Layer',
    model.layers.map((row, i) => [String(i), row.name]),
    String(store.get().layer),
    (value) => store.set({layer: Number(value)}),
  );
  const chips = make('div', {
    class: 'chips',
    role: 'group',
    'aria-label': 'Filter',
  });
  const element = make(
    'div',
    {id: 'filter', role: 'region', 'aria-label': 'Filter and view'},
    createSearch(context),
    measure,
    layer,
    chips,
  );

  function chip(text, patch) {
    return make(
      'span',
      {class: 'chip'},
      make('span', {}, text),
      button('×', () => store.set(patch), {
        'aria-label': `Remove the filter: ${text}`,
      }),
    );
  }

  function chipsOf(state) {
    const list = [];
    if (state.window) {
      const [from, to] = state.window;
      list.push(
        chip(`time ${moment(from, to - from)} to ` + moment(to, to - from), {
          window: null,
        }),
      );
    }
    if (state.who !== null)
      list.push(chip(whoLabel(model, state.who), {who: null}));
    if (state.file !== null)
      list.push(
        chip('file ' + shorten(fileName(model, state.file), 36), {file: null}),
      );
    if (state.call !== null)
      list.push(
        chip(`latency and events of ${model.calls[state.call].name}`, {
          call: null,
        }),
      );
    if (state.finding !== null)
      list.push(
        chip('evidence: ' + model.report.findings[state.finding].id, {
          finding: null,
        }),
      );
    return list;
  }

  function update(state) {
    const zoomed = state.view[0] > 0 || state.view[1] < model.reach;
    const some = isFiltered(state);
    replace(
      chips,
      ...chipsOf(state),
      state.window &&
        button('Zoom in', () => axis.setView(...state.window), {
          title: 'Show only the ' + 'window on the axes of time (key z)',
        }),
      zoomed &&
        button('Whole run', axis.reset, {
          title: 'Show all time again (key 0)',
        }),
      some &&
        button('Clear', store.clear, {
          id: 'clear',
          title: 'Remove all filters (Escape)',
        }),
    );
    measure.select.value = state.measure;
    layer.select.value = String(state.layer);
  }

  return {
    id: 'filter',
    element,
    update,
    uses: [
      'window',
      'who',
      'file',
      'finding',
      'call',
      'view',
      'measure',
      'layer',
    ],
    describe: () => ({
      chips: [...chips.querySelectorAll('.chip span')].map(
        (one) => one.textContent,
      ),
      filtered: isFiltered(store.get()),
    }),
  };
}
