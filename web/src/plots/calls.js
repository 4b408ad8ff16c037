// SPDX-License-Identifier: BSD-3-Clause
// Call by call: latency or throughput of each, in layers.
import {
  clientBars,
  firstLayer,
  layersWithCalls,
  serverBars,
  serversOf,
} from '../callbars.js';
import {createCard, cut, cutCaption, empty} from '../card.js';
import {layerColour} from '../colours.js';
import {button, choice, make, replace, table} from '../dom.js';
import {bytes, count, rate, seconds, watts} from '../format.js';
import {whoLabel} from '../model.js';
import {createColumns} from './columns.js';

const PAGE = 60; // bars at a time
const SCALES = {
  latency: {format: seconds, base: 10},
  throughput: {format: rate, base: 1024},
  power: {format: watts, base: 10},
};

export function createCalls({model, store}) {
  const servers = serversOf(model);
  const layers = layersWithCalls(model);
  const own = {
    layer: firstLayer(model),
    page: 0,
    of: 'latency',
    view: 'client',
    who: 0,
  };
  const redo = (patch) => {
    Object.assign(own, {page: 0}, patch);
    update(store.get());
  };
  const whoChoice = choice(
    'Client',
    model.who.map((_, i) => [String(i), whoLabel(model, i)]),
    '0',
    (value) => redo({who: +value}),
  );
  const serverChoice = choice(
    'Server',
    servers.map((who) => [String(who), whoLabel(model, who)]),
    String(servers[0] ?? ''),
    (value) => redo({server: +value}),
  );
  own.server = servers[0];
  const showChoice = choice(
    'Show',
    [
      ['latency', 'latency'],
      ['throughput', 'throughput'],
      ...(servers.length > 0 && model.head.disk
        ? [['power', 'power of the disk']]
        : []),
    ],
    'latency',
    // power is told of servers
    (value) => redo({of: value, ...(value === 'power' && {view: 'server'})}),
  );
  const viewChoice =
    servers.length > 0 &&
    choice(
      'View',
      [
        ['client', 'of a client'],
        ['server', 'of a server'],
      ],
      'client',
      (value) =>
        redo({
          view: value,
          ...(value === 'client' && own.of === 'power' && {of: 'latency'}),
        }),
    );
  const controls =
    layers.length === 0
      ? []
      : [
          viewChoice,
          choice(
            'Calls of',
            layers.map((i) => [String(i), model.layers[i].name]),
            String(own.layer),
            (value) => redo({layer: +value}),
          ),
          showChoice,
          whoChoice,
          servers.length > 0 && serverChoice,
        ].filter(Boolean);
  const card = createCard({
    id: 'calls',
    wide: true,
    title: 'Call by call',
    controls,
    numbers: () => numbers(model, compute(store.get())),
  });
  const keys = make('ul', {class: 'keys'});
  const holder = make('div');
  const pages = make('div', {class: 'pages'});
  const nothing = empty(
    'The report has no transfer of this layer and process.',
  );
  card.body.append(keys, holder, pages, nothing);
  let shown = [];
  let drawn = []; // with a gap, null, between groups
  const columns = createColumns(holder, {
    label:
      'Bars: one for each call, in layers. Left and right move, ' +
      'Enter shows the event.',
    click: (bar) => drawn[bar] && store.set({event: drawn[bar].event}),
  });

  function compute(state) {
    if (own.view === 'server')
      return serverBars(model, state, own.layer, own.server);
    return clientBars(model, state, own.layer, state.who ?? own.who);
  }

  function update(state) {
    const bars = compute(state);
    whoChoice.hidden = own.view === 'server';
    serverChoice.hidden = own.view !== 'server';
    whoChoice.select.value = String(state.who ?? own.who);
    showChoice.select.value = own.of;
    if (viewChoice) viewChoice.select.value = own.view;
    own.page = Math.min(
      own.page,
      Math.floor(Math.max(0, bars.length - 1) / PAGE),
    );
    shown = bars.slice(own.page * PAGE, (own.page + 1) * PAGE);
    holder.hidden = !shown.length;
    nothing.hidden = !holder.hidden;
    keys.hidden = holder.hidden;
    replace(keys, keysOf(model, shown, own));
    replace(pages, pager(bars));
    card.setNote(
      model.complete
        ? ''
        : 'Calls are numbered among the ' +
            'events kept in this report, which are not all.',
    );
    card.setLead(
      own.view === 'server'
        ? 'What each call of each ' +
            'client took on the way to this server, client by client.'
        : 'What each reading or writing call took, and in which layer. ' +
            'Click a bar for its event and all that it caused.',
    );
    drawn = own.view === 'server' ? grouped(shown) : shown;
    columns.set({
      bars: drawn.map((bar) =>
        bar ? barOf(model, bar, own) : {label: '', lines: null, parts: []},
      ),
      ...SCALES[own.of],
      axis: `number of the call in its process`,
    });
    card.refill();
  }

  function pager(bars) {
    if (bars.length <= PAGE) return [];
    const first = own.page * PAGE;
    const turn = (by) => () => {
      own.page += by;
      update(store.get());
    };
    return [
      button('‹ Earlier', turn(-1), {disabled: !own.page}),
      make(
        'span',
        {},
        `${first + 1} to ` +
          `${Math.min(first + PAGE, bars.length)} of ` +
          count(bars.length),
      ),
      button('Later ›', turn(1), {
        disabled: first + PAGE >= bars.length,
      }),
    ];
  }

  return {
    id: 'calls',
    title: 'Call by call',
    element: card.element,
    uses: ['window', 'who', 'file', 'theme'],
    update,
    set: redo,
    describe: () =>
      compute(store.get()).map((bar) => ({
        id: bar.id,
        who: bar.who,
        seconds: bar.seconds,
        bytes: bar.bytes,
        watts: bar.watts,
        parts: Object.fromEntries(
          [...bar.parts].map(([layer, value]) => [
            model.layers[layer].id,
            value,
          ]),
        ),
      })),
  };
}

/** The bars of all clients for one call stand together. */
function grouped(bars) {
  return bars.flatMap((bar, i) =>
    i && bars[i - 1].id !== bar.id ? [null, bar] : [bar],
  );
}

function barOf(model, bar, own) {
  const sorted = [...bar.parts].sort(([a], [b]) => a - b);
  const speed = bar.seconds > 0 ? bar.bytes / bar.seconds : 0;
  return {
    label: String(bar.id),
    lines: [
      `call ${bar.id}: ${model.calls[model.sample.call[bar.event]].name}`,
      whoLabel(model, bar.who),
      `${seconds(bar.seconds)}, ${bytes(bar.bytes)}, ${rate(speed)}` +
        (bar.watts ? `, ${watts(bar.watts)}` : ''),
      ...sorted.map(
        ([layer, value]) => `${model.layers[layer].name}: ${seconds(value)}`,
      ),
    ],
    parts:
      own.of === 'latency'
        ? sorted.map(([layer, value]) => ({
            value,
            colour: layerColour(layer),
          }))
        : [
            {
              value: own.of === 'power' ? bar.watts : speed,
              colour: layerColour(own.layer),
            },
          ],
  };
}

function keysOf(model, shown, own) {
  if (own.of !== 'latency') return [];
  const layers = new Set(shown.flatMap((bar) => [...bar.parts.keys()]));
  return [...layers]
    .sort((a, b) => a - b)
    .map((layer) => {
      const swatch = make('i', {class: 'key'});
      swatch.style.background = layerColour(layer);
      return make('li', {}, swatch, model.layers[layer].name);
    });
}

function numbers(model, bars) {
  const rows = bars.map((bar) => [
    count(bar.id),
    model.calls[model.sample.call[bar.event]].name,
    whoLabel(model, bar.who),
    seconds(bar.seconds),
    bytes(bar.bytes),
    [...bar.parts]
      .map(([layer, value]) => `${model.layers[layer].name} ${seconds(value)}`)
      .join(', '),
  ]);
  return table(
    cutCaption('call by call', rows),
    [
      {text: 'number', number: true},
      {text: 'call'},
      {text: 'process'},
      {text: 'time', number: true},
      {text: 'bytes', number: true},
      {text: 'in layers'},
    ],
    cut(rows),
  );
}
