// SPDX-License-Identifier: BSD-3-Clause
// The calls of processes as bars in lanes: what was under way when, and which
// call made which. Bars narrower than a pixel are drawn as one.
import {
  createCanvas,
  fit,
  fitEnd,
  fitPair,
  mount,
  paintKeys,
  pointOf,
  say,
  showTip,
} from '../canvas.js';
import {inkOn, layerColour} from '../colours.js';
import {timeTicks} from '../format.js';
import {gutters} from '../timeaxis.js';

const LANE = 17;
const GAP = 8; // between processes
const TOP = 6;
const AXIS = 30;
const KEYS = 26; // what the colours stand for
const UNIT = 34; // left of the first moment, which may be long
const TEXT = 34; // pixels that a name needs

/**
 * Options: label, lines(bar) → text, click(bar), onkey(event). set(data):
 * rows, bars and lanes (bars.js), view, names and lives by process, window,
 * keys [{name, colour}].
 */
export function createLanes(host, options) {
  let data = null;
  let chosen = null;

  const area = () => {
    const side = gutters(canvas.size.width);
    return {left: side.left, right: canvas.size.width - side.right};
  };
  const yOf = (lane, row) => TOP + lane * LANE + row * GAP;
  const heightOf = () =>
    data ? TOP + data.lanes * LANE + data.rows.length * GAP : LANE;
  const xOf = (time) => {
    const {left, right} = area();
    const [from, to] = data.view;
    return left + ((time - from) / (to - from)) * (right - left);
  };

  const canvas = createCanvas({
    label: options.label,
    height: () => heightOf() + AXIS + KEYS,
    paint: (c) => data && paint(c, data, chosen, {area: area(), xOf, yOf}),
    onkey: (event) => key(event),
  });

  /** The bar below a point, or the nearest within some pixels of its lane. */
  function barAt(x, y) {
    let best = null;
    let least = 3;
    for (const bar of data?.bars ?? []) {
      const top = yOf(bar.lane, bar.row);
      if (y < top || y >= top + LANE) continue;
      const far = Math.max(xOf(bar.start) - x, x - xOf(bar.end), 0);
      if (far < least) {
        least = far;
        best = bar;
      }
    }
    return best;
  }

  /** Along its lane, or up and down to what made it and what it made. */
  function neighbour(bar, name) {
    const by = {ArrowUp: -1, ArrowDown: 1}[name] ?? 0;
    const lane = data.bars.filter((other) => other.lane === bar.lane + by);
    if (by) {
      const over = lane.find((other) =>
        by < 0
          ? other.start <= bar.start && other.end >= bar.end
          : other.start >= bar.start && other.end <= bar.end,
      );
      return over ?? lane[0];
    }
    return lane[lane.indexOf(bar) + (name === 'ArrowLeft' ? -1 : 1)];
  }

  function key(event) {
    if (event.key === 'Enter' && chosen) {
      options.click(chosen);
      return true;
    }
    if (!event.key.startsWith('Arrow') || event.shiftKey)
      return options.onkey(event);
    if (!data?.bars.length) return false;
    chosen = data.bars.includes(chosen)
      ? (neighbour(chosen, event.key) ?? chosen)
      : data.bars[0];
    say(options.lines(chosen));
    return true;
  }

  canvas.element.addEventListener('pointermove', (event) => {
    const bar = event.buttons ? null : barAt(...pointOf(canvas, event));
    canvas.element.style.cursor = bar ? 'pointer' : '';
    showTip(bar && options.lines(bar), event.clientX, event.clientY);
  });
  canvas.element.addEventListener('blur', () => {
    chosen = null;
    canvas.later();
  });
  mount(canvas, host);

  return {
    canvas,
    area,
    barAt,
    set(next) {
      data = next;
      data.rows.forEach((row, i) => {
        row.number = i;
      });
      const numberOf = new Map(data.rows.map((row) => [row.who, row.number]));
      for (const bar of data.bars) bar.row = numberOf.get(bar.who);
      canvas.later();
    },
    /** For tests: where a bar is. */
    placeOf: (bar) => [
      (Math.max(area().left, xOf(bar.start)) +
        Math.min(area().right, xOf(bar.end))) /
        2,
      yOf(bar.lane, bar.row) + LANE / 2,
    ],
    get: () => data,
  };
}

function paint(c, data, chosen, place) {
  const {area} = place;
  data.rows.forEach((row) => paintRow(c, data, row, place));
  c.ctx.save();
  c.ctx.beginPath();
  c.ctx.rect(area.left, 0, area.right - area.left, c.height - AXIS - KEYS);
  c.ctx.clip();
  paintBars(c, data, chosen, place);
  if (data.window) paintWindow(c, data, place);
  c.ctx.restore();
  paintAxis(c, data, place);
  paintKeys(c, data.keys, area.left, c.height - KEYS + 8);
}

/** The name of a process, and the time that it lived. */
function paintRow(c, data, row, {area, xOf, yOf}) {
  const {ctx, theme} = c;
  const top = yOf(row.first, row.number);
  const height = row.lanes * LANE;
  const [begin, end] = data.lives[row.who];
  const left = Math.max(area.left, xOf(begin));
  ctx.fillStyle = theme.shade;
  ctx.fillRect(left, top, Math.min(area.right, xOf(end)) - left, height);
  ctx.textAlign = 'right';
  const room = area.left - 14;
  const [name, more] = data.names[row.who];
  ctx.fillStyle = theme.text;
  if (row.lanes < 2) {
    ctx.fillText(
      fitPair(ctx, [name, more], room),
      area.left - 8,
      top + LANE / 2,
    );
    return;
  }
  ctx.fillText(fitEnd(ctx, name, room), area.left - 8, top + LANE / 2);
  ctx.fillStyle = theme.muted;
  ctx.fillText(fitEnd(ctx, more, room), area.left - 8, top + LANE * 1.5);
}

function paintBars(c, data, chosen, {xOf, yOf}) {
  const {ctx, theme} = c;
  const until = new Float64Array(data.lanes).fill(-Infinity);
  ctx.textAlign = 'left';
  for (const bar of data.bars) {
    const from = Math.max(-4, xOf(bar.start));
    const to = Math.min(c.width + 4, xOf(bar.end));
    // what lies within the pixel of the bar before is not seen
    if (to < until[bar.lane] + 0.5 && bar !== chosen) continue;
    until[bar.lane] = Math.max(from + 1, to);
    const width = Math.max(1, to - from - (to - from > 3 ? 1 : 0));
    const top = yOf(bar.lane, bar.row);
    const colour = bar.waits ? theme.wait : layerColour(bar.layer);
    ctx.globalAlpha = bar.pale ? 0.2 : bar.returned ? 1 : 0.6;
    ctx.fillStyle = colour;
    ctx.fillRect(from, top + 1, width, LANE - 2);
    ctx.globalAlpha = 1;
    if (width > TEXT && !bar.pale) {
      ctx.fillStyle = inkOn(colour);
      const left = Math.max(from, xOf(data.view[0])) + 4;
      ctx.fillText(
        fit(ctx, bar.call, from + width - left - 4),
        left,
        top + LANE / 2 + 0.5,
      );
    }
    if (bar === chosen) {
      ctx.strokeStyle = theme.text;
      ctx.lineWidth = 2;
      ctx.strokeRect(from - 1, top, width + 2, LANE);
      ctx.lineWidth = 1;
    }
  }
}

function paintWindow(c, data, {area, xOf}) {
  const {ctx, theme} = c;
  const [from, to] = data.window.map(xOf);
  ctx.fillStyle = theme.card;
  ctx.globalAlpha = 0.62;
  ctx.fillRect(area.left, 0, from - area.left, c.height);
  ctx.fillRect(to, 0, area.right - to, c.height);
  ctx.globalAlpha = 1;
  ctx.fillStyle = theme.accent;
  ctx.fillRect(from - 1, 0, 2, c.height);
  ctx.fillRect(to - 1, 0, 2, c.height);
}

function paintAxis(c, data, {area, xOf}) {
  const {ctx, theme} = c;
  const bottom = c.height - AXIS - KEYS;
  const most = Math.max(2, Math.floor((area.right - area.left) / 110));
  const {ticks, unit} = timeTicks(...data.view, most);
  ctx.fillStyle = theme.line;
  ctx.fillRect(area.left, bottom, area.right - area.left, 1);
  ctx.textAlign = 'center';
  for (const tick of ticks) {
    const at = xOf(tick.at);
    if (at < area.left - 1 || at > area.right + 1) continue;
    ctx.fillStyle = theme.grid;
    ctx.fillRect(Math.round(at), bottom, 1, 5);
    ctx.fillStyle = theme.muted;
    ctx.fillText(tick.text, at, bottom + 14);
  }
  ctx.textAlign = 'right';
  ctx.fillText(`time (${unit})`, area.left - UNIT, bottom + 14);
}
