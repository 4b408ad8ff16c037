// SPDX-License-Identifier: BSD-3-Clause
// The events behind the plots: a table of those in the filter, and for one
// of them the chain of its causes and all that it caused.
import {createCard, empty} from './card.js';
import {layerColour} from './colours.js';
import {button, choice, make, replace} from './dom.js';
import {bytes, count, moment, ns, several, shorten} from './format.js';
import {causesOf, classOf, fileName, idOf, layerOf, whoLabel} from './model.js';
import {askEvent, askEvents, isServed} from './served.js';
import {events} from './sums.js';

const PAGE = 20;
const ASKED = 50; // of a server at a time
const DEEP = 200; // sub-calls shown of one event

/** Other calls may have arguments of that name, which mean something else. */
function isPlaced(model, event) {
  const kind = classOf(model, event);
  return model.moves[kind] || model.classes[kind] === 'seek';
}

export function eventOf(model, i) {
  const {sample} = model;
  return {
    index: i,
    id: idOf(model, i),
    start: sample.start[i],
    dur: sample.dur[i],
    who: sample.who[i],
    place: whoLabel(model, sample.who[i]),
    call: model.calls[sample.call[i]].name,
    layer: model.layers[layerOf(model, i)].name,
    file: sample.file[i] >= 0 ? fileName(model, sample.file[i]) : '',
    off: isPlaced(model, i) ? sample.off[i] : -1,
    size: isPlaced(model, i) ? sample.size[i] : 0,
    ret: sample.ret[i],
    flags: sample.flags?.[i] ?? 0,
    site: model.sites[sample.site?.[i]] ?? null,
  };
}

const ORDERS = {
  start: ['start', (s, a, b) => s.start[a] - s.start[b]],
  dur: ['time taken', (s, a, b) => s.dur[b] - s.dur[a]],
  size: ['size', (s, a, b) => s.size[b] - s.size[a]],
};

export function createEvents(context) {
  const {model, store, goTo} = context;
  const own = {
    order: 'dur',
    shown: PAGE,
    trace: false,
    asked: 0,
    next: null,
    answer: [],
  };
  const served = isServed();
  const card = createCard({
    id: 'events',
    wide: true,
    title: 'Events',
    controls: [
      served &&
        choice(
          'From',
          [
            ['sample', 'the report'],
            ['trace', 'the whole trace'],
          ],
          'sample',
          (value) => {
            own.trace = value === 'trace';
            update(store.get());
          },
        ),
      choice(
        'Order by',
        Object.entries(ORDERS).map(([key, [text]]) => [key, text]),
        own.order,
        (value) => {
          own.order = value;
          update(store.get());
        },
      ),
    ].filter(Boolean),
  });
  const list = make('div', {class: 'scroll-x'});
  const detail = make('div', {
    class: 'detail',
    id: 'event-detail',
    tabindex: -1,
  });
  card.body.append(detail, list);

  const rowsOf = (state) => {
    const {sample} = model;
    return eventsOf(model, state).sort(
      (a, b) => ORDERS[own.order][1](sample, a, b) || a - b,
    );
  };

  function show(event) {
    store.set({event: event.index ?? -1});
    if (served) showServed(event.id);
  }

  context.showEvent = (event) => {
    show(event);
    goTo('events');
  };

  async function showServed(id) {
    try {
      const found = await askEvent(model, id);
      replace(
        detail,
        detailOf(found.event, found.above, found.below, found.more, null),
      );
      detail.focus();
    } catch (error) {
      detail.append(empty(`The server says: ${error.message}`));
    }
  }

  async function askMore(state, after) {
    const asked = ++own.asked;
    try {
      const found = await askEvents(model, state, ASKED, after);
      if (asked !== own.asked) return;
      own.answer = after ? [...own.answer, ...found.events] : found.events;
      own.next = found.next;
      replace(
        list,
        own.answer.length
          ? tableOf(own.answer, show)
          : empty('No event of the trace is in the filter.'),
        own.next &&
          button('Ask for more', () => askMore(store.get(), own.next), {
            class: 'more',
          }),
      );
    } catch (error) {
      replace(list, empty(`The server says: ${error.message}`));
    }
  }

  function update(state, changed) {
    if (!changed || [...changed].some((name) => name !== 'event'))
      updateList(state);
    updateDetail(state);
  }

  function updateList(state) {
    card.setLead(leadOf(model, state, own));
    card.setNote(
      own.trace || model.complete
        ? ''
        : 'These are the ' +
            `${count(model.sample.count)} events kept in this report, of ` +
            `${count(model.total)}: the evidence of findings, the ` +
            'slowest, and an even choice of the others.',
    );
    if (own.trace) {
      askMore(state, null);
      return;
    }
    const rows = rowsOf(state);
    const shown = rows.slice(0, own.shown).map((i) => eventOf(model, i));
    const left = rows.length - shown.length;
    replace(
      list,
      rows.length
        ? tableOf(shown, show)
        : empty(
            model.head.timeless
              ? 'This trace has sums instead of calls.'
              : 'No event kept in this report is in the filter.',
          ),
      left > 0 &&
        button(
          `Show ${Math.min(left, PAGE)} more of ` + `${count(left)}`,
          () => {
            own.shown += PAGE;
            updateList(store.get());
          },
          {class: 'more'},
        ),
    );
  }

  function updateDetail(state) {
    if (state.event < 0) replace(detail);
    else
      replace(
        detail,
        ...sampleDetail(model, state.event, show, () => store.set({event: -1})),
      );
  }

  return {
    id: 'events',
    title: 'Events',
    element: card.element,
    detail,
    uses: ['window', 'who', 'file', 'finding', 'call', 'event'],
    update,
    describe() {
      const state = store.get();
      const rows = rowsOf(state);
      return {
        count: rows.length,
        ids: rows.slice(0, 200).map((i) => idOf(model, i)),
        event:
          state.event < 0
            ? null
            : {
                above: causesOf(model, state.event).map((i) => idOf(model, i)),
                below: model.children(state.event).map((i) => idOf(model, i)),
              },
      };
    },
  };
}

/** Of one call alone, where one is chosen. */
const eventsOf = (model, state) =>
  events(model, state).filter(
    (i) => state.call === null || model.sample.call[i] === state.call,
  );

function leadOf(model, state, own) {
  const where = own.trace
    ? 'Events of the trace'
    : several(eventsOf(model, state).length, 'event');
  const what =
    state.finding !== null && !own.trace
      ? 'that show the finding'
      : 'in the filter';
  return (
    `${where} ${what}. Choose one to see what caused it and what ` +
    'it caused.'
  );
}

const COLUMNS = [
  ['event'],
  ['start', 'number'],
  ['took', 'number'],
  ['process'],
  ['call'],
  ['file'],
  ['offset', 'number'],
  ['size', 'number'],
  ['result', 'number'],
  ['source'],
];

/** `fine`: the time, in ns, of which there are so many places. */
function cellsOf(event, show, fine) {
  return [
    show ? button(event.id, () => show(event), {class: 'link'}) : event.id,
    moment(event.start, fine),
    ns(event.dur),
    event.place,
    make('span', {}, event.call, ' ', make('small', {}, event.layer)),
    make('span', {title: event.file}, shorten(event.file, 30)),
    event.off >= 0 ? count(event.off) : '',
    event.size > 0 ? bytes(event.size) : '',
    resultOf(event),
    make(
      'span',
      {title: siteText(event.site)},
      shorten(siteText(event.site?.slice(0, 1)), 40),
    ),
  ];
}

const FAILED = 1; // flags of a sampled event
const ENTERED = 2;
const HANDLE = 2 ** 48;
const ERRORS = {
  1: 'EPERM',
  2: 'ENOENT',
  4: 'EINTR',
  5: 'EIO',
  9: 'EBADF',
  11: 'EAGAIN',
  13: 'EACCES',
  17: 'EEXIST',
  20: 'ENOTDIR',
  21: 'EISDIR',
  22: 'EINVAL',
  25: 'ENOTTY',
  28: 'ENOSPC',
  29: 'ESPIPE',
  30: 'EROFS',
  122: 'EDQUOT',
};

function resultOf(event) {
  if (event.flags & ENTERED) return 'never returned';
  if (event.flags & FAILED)
    return make(
      'span',
      {class: 'grave'},
      ERRORS[-event.ret] ?? `failed (${event.ret})`,
    );
  // numbers of objects are long, and tell nothing
  if (event.ret >= HANDLE) return 'handle';
  return event.error ?? (event.size > 0 ? count(event.ret) : event.ret) ?? '';
}

function frameText({function: name, object, file, line}) {
  const short = (file ?? '').replace(/^.*\//, '');
  const where = line ? `${short}:${line}` : short;
  return [name ?? object, where && `(${where})`].filter(Boolean).join(' ');
}

/** Where a call was made, and by whom that was called. */
function siteText(site) {
  return (site ?? []).map(frameText).join(' < ');
}

function tableOf(list, show) {
  const last = Math.max(...list.map((event) => event.start));
  return make(
    'table',
    {class: 'events', 'aria-label': 'Events'},
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        COLUMNS.map(([text, kind]) =>
          make('th', {scope: 'col', class: kind}, text),
        ),
      ),
    ),
    make(
      'tbody',
      {},
      list.map((event) =>
        make(
          'tr',
          {},
          cellsOf(event, show, last / 100).map((content, i) =>
            make('td', {class: COLUMNS[i][1]}, content),
          ),
        ),
      ),
    ),
  );
}

function sampleDetail(model, index, show, close) {
  const below = [];
  const visit = (at, depth) => {
    for (const child of model.children(at)) {
      if (below.length >= DEEP) return;
      below.push({...eventOf(model, child), depth});
      visit(child, depth + 1);
    }
  };
  visit(index, 1);
  return [
    detailOf(
      eventOf(model, index),
      causesOf(model, index).map((i) => eventOf(model, i)),
      below,
      0,
      show,
      model,
      close,
    ),
  ];
}

/** The chain: causes above, the event, what it caused below, indented. */
function detailOf(event, above, below, more, show, model, close) {
  const all = [
    ...above.map((row, i) => [row, i, 'cause']),
    [event, above.length, 'this'],
    ...below.map((row) => [row, above.length + (row.depth ?? 1), 'below']),
  ];
  const line = ([row, depth, kind]) => {
    const mark = make('i', {class: 'key'});
    const layer =
      model?.layers.findIndex((one) => one.name === row.layer) ?? -1;
    mark.style.background = layer >= 0 ? layerColour(layer) : '#8c8c8c';
    const item = make(
      'li',
      {
        class: kind,
        'aria-current': kind === 'this' && 'true',
      },
      mark,
      show && kind !== 'this'
        ? button(row.call, () => show(row), {
            class: 'link',
          })
        : make('strong', {}, row.call),
      ` ${row.layer}, ${ns(row.dur)}` +
        (row.size > 0 ? `, ${bytes(row.size)}` : '') +
        (row.off >= 0 ? ` at ${count(row.off)}` : '') +
        (row.file ? `, ${shorten(row.file, 48)}` : ''),
      make('small', {}, ` ${row.id} ${siteText(row.site?.slice(0, 1))}`),
    );
    item.style.setProperty('--depth', depth);
    return item;
  };
  return make(
    'div',
    {class: 'chain'},
    make(
      'h3',
      {},
      `Event ${event.id}: what caused it and what it ` + 'caused',
      close && button('Close', close),
    ),
    make('ol', {}, all.map(line)),
    !above.length &&
      make('p', {class: 'note'}, 'The program made ' + 'this call itself.'),
    more > 0 &&
      make(
        'p',
        {class: 'note'},
        `${several(more, 'more call')} below it ${more === 1 ? 'is' : 'are'} not shown.`,
      ),
    event.site &&
      make('p', {}, 'Made at ', make('code', {}, siteText(event.site))),
  );
}
