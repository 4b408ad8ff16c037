// SPDX-License-Identifier: BSD-3-Clause
// The processes: what each ran, when it lived, how it ended, what it moved.
import {createCard, empty} from '../card.js';
import {theme} from '../colours.js';
import {button, make, replace} from '../dom.js';
import {count, ns, seconds, several} from '../format.js';
import {whoLabel} from '../model.js';
import {byProcess} from '../sums.js';
import {barTable, volumes} from './bartable.js';

const FIRST = 8;

export function createProcesses({model, store}) {
  let all = false;
  const card = createCard({id: 'processes', wide: true, title: 'Processes'});
  const choose = ({who}) =>
    store.set({who: store.get().who === who ? null : who});

  const rowsOf = (state) =>
    byProcess(model, state)
      .filter((row) => row.calls)
      .sort((a, b) => b.time - a.time);

  const nameOf = (row) =>
    button(
      model.names[row.who][0],
      (event) => {
        event.stopPropagation();
        choose(row);
      },
      {
        class: 'link',
        'aria-label': whoLabel(model, row.who),
        'aria-pressed': String(store.get().who === row.who),
      },
    );

  function update(state) {
    const rows = rowsOf(state);
    const shown = all ? rows : rows.slice(0, FIRST);
    const left = rows.length - FIRST;
    card.setLead(
      `${several(rows.length, 'process', 'es')} in the filter` +
        (rows.length > 1
          ? ', longest in I/O first. Choose one to see its calls alone.'
          : '.'),
    );
    replace(
      card.body,
      rows.length
        ? barTable('Processes', columnsOf(model, nameOf), shown, {
            click: choose,
            chosen: (row) => row.who === state.who,
          })
        : empty('No process is in the filter.'),
      left > 0 &&
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
    id: 'processes',
    title: 'Processes',
    element: card.element,
    uses: ['window', 'who', 'file', 'theme'],
    update,
    describe: () =>
      rowsOf(store.get()).map((row) => ({
        name: whoLabel(model, row.who),
        ...row,
      })),
  };
}

/** Columns that would be the same in every row are left out. */
function columnsOf(model, nameOf) {
  const who = (row) => model.who[row.who];
  const ranks = model.who.some(({rank}) => rank !== null && rank !== undefined);
  const hosts = new Set(model.who.map(({host}) => host)).size > 1;
  const cut = model.told.some((list) => list.some(isCut));
  return [
    {text: ranks ? 'process' : 'program', class: 'whole', get: nameOf},
    ranks && {
      text: 'program',
      class: 'whole',
      get: (r) => who(r).program ?? '',
    },
    {text: 'pid', number: true, get: (row) => who(row).pid ?? ''},
    hosts && {text: 'host', class: 'whole', get: (row) => who(row).host ?? ''},
    ...lifeOf(model),
    {text: 'in I/O', number: true, get: (row) => seconds(row.time)},
    {
      text: 'waiting',
      number: true,
      get: (row) => (row.waiting ? seconds(row.waiting) : ''),
    },
    {text: 'calls', number: true, get: (row) => count(row.calls)},
    ...volumes(theme()),
    cut && {
      text: 'end',
      class: 'whole',
      get: (row) => endOf(model.told[row.who]),
    },
  ].filter(Boolean);
}

/** How long it lived, and when in the time of the run. */
function lifeOf(model) {
  const life = (row) => model.lives[row.who];
  const {wait} = theme();
  return [
    {
      text: 'lived',
      number: true,
      get: (row) => {
        const [begin, end] = life(row);
        const title = `from ${ns(begin)} to ${ns(end)}`;
        return make('span', {title}, ns(end - begin));
      },
    },
    {
      text: '',
      full: model.reach,
      bar: (row) => {
        const [begin, end] = life(row);
        return [
          {value: begin, colour: 'transparent'},
          {value: end - begin, colour: wait},
        ];
      },
    },
  ];
}

const isCut = ({signal}) => Boolean(signal);

function endOf(told) {
  const cut = told.filter(isCut);
  if (!cut.length) return '';
  return make(
    'span',
    {class: 'grave'},
    cut.length > 1
      ? `${count(cut.length)} killed`
      : cut[0].signal === 'unknown'
        ? 'killed'
        : cut[0].signal,
  );
}
