// SPDX-License-Identifier: BSD-3-Clause
// What all plots over time share: one stretch of time on their axes, and one
// window that is drawn with the pointer or by keys and filters everything.

const LEAST = 1000; // ns on an axis
const FINE = 16; // of so few bins on the axis, a window may be a part

const LETTER = 6.7; // pixels, about
const NARROW = 720;
let names = 172;

/** Room for the names of processes: as much as they need, within bounds. */
export function makeRoomFor(list) {
  const longest = Math.max(...list.map((pair) => pair.join(' · ').length), 0);
  names = Math.max(120, Math.min(236, longest * LETTER + 24));
}

/** What is beside the time, the same in all plots over time. */
export const gutters = (width) =>
  width < NARROW ? {left: 84, right: 64} : {left: names, right: 96};

export function createTimeAxis(model, store) {
  const whole = [0, model.reach];
  const snap = (time) =>
    Math.max(
      0,
      Math.min(model.reach, Math.round(time / model.width) * model.width),
    );

  /** A window of whole bins, at least one, where these are seen as such. */
  function windowOf(a, b) {
    const [begin, end] = store.get().view;
    if (end - begin < FINE * model.width)
      return [
        Math.max(0, Math.min(a, b)),
        Math.min(model.reach, Math.max(a, b)),
      ];
    const from = Math.floor(Math.min(a, b) / model.width + 1e-6);
    const to = Math.ceil(Math.max(a, b) / model.width - 1e-6);
    const clip = (bin) => Math.max(0, Math.min(model.bins, bin));
    const low = Math.min(clip(from), model.bins - 1);
    return [low * model.width, Math.max(low + 1, clip(to)) * model.width];
  }

  function setView(from, to) {
    const span = Math.min(model.reach, Math.max(LEAST, to - from));
    const low = Math.max(0, Math.min(model.reach - span, from));
    store.set({view: [low, low + span]});
  }

  function zoom(factor, at) {
    const [from, to] = store.get().view;
    const centre = at ?? (from + to) / 2;
    setView(
      centre - (centre - from) * factor,
      centre - (centre - from) * factor + (to - from) * factor,
    );
  }

  function pan(part) {
    const [from, to] = store.get().view;
    const by = part * (to - from);
    setView(from + by, to + by);
  }

  return {
    whole,
    snap,
    windowOf,
    setView,
    zoom,
    pan,
    reset: () => store.set({view: whole}),
  };
}

/**
 * Let an element draw windows, pan and zoom. `area()` is {left, right} in
 * its pixels; `click(x, y)` is called where nothing was dragged.
 */
export function attachTime(element, store, axis, {area, click}) {
  const timeAt = (event) => {
    const {left, right} = area();
    const box = element.getBoundingClientRect();
    const [from, to] = store.get().view;
    const part = (event.clientX - box.left - left) / (right - left);
    return from + Math.max(0, Math.min(1, part)) * (to - from);
  };
  let drag = null;

  element.addEventListener('pointerdown', (event) => {
    if (event.button > 1) return;
    const pans = event.shiftKey || event.button === 1;
    drag = {
      pans,
      x: event.clientX,
      y: event.clientY,
      time: timeAt(event),
      view: store.get().view,
      moved: false,
    };
    element.setPointerCapture(event.pointerId);
    if (event.button === 1) event.preventDefault();
  });
  element.addEventListener('pointermove', (event) => {
    if (!drag || (!drag.moved && Math.abs(event.clientX - drag.x) < 4)) return;
    drag.moved = true;
    const {left, right} = area();
    const [from, to] = drag.view;
    if (drag.pans) {
      const by = ((drag.x - event.clientX) / (right - left)) * (to - from);
      axis.setView(from + by, to + by);
    } else {
      store.set({
        window: axis.windowOf(drag.time, timeAt(event)),
      });
    }
  });
  element.addEventListener('pointerup', (event) => {
    const box = element.getBoundingClientRect();
    if (drag && !drag.moved)
      click?.(event.clientX - box.left, event.clientY - box.top, event);
    drag = null;
  });
  element.addEventListener('pointercancel', () => {
    drag = null;
  });
  element.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey || event.metaKey) {
        axis.zoom(Math.exp(event.deltaY / 300), timeAt(event));
        event.preventDefault();
      } else if (
        event.shiftKey ||
        Math.abs(event.deltaX) > Math.abs(event.deltaY)
      ) {
        axis.pan((event.deltaX || event.deltaY) / 600);
        event.preventDefault();
      }
    },
    {passive: false},
  );
}

/** Keys of plots over time; `cursor` is {bin}, moved here. True: used. */
export function timeKey(event, model, store, axis, cursor) {
  const {view, window} = store.get();
  const step = Math.max(1, Math.round((view[1] - view[0]) / model.width / 128));
  const moves = {
    ArrowLeft: -step,
    ArrowRight: step,
    Home: -Infinity,
    End: Infinity,
  };
  if (event.key in moves) {
    const last = model.bins - 1;
    const old = cursor.bin;
    cursor.bin = Math.max(0, Math.min(last, old + moves[event.key]));
    if (event.shiftKey) {
      cursor.anchor ??= old;
      store.set({
        window: axis.windowOf(
          Math.min(cursor.anchor, cursor.bin) * model.width,
          (Math.max(cursor.anchor, cursor.bin) + 1) * model.width,
        ),
      });
    } else {
      cursor.anchor = null;
    }
    keepInView(cursor.bin * model.width, view, axis);
    return true;
  }
  const acts = {
    '+': () => axis.zoom(0.5, (cursor.bin + 0.5) * model.width),
    '=': () => axis.zoom(0.5, (cursor.bin + 0.5) * model.width),
    '-': () => axis.zoom(2, (cursor.bin + 0.5) * model.width),
    0: () => axis.reset(),
    PageUp: () => axis.pan(-0.5),
    PageDown: () => axis.pan(0.5),
    z: () => window && axis.setView(...window),
  };
  acts[event.key]?.();
  return event.key in acts;
}

function keepInView(time, view, axis) {
  const span = view[1] - view[0];
  if (time < view[0]) axis.setView(time, time + span);
  else if (time >= view[1])
    axis.setView(time - span * 0.98, time + span * 0.02);
}
