// SPDX-License-Identifier: BSD-3-Clause
// What is chosen: the filter that all plots share, and how they are shown.

const NOTHING = {
  window: null,
  who: null,
  file: null,
  finding: null,
  call: null,
};

/**
 * window: [from, to] ns; who, file, finding, call: indexes; view: the stretch of
 * time on the axes; layer, measure, scale: what the map of time shows.
 */
export function createStore(initial) {
  let state = {...NOTHING, ...initial};
  const first = state;
  const listeners = new Set();
  let due = false;
  let changed = new Set();

  function tell() {
    due = false;
    const what = changed;
    changed = new Set();
    for (const listener of listeners) listener(state, what);
  }

  function set(patch) {
    for (const [name, value] of Object.entries(patch)) {
      if (same(state[name], value)) continue;
      changed.add(name);
      state = {...state, [name]: value};
    }
    if (changed.size && !due) {
      due = true;
      requestAnimationFrame(tell);
    }
  }

  return {
    get: () => state,
    set,
    clear: () => set({...NOTHING, view: first.view}),
    subscribe: (listener) => listeners.add(listener),
    /** For tests: nothing is left to be told. */
    flush: () => changed.size && tell(),
  };
}

function same(a, b) {
  return (
    a === b ||
    (Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((x, i) => x === b[i]))
  );
}

export function isFiltered(state) {
  return Object.keys(NOTHING).some((name) => state[name] !== null);
}
