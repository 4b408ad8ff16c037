// SPDX-License-Identifier: BSD-3-Clause
// Does every process do its share? One bar each, against the mean.
import {createCard, empty} from '../card.js';
import {partColour, theme, WAITING} from '../colours.js';
import {choice, make, table} from '../dom.js';
import {digits, upper} from '../format.js';
import {MEASURES} from '../measures.js';
import {whoLabel, whoShort} from '../model.js';
import {grid, margins, total} from '../sums.js';
import {createColumns} from './columns.js';

/** Servers share no work with who they serve. */
const isOfSide = (model, {measure, layer}, who) =>
  model.who.every(({side}) => side !== 'server') ||
  (model.who[who].side ?? 'client') ===
    (measure === 'layers' ? 'client' : model.layers[layer].side);

export function createRanks({model, store}) {
  if (model.who.length < 2) return null;
  let sorted = 'rank';
  const card = createCard({
    id: 'ranks',
    title: 'Balance of processes',
    controls: [
      choice(
        'Order',
        [
          ['rank', 'by rank'],
          ['value', 'by value'],
        ],
        sorted,
        (value) => {
          sorted = value;
          update(store.get());
        },
      ),
    ],
    numbers: () => {
      const {measure, rows} = compute(store.get());
      return table(
        'by process',
        [
          {text: 'process'},
          {
            text: MEASURES[measure].name,
            number: true,
          },
        ],
        rows.map((row) => [
          whoLabel(model, row.who),
          MEASURES[measure].format(row.value),
        ]),
      );
    },
  });
  const holder = make('div');
  const nothing = empty('Nothing of this layer is in the filter.');
  card.body.append(holder, nothing);
  let order = [];
  const columns = createColumns(holder, {
    label:
      'Bars: one for each process. Left and right move, Enter ' +
      'chooses a process.',
    click: (bar) =>
      store.set({
        who: store.get().who === order[bar] ? null : order[bar],
      }),
  });

  /** Who waits does no work: of the time by layer, that in I/O counts. */
  function compute(state) {
    const {values, parts} = grid(model, state);
    const byLayer = parts
      ?.filter(({layer}) => layer !== WAITING)
      .map((part) => ({
        layer: part.layer,
        byWho: margins(model, state, part.values).byWho,
      }));
    const byWho = byLayer
      ? model.who.map((_, who) => total(byLayer.map((part) => part.byWho[who])))
      : margins(model, state, values).byWho;
    const partsOf = (who) =>
      byLayer?.map((part) => ({layer: part.layer, value: part.byWho[who]}));
    const rows = Array.from(byWho, (value, who) => ({
      who,
      value,
      parts: partsOf(who),
    })).filter(({who}) => isOfSide(model, state, who));
    if (sorted === 'value') rows.sort((a, b) => b.value - a.value);
    const all = rows.map(({value}) => value);
    return {
      measure: state.measure,
      rows,
      mean: total(all) / Math.max(1, all.length),
      greatest: Math.max(...all),
      least: Math.min(...all),
    };
  }

  function update(state) {
    const now = compute(state);
    const {format, base} = MEASURES[state.measure];
    const name = nameOf(state);
    const colours = theme();
    order = now.rows.map((row) => row.who);
    holder.hidden = !(now.greatest > 0);
    nothing.hidden = !holder.hidden;
    card.setLead(
      now.greatest > 0
        ? `${upper(name)}: the greatest has ` +
            `${digits(now.greatest / now.mean)} times the mean, the least ` +
            `${digits(now.least / now.mean)} times.`
        : upper(name),
    );
    columns.set({
      bars: now.rows.map(({who, value, parts}) => ({
        label: String(model.who[who].rank ?? whoShort(model, who)),
        lines: [
          whoLabel(model, who),
          `${format(value)} ${MEASURES[state.measure].short}`,
          `${digits(value / now.mean)} times the mean`,
        ],
        parts: parts?.map((part) => ({
          value: part.value,
          colour: partColour(part.layer, colours),
        })) ?? [{value, colour: colours.accent}],
        dim: state.who !== null && state.who !== who,
      })),
      format,
      base,
      axis: model.who.some((who) => who.rank !== null && who.rank !== undefined)
        ? 'rank'
        : 'process',
      lines: [
        {
          value: now.mean,
          text: 'mean ' + format(now.mean),
        },
      ],
    });
    card.refill();
  }

  const nameOf = ({measure}) =>
    measure === 'layers' ? 'time in I/O' : MEASURES[measure].name;

  return {
    id: 'ranks',
    title: 'Balance',
    element: card.element,
    uses: ['window', 'who', 'file', 'layer', 'measure', 'theme'],
    update,
    describe: () => compute(store.get()),
  };
}
