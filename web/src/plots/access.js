// SPDX-License-Identifier: BSD-3-Clause
// One file: where it was accessed over time, and in which order by whom.
import {accesses} from '../access.js';
import {createCanvas, mount, pointOf, showTip} from '../canvas.js';
import {createCard, cut, cutCaption, empty} from '../card.js';
import {CATEGORIES, css, theme} from '../colours.js';
import {make, replace, table} from '../dom.js';
import {
  bytes,
  count,
  moment,
  ns,
  several,
  short,
  ticks,
  timeTicks,
} from '../format.js';
import {fileName, idOf, whoLabel} from '../model.js';
import {attachTime, timeKey} from '../timeaxis.js';

const BOX = {left: 78, top: 10, bottom: 36, right: 12};
const HEIGHT = 300;
const MANY = 8; // processes that have a colour each

export function createAccess({model, store, axis}) {
  const card = createCard({
    id: 'access',
    wide: true,
    title: 'Accesses to a file',
    numbers: () => numbers(model, now),
  });
  const [left, right] = [make('div'), make('div')];
  const whoKeys = make('p', {class: 'legend'});
  const wayKeys = make(
    'p',
    {class: 'legend'},
    make('span', {}, make('i', {class: 'key read'}), 'read'),
    make('span', {}, make('i', {class: 'key write'}), 'written'),
  );
  const both = make(
    'div',
    {class: 'pair'},
    make('div', {}, make('h3', {}, 'Offset over time'), left, wayKeys),
    make(
      'div',
      {},
      make('h3', {}, 'Offset in order of access'),
      right,
      whoKeys,
    ),
  );
  const nothing = empty(
    'The report has no access to this file with a known offset.',
  );
  card.body.append(both, nothing);
  let now = {points: [], cells: [], extent: 1};
  const cursor = {bin: 0};
  const y = (off) =>
    HEIGHT - BOX.bottom - (off / now.extent) * (HEIGHT - BOX.bottom - BOX.top);
  const x = (part, canvas) =>
    BOX.left + part * (canvas.size.width - BOX.left - BOX.right);
  const whenX = (time) => {
    const [from, to] = store.get().view;
    return x((time - from) / (to - from), byTime);
  };
  const orderX = (order) =>
    x((order - 0.5) / Math.max(1, now.points.length), byOrder);

  const byTime = createCanvas({
    label:
      'Map of offsets over time. Left and right move, with ' +
      'Shift they draw a window.',
    height: HEIGHT,
    paint: (c) => paintTime(c, now, {y, whenX, store}),
    onkey: (event) => timeKey(event, model, store, axis, cursor),
  });
  const byOrder = createCanvas({
    label: 'Map of offsets in order of access, by process.',
    height: HEIGHT,
    paint: (c) => paintOrder(c, model, now, {y, orderX}),
  });
  mount(byTime, left);
  mount(byOrder, right);
  attachTime(byTime.element, store, axis, {
    area: () => ({
      left: BOX.left,
      right: byTime.size.width - BOX.right,
    }),
  });
  tips(byTime, (point) => whenX(point.start));
  tips(byOrder, (point) => orderX(point.order));

  function tips(canvas, place) {
    canvas.element.addEventListener('pointermove', (event) => {
      const [px, py] = pointOf(canvas, event);
      let best = null;
      let least = 12 ** 2;
      for (const point of now.points) {
        const far =
          (place(point) - px) ** 2 + (y(point.off + point.size / 2) - py) ** 2;
        if (far < least) {
          least = far;
          best = point;
        }
      }
      showTip(
        best && !event.buttons ? pointText(model, best) : null,
        event.clientX,
        event.clientY,
      );
    });
  }

  return {
    id: 'access',
    title: 'Accesses to a file',
    element: card.element,
    uses: ['view', 'window', 'who', 'file', 'layer', 'theme'],
    update(state, changed) {
      if (changed && changed.size === 1 && changed.has('view')) {
        byTime.later();
        return;
      }
      now = accesses(model, state);
      const some = now.points.length + now.cells.length > 0;
      both.hidden = !some;
      nothing.hidden = some;
      card.setLead(leadOf(model, state, now));
      card.setNote(
        model.complete
          ? ''
          : 'Each access is an event ' +
              'kept in this report; those left out are not drawn' +
              (now.cells.length ? ', but in the grid behind them.' : '.'),
      );
      replace(whoKeys, keysOf(model, now));
      byTime.later();
      byOrder.later();
      card.refill();
    },
    describe() {
      const {file, layer, points, cells, extent} = accesses(model, store.get());
      return {
        file: fileName(model, file),
        layer,
        extent,
        cells: cells.length,
        points: points.map(({start, off, size, who, read, order, inside}) => ({
          start,
          off,
          size,
          who,
          read,
          order,
          inside,
        })),
      };
    },
  };
}

function leadOf(model, state, now) {
  if (now.file < 0) return '';
  const chosen =
    state.file === null
      ? ' (most bytes; choose another ' + 'among the files)'
      : '';
  return (
    `${fileName(model, now.file)}${chosen}: ` +
    `${several(now.points.length, 'access', 'es')} up to offset ` +
    `${bytes(now.extent)}, layer ${model.layers[now.layer].name}.`
  );
}

function pointText(model, point) {
  return [
    `${point.read ? 'read' : 'write'} of ${bytes(point.size)}`,
    `at offset ${count(point.off)}`,
    whoLabel(model, point.who),
    `${moment(point.start, point.dur * 10)}, ${ns(point.dur)} long`,
    `access ${point.order}, event ${idOf(model, point.event)}`,
  ];
}

function colourOf(model, who, colours) {
  if (model.who.length <= MANY) return CATEGORIES[who % CATEGORIES.length];
  const last = colours.ramp.length - 1;
  return css(
    colours.ramp[
      Math.round((0.15 + (0.85 * who) / (model.who.length - 1)) * last)
    ],
  );
}

function keysOf(model, now) {
  const seen = [...new Set(now.points.map((point) => point.who))].sort(
    (a, b) => a - b,
  );
  const shown =
    seen.length > MANY
      ? [seen[0], seen[seen.length >> 1], seen[seen.length - 1]]
      : seen;
  return shown.map((who, i) => {
    const swatch = make('i', {class: 'key'});
    swatch.style.background = colourOf(model, who, theme());
    return make(
      'span',
      {},
      swatch,
      whoLabel(model, who) + (seen.length > MANY && i < 2 ? ' …' : ''),
    );
  });
}

function frame(c, now, y, below) {
  const {ctx, theme: colours} = c;
  ctx.fillStyle = colours.shade;
  ctx.fillRect(
    BOX.left,
    BOX.top,
    c.width - BOX.left - BOX.right,
    HEIGHT - BOX.top - BOX.bottom,
  );
  ctx.textAlign = 'right';
  for (const tick of ticks(0, now.extent, 5, 1024)) {
    ctx.fillStyle = colours.grid;
    ctx.fillRect(
      BOX.left,
      Math.round(y(tick)),
      c.width - BOX.left - BOX.right,
      1,
    );
    ctx.fillStyle = colours.muted;
    ctx.fillText(bytes(tick), BOX.left - 8, y(tick));
  }
  ctx.textAlign = 'center';
  for (const {at, text} of below) {
    if (at < BOX.left - 1 || at > c.width - BOX.right + 1) continue;
    ctx.fillStyle = colours.line;
    ctx.fillRect(at, HEIGHT - BOX.bottom, 1, 5);
    ctx.fillStyle = colours.muted;
    ctx.fillText(text, at, HEIGHT - BOX.bottom + 14);
  }
  ctx.beginPath();
  ctx.rect(
    BOX.left,
    BOX.top - 2,
    c.width - BOX.left - BOX.right,
    HEIGHT - BOX.top - BOX.bottom + 4,
  );
}

function paintTime(c, now, {y, whenX, store}) {
  const {ctx, theme: colours} = c;
  const state = store.get();
  const {ticks: below, unit} = timeTicks(...state.view, c.width / 110);
  frame(
    c,
    now,
    y,
    below.map((tick) => ({
      at: whenX(tick.at),
      text: `${tick.text} ${unit}`,
    })),
  );
  ctx.save();
  ctx.clip();
  const most = Math.max(1, ...now.cells.map((cell) => cell.calls));
  for (const cell of now.cells) {
    ctx.globalAlpha =
      0.25 + (0.6 * Math.log(cell.calls + 1)) / Math.log(most + 1);
    ctx.fillStyle = cell.read ? colours.read : colours.write;
    const top = y(cell.off + cell.height);
    ctx.fillRect(
      whenX(cell.time),
      top,
      Math.max(1.5, whenX(cell.time + cell.width) - whenX(cell.time)),
      Math.max(1.5, y(cell.off) - top),
    );
  }
  for (const point of now.points) {
    ctx.globalAlpha = point.inside ? 1 : 0.18;
    ctx.fillStyle = point.read ? colours.read : colours.write;
    const top = y(point.off + point.size);
    ctx.fillRect(
      whenX(point.start),
      top,
      Math.max(2.5, whenX(point.start + point.dur) - whenX(point.start)),
      Math.max(2.5, y(point.off) - top),
    );
  }
  ctx.globalAlpha = 1;
  if (state.window) {
    ctx.fillStyle = colours.accent;
    for (const time of state.window)
      ctx.fillRect(whenX(time) - 1, 0, 2, HEIGHT);
  }
  ctx.restore();
}

function paintOrder(c, model, now, {y, orderX}) {
  const {ctx, theme: colours} = c;
  const below = ticks(1, Math.max(2, now.points.length), c.width / 90)
    .filter((tick) => Number.isInteger(tick))
    .map((tick) => ({at: orderX(tick), text: short(tick)}));
  frame(c, now, y, below);
  ctx.save();
  ctx.clip();
  const width = Math.min(24, Math.max(2.5, orderX(2) - orderX(1) - 1));
  for (const point of now.points) {
    ctx.globalAlpha = point.inside ? 1 : 0.18;
    ctx.fillStyle = colourOf(model, point.who, colours);
    const top = y(point.off + point.size);
    ctx.fillRect(
      orderX(point.order) - width / 2,
      top,
      width,
      Math.max(2.5, y(point.off) - top),
    );
  }
  ctx.restore();
  ctx.fillStyle = colours.muted;
  ctx.textAlign = 'center';
  ctx.fillText(
    'order of access',
    (BOX.left + c.width - BOX.right) / 2,
    HEIGHT - 8,
  );
}

function numbers(model, now) {
  const rows = now.points
    .filter((point) => point.inside)
    .map((point) => [
      count(point.order),
      ns(point.start),
      whoLabel(model, point.who),
      point.read ? 'read' : 'write',
      count(point.off),
      count(point.size),
    ]);
  return table(
    cutCaption('accesses', rows),
    [
      {text: 'order', number: true},
      {text: 'start', number: true},
      {text: 'process'},
      {text: 'operation'},
      {text: 'offset', number: true},
      {text: 'size', number: true},
    ],
    cut(rows),
  );
}
