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
      whoLabel(model, row.who),
      (event) => {
        event.stopPropagation();
        choose(row);
      },
      {
        class: 'link',
        'aria-pressed': String(store.get().who === row.who),
      },
    );

  function update(state) {
    const rows = rowsOf(state);
    const shown = all ? rows : rows.slice(0, FIRST);
    const left = rows.length - FIRST;
    card.setLead(
      `${several(rows.length, 'process', 'es')} in the filter, those with most ` +
        'time in calls first. Choose one to see its calls alone.',
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

function columnsOf(model, nameOf) {
  const colours = theme();
  const life = (row) => model.lives[row.who];
  return [
    {text: 'process', class: 'name', get: nameOf},
    {text: 'program', get: (row) => model.who[row.who].program ?? ''},
    {text: 'pid', number: true, get: (row) => model.who[row.who].pid ?? ''},
    {text: 'host', get: (row) => model.who[row.who].host ?? ''},
    {
      text: 'lived',
      number: true,
      get: (row) =>
        make(
          'span',
          {title: `from ${ns(life(row)[0])} to ${ns(life(row)[1])}`},
          ns(life(row)[1] - life(row)[0]),
        ),
    },
    {
      text: '',
      bar: (row) => [
        {value: life(row)[0], colour: 'transparent'},
        {value: life(row)[1] - life(row)[0], colour: colours.wait},
      ],
    },
    {text: 'in calls', number: true, get: (row) => seconds(row.time)},
    {text: 'calls', number: true, get: (row) => count(row.calls)},
    ...volumes(colours),
  ];
}
