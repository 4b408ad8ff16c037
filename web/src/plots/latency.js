// SPDX-License-Identifier: BSD-3-Clause
// What single calls took: a histogram of one call, which the reader chooses.
import {createCard, empty, keptNote} from '../card.js';
import {layerColour, theme} from '../colours.js';
import {choice, table} from '../dom.js';
import {count, percent, seconds, several, short} from '../format.js';
import {firstCall, latencies, latencyCalls, percentile} from '../latency.js';
import {createColumns} from './columns.js';

export function createLatency({model, store}) {
  const calls = latencyCalls(model);
  if (!calls.length) return null;
  let now = null;
  const which = choice(
    'Call',
    calls.map(({call, calls: number}) => [
      String(call),
      `${nameOf(model, call)} (${count(number)})`,
    ]),
    String(firstCall(calls)),
    (value) => store.set({call: Number(value)}),
  );
  const card = createCard({
    id: 'latency',
    title: 'Latency of a call',
    controls: [which],
    numbers: () => numbers(now.rows),
  });
  const holder = document.createElement('div');
  const nothing = empty('No such call is in the filter.');
  card.body.append(holder, nothing);
  const columns = createColumns(holder, {
    label: 'Histogram of what a call took. Left and right move.',
  });

  const compute = (state) =>
    (now = latencies(model, state, state.call ?? firstCall(calls)));

  function update(state) {
    const {call, rows, calls: all, kept} = compute(state);
    which.select.value = String(call);
    holder.hidden = !all;
    nothing.hidden = !holder.hidden;
    card.setNote(keptNote(model, kept));
    card.setLead(all ? leadOf(model, now) : '');
    columns.set({
      bars: rows.map((row) => ({
        label: seconds(row.least),
        lines: [
          `${seconds(row.least)} to ${seconds(row.end)}`,
          several(row.calls, `call`),
          `${percent(row.calls, all)} of all, ${seconds(row.time)} together`,
        ],
        parts: [{value: row.calls, colour: colourOf(model, call)}],
      })),
      format: short,
      axis: 'time of a call, from',
    });
    card.refill();
  }

  return {
    id: 'latency',
    title: 'Latency',
    element: card.element,
    uses: ['window', 'who', 'file', 'call', 'theme'],
    update,
    describe: () => compute(store.get()),
  };
}

function leadOf(model, {call, calls, time, rows}) {
  const below = (part) => seconds(percentile(rows, part).end);
  return (
    `${several(calls, 'call')} of ${nameOf(model, call)}, ${seconds(time)} in ` +
    `all. Half take less than ${below(0.5)}, 90 % less than ${below(0.9)}, ` +
    `99 % less than ${below(0.99)}.`
  );
}

/** Calls that waited stand apart from others of their name. */
function nameOf(model, call) {
  const {name, class: kind} = model.calls[call];
  return model.classes[kind] === 'wait' ? `${name}, waiting` : name;
}

const colourOf = (model, call) =>
  model.waits[model.calls[call].class]
    ? theme().wait
    : layerColour(model.calls[call].layer);

function numbers(rows) {
  return table(
    'calls by what they took',
    ['from', 'to', 'calls', 'together'].map((text) => ({text, number: true})),
    rows
      .filter((row) => row.calls)
      .map((row) => [
        seconds(row.least),
        seconds(row.end),
        count(row.calls),
        seconds(row.time),
      ]),
  );
}
