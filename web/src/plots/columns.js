// SPDX-License-Identifier: BSD-3-Clause
// Standing bars, each of parts: sizes, steps, processes, calls.
import {createCanvas, mount, pointOf, showTip, say, fit} from '../canvas.js';
import {ticks} from '../format.js';

const LEFT = 78;
const BOTTOM = 40;
const TOP = 12;
const RIGHT = 10;

/**
 * Options: label, height, click(bar), range(first, last) when bars may be
 * brushed. set(data): bars [{label, lines, parts: [{value, colour}], dim,
 * gap}], format, unit, axis (text below), base 10 or 1024, lines [{value,
 * text}] across.
 */
export function createColumns(host, options) {
  let data = {bars: []};
  let cursor = -1;
  let drag = null;

  const place = (i) => {
    const room = canvas.size.width - LEFT - RIGHT;
    return LEFT + (i / Math.max(1, data.bars.length)) * room;
  };
  const barAt = (x) => {
    const room = canvas.size.width - LEFT - RIGHT;
    const i = Math.floor(((x - LEFT) / room) * data.bars.length);
    return i >= 0 && i < data.bars.length ? i : -1;
  };
  const canvas = createCanvas({
    label: options.label,
    height: options.height ?? 240,
    paint: (c) => data.bars.length && paintColumns(c, data, place, cursor),
    onkey(event) {
      const moves = {
        ArrowLeft: -1,
        ArrowRight: 1,
        Home: -Infinity,
        End: Infinity,
      };
      if (event.key in moves && data.bars.length) {
        const from = Math.max(0, cursor);
        cursor = Math.max(
          0,
          Math.min(
            data.bars.length - 1,
            cursor < 0 ? 0 : from + moves[event.key],
          ),
        );
        say(data.bars[cursor].lines);
        if (event.shiftKey)
          options.range?.(Math.min(from, cursor), Math.max(from, cursor));
        return true;
      }
      if (event.key === 'Enter' && cursor >= 0) {
        options.click?.(cursor);
        return true;
      }
      return false;
    },
  });
  const element = canvas.element;
  element.addEventListener('pointerdown', (event) => {
    const [x] = pointOf(canvas, event);
    drag = {from: barAt(x), moved: false};
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener('pointermove', (event) => {
    const [x] = pointOf(canvas, event);
    const bar = barAt(x);
    if (
      drag &&
      options.range &&
      bar >= 0 &&
      drag.from >= 0 &&
      (drag.moved || bar !== drag.from)
    ) {
      drag.moved = true;
      options.range(Math.min(bar, drag.from), Math.max(bar, drag.from));
      return;
    }
    showTip(
      bar < 0 ? null : data.bars[bar].lines,
      event.clientX,
      event.clientY,
    );
  });
  element.addEventListener('pointerup', () => {
    if (drag && !drag.moved && drag.from >= 0) options.click?.(drag.from);
    drag = null;
  });
  element.addEventListener('blur', () => {
    cursor = -1;
    canvas.later();
  });
  mount(canvas, host);
  return {
    canvas,
    set(next) {
      data = next;
      canvas.later();
    },
    get: () => data,
  };
}

const sumOf = (bar) => bar.parts.reduce((sum, part) => sum + part.value, 0);

function paintColumns(c, data, place, cursor) {
  const {ctx, theme} = c;
  const bottom = c.height - BOTTOM;
  const greatest =
    Math.max(
      ...data.bars.map(sumOf),
      ...(data.lines ?? []).map((line) => line.value),
      0,
    ) || 1;
  const y = (value) => bottom - (value / greatest / 1.06) * (bottom - TOP);
  paintScale(c, data, greatest, y);
  const width = place(1) - place(0);
  const gap = width > 8 ? Math.min(6, width * 0.15) : width > 3 ? 0.5 : 0;
  data.bars.forEach((bar, i) => {
    let at = 0;
    ctx.globalAlpha = bar.dim ? 0.28 : 1;
    for (const part of bar.parts) {
      const top = y(at + part.value);
      ctx.fillStyle = part.colour;
      ctx.fillRect(
        place(i) + gap,
        top,
        Math.max(1, width - 2 * gap),
        Math.max(part.value > 0 ? 1 : 0, y(at) - top),
      );
      at += part.value;
    }
    ctx.globalAlpha = 1;
    if (i === cursor) {
      ctx.strokeStyle = theme.text;
      ctx.lineWidth = 2;
      ctx.strokeRect(
        place(i) + gap - 1,
        y(at) - 2,
        width - 2 * gap + 2,
        bottom - y(at) + 3,
      );
      ctx.lineWidth = 1;
    }
  });
  for (const line of data.lines ?? []) paintLine(c, line, y(line.value));
  paintNames(c, data, place, width, bottom);
}

function paintScale(c, data, greatest, y) {
  const {ctx, theme} = c;
  ctx.textAlign = 'right';
  for (const tick of ticks(0, greatest * 1.06, 5, data.base ?? 10)) {
    ctx.fillStyle = theme.grid;
    ctx.fillRect(LEFT, Math.round(y(tick)), c.width - LEFT - RIGHT, 1);
    ctx.fillStyle = theme.muted;
    ctx.fillText(data.format(tick), LEFT - 8, y(tick));
  }
}

function paintLine(c, line, y) {
  const {ctx, theme} = c;
  ctx.strokeStyle = theme.text;
  ctx.setLineDash([5, 4]);
  ctx.beginPath();
  ctx.moveTo(LEFT, y);
  ctx.lineTo(c.width - RIGHT, y);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.textAlign = 'right';
  const width = ctx.measureText(line.text).width;
  ctx.fillStyle = theme.card;
  ctx.globalAlpha = 0.85;
  ctx.fillRect(c.width - RIGHT - width - 6, y - 17, width + 6, 15);
  ctx.globalAlpha = 1;
  ctx.fillStyle = theme.text;
  ctx.fillText(line.text, c.width - RIGHT - 2, y - 9);
}

function paintNames(c, data, place, width, bottom) {
  const {ctx, theme} = c;
  ctx.fillStyle = theme.line;
  ctx.fillRect(LEFT, bottom, c.width - LEFT - RIGHT, 1);
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'center';
  const widest = Math.max(
    ...data.bars.map((bar) => ctx.measureText(bar.label).width),
    8,
  );
  const every = Math.max(1, Math.ceil((Math.min(widest, 90) + 10) / width));
  for (let i = 0; i < data.bars.length; i += every) {
    const text = fit(ctx, data.bars[i].label, every * width - 4);
    const half = ctx.measureText(text).width / 2;
    const at = Math.min(place(i) + width / 2, c.width - half);
    ctx.fillText(text, at, bottom + 13);
  }
  ctx.fillText(data.axis, LEFT + (c.width - LEFT - RIGHT) / 2, bottom + 31);
}
