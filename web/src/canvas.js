// SPDX-License-Identifier: BSD-3-Clause
// A canvas that keeps its size and theme, and tells what the pointer is over.
import {make, plain} from './dom.js';
import {theme} from './colours.js';

const canvases = new Set();
let tip;
let live;

/** The box beside the pointer, and the voice for those who do not see it. */
export function createVoices() {
  tip = make('div', {id: 'tip', role: 'presentation', hidden: true});
  live = make('div', {
    id: 'live',
    class: 'unseen',
    'aria-live': 'polite',
  });
  return [tip, live];
}

export function showTip(lines, x, y) {
  tip.hidden = !lines;
  if (!lines) return;
  tip.replaceChildren(
    ...lines.map((line, i) => make(i ? 'div' : 'strong', {}, line)),
  );
  const box = tip.getBoundingClientRect();
  const left = x + 16 + box.width > innerWidth ? x - 12 - box.width : x + 16;
  const top = Math.min(y + 14, innerHeight - box.height - 4);
  tip.style.transform = `translate(${Math.max(4, left)}px, ${top}px)`;
}

export function say(lines) {
  live.textContent = lines ? plain(lines.join(', ')) : '';
}

/** Paint now what was asked to be painted before the next frame. */
export function paintDue() {
  for (const canvas of canvases) if (canvas.isDue()) canvas.draw();
}

export function redrawAll() {
  for (const canvas of canvases) canvas.draw();
}

/**
 * Options: label, height (number or function of the width), paint(c), with
 * c = {ctx, width, height, theme}. Returns {element, draw, size}.
 */
export function createCanvas({label, height, paint, onkey}) {
  const element = make('canvas', {
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'plot',
    'aria-label': label,
  });
  const size = {width: 0, height: 0};
  let asked = false;

  function draw() {
    asked = false;
    const width = Math.round(element.parentElement?.clientWidth ?? 0);
    if (!width) return;
    const tall = typeof height === 'function' ? height(width) : height;
    const ratio = window.devicePixelRatio || 1;
    if (size.width !== width || size.height !== tall || size.ratio !== ratio) {
      element.width = Math.round(width * ratio);
      element.height = Math.round(tall * ratio);
      element.style.width = width + 'px';
      element.style.height = tall + 'px';
      Object.assign(size, {width, height: tall, ratio});
    }
    const ctx = element.getContext('2d');
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, tall);
    const colours = theme();
    ctx.font = colours.font;
    ctx.textBaseline = 'middle';
    paint({ctx, width, height: tall, theme: colours, ratio});
  }

  const later = () => {
    if (!asked) {
      asked = true;
      requestAnimationFrame(draw);
    }
  };
  if (onkey)
    element.addEventListener('keydown', (event) => {
      if (onkey(event)) {
        event.preventDefault();
        later();
      }
    });
  element.addEventListener('pointerleave', () => showTip(null));
  element.addEventListener('blur', () => showTip(null));
  const canvas = {element, draw, later, size, isDue: () => asked};
  canvases.add(canvas);
  return canvas;
}

/** Watch the width of what holds the canvas. */
export function mount(canvas, parent) {
  parent.append(canvas.element);
  let width = 0;
  new ResizeObserver(() => {
    if (parent.clientWidth !== width) {
      width = parent.clientWidth;
      canvas.later();
    }
  }).observe(parent);
}

/** Where the pointer is, in the canvas's own pixels. */
export function pointOf(canvas, event) {
  const box = canvas.element.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** What colours stand for, from a place on; returns where they end. */
export function paintKeys({ctx, theme}, keys, left, top) {
  let at = left;
  ctx.textAlign = 'left';
  for (const {name, colour} of keys) {
    ctx.fillStyle = colour;
    ctx.fillRect(at, top, 10, 10);
    ctx.fillStyle = theme.muted;
    ctx.fillText(name, at + 15, top + 5);
    at += 31 + ctx.measureText(name).width;
  }
  return at;
}

/** How many characters of a text fit, as cut(length) shows so many. */
function longest(ctx, text, width, cut) {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ctx.measureText(cut(middle)).width <= width) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Text that fits, cut at its end by an ellipsis. */
export function fit(ctx, name, width) {
  const text = plain(name);
  if (ctx.measureText(text).width <= width) return text;
  const cut = (length) => text.slice(0, length) + '…';
  const length = longest(ctx, text, width, cut);
  return length > 1 ? cut(length) : '';
}

const PAIR = 90; // pixels that two names need at least

/** Two names: the longer one gives way. */
export function fitPair(ctx, [name, more], width) {
  if (!more || width < PAIR) return fitEnd(ctx, name, width);
  const room = (text) => width - ctx.measureText(text + ' · ').width;
  return ctx.measureText(name).width < width / 2
    ? `${plain(name)} · ${fitEnd(ctx, more, room(name))}`
    : `${fitEnd(ctx, name, room(more))} · ${plain(more)}`;
}

/** The same, cut at its beginning. */
export function fitEnd(ctx, name, width) {
  const text = plain(name);
  if (ctx.measureText(text).width <= width) return text;
  const cut = (length) => '…' + text.slice(-length);
  const length = longest(ctx, text, width, cut);
  return length > 0 ? cut(length) : '';
}
