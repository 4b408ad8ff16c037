// SPDX-License-Identifier: BSD-3-Clause
// The report page: unpack the data, put the plots together, keep them true.
import {createVoices, paintDue, redrawAll} from './src/canvas.js';
import {load} from './src/data.js';
import {button, make, plain} from './src/dom.js';
import {createEvents} from './src/events.js';
import {createFilterBar} from './src/filterbar.js';
import {createFindings} from './src/findings.js';
import {createModel} from './src/model.js';
import {createNavigation} from './src/navigation.js';
import {createAccess} from './src/plots/access.js';
import {createCalls} from './src/plots/calls.js';
import {createFiles} from './src/plots/files.js';
import {createHeat} from './src/plots/heat.js';
import {createIcicle} from './src/plots/icicle.js';
import {createLatency} from './src/plots/latency.js';
import {createMounts} from './src/plots/mounts.js';
import {createOperations} from './src/plots/operations.js';
import {createProcesses} from './src/plots/processes.js';
import {createRanks} from './src/plots/ranks.js';
import {createRates} from './src/plots/rates.js';
import {createSharing} from './src/plots/sharing.js';
import {createSizes} from './src/plots/sizes.js';
import {createSteps} from './src/plots/steps.js';
import {createStore} from './src/store.js';
import {createLimits, createSummary} from './src/summary.js';
import {createThemeSwitch, watchTheme} from './src/theme.js';
import {createTimeAxis, makeRoomFor} from './src/timeaxis.js';

/** In the order of the page; null is what tells nothing of this run. */
const PARTS = [
  createSummary,
  createFindings,
  createHeat,
  createIcicle,
  createOperations,
  createLatency,
  createSizes,
  createRates,
  createRanks,
  createMounts,
  createProcesses,
  createFiles,
  createAccess,
  createSharing,
  createSteps,
  createCalls,
  createEvents,
  createLimits,
];
const OF_CALLS = [
  createHeat,
  createRates,
  createAccess,
  createSteps,
  createCalls,
  createEvents,
];
const ASIDE = ['latency', 'sizes']; // beside the long table of operations

/** Sums alone tell nothing of when, nor of single calls. */
const partsOf = (context) =>
  PARTS.filter(
    (create) => !context.model.head.timeless || !OF_CALLS.includes(create),
  )
    .map((create) => create(context))
    .filter(Boolean);

/** The cards, those aside one below the other. */
function cardsOf(parts) {
  const aside = make(
    'div',
    {class: 'aside'},
    parts.filter(({id}) => ASIDE.includes(id)).map(({element}) => element),
  );
  return make(
    'div',
    {class: 'cards'},
    parts.flatMap(({id, element}) =>
      id === 'operations'
        ? [element, aside]
        : ASIDE.includes(id)
          ? []
          : [element],
    ),
  );
}

/** Parts out of sight wait until they are seen. */
function keepTrue(parts, store) {
  const stale = new Map(parts.map((part) => [part, null]));
  const seen = new Set();
  const refresh = (part) => {
    if (!stale.has(part)) return;
    const changed = stale.get(part);
    stale.delete(part);
    part.update(store.get(), changed);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const part = parts.find((one) => one.element === entry.target);
        if (entry.isIntersecting) {
          seen.add(part);
          refresh(part);
        } else {
          seen.delete(part);
        }
      }
    },
    {rootMargin: '200px'},
  );
  parts.forEach((part) => observer.observe(part.element));
  store.subscribe((state, changed) => {
    for (const part of parts) {
      if (!part.uses.some((name) => changed.has(name))) continue;
      // what was never drawn stays to be drawn in full
      const before = stale.has(part) ? stale.get(part) : changed;
      stale.set(part, before && new Set([...before, ...changed]));
      if (seen.has(part)) refresh(part);
    }
  });
  const drawAll = () => parts.forEach(refresh);
  // all once, so that nothing moves when the reader jumps to a section
  setTimeout(drawAll, 100);
  return drawAll;
}

function build(trace) {
  const model = createModel(trace);
  const store = createStore({
    view: [0, model.reach],
    layer: model.layer,
    measure: 'layers',
    scale: 'auto',
    rows: 'auto',
    node: -1,
    event: -1,
    theme: 0,
  });
  const axis = createTimeAxis(model, store);
  makeRoomFor(model.names);
  const goTo = (id) =>
    document.getElementById(id).scrollIntoView({block: 'start'});
  const context = {model, store, axis, goTo};
  const parts = partsOf(context);
  const filter = createFilterBar(context);
  document.getElementById('app').replaceChildren(
    make(
      'header',
      {id: 'top'},
      make('span', {class: 'mark'}, 'weir'),
      make('span', {}, 'report'),
      createThemeSwitch(),
      button('Print', () => print(), {class: 'quiet'}),
    ),
    make(
      'div',
      {id: 'columns'},
      createNavigation(parts),
      make(
        'main',
        {id: 'main', tabindex: -1},
        parts[0].element,
        parts[1].element,
        filter.element,
        cardsOf(parts.slice(2)),
      ),
    ),
    ...createVoices(),
  );
  document.title = 'weir report: ' + plain(parts[0].describe().program);
  filter.update(store.get());
  const refreshAll = keepTrue(parts, store);
  store.subscribe(
    (state, changed) =>
      filter.uses.some((name) => changed.has(name)) && filter.update(state),
  );
  store.subscribe(
    (state, changed) =>
      changed.has('event') && state.event >= 0 && goTo('events'),
  );
  const recolour = () => {
    store.set({theme: store.get().theme + 1});
    redrawAll();
  };
  watchTheme(recolour, () => {
    recolour();
    store.flush();
    refreshAll();
    redrawAll();
  });
  addEventListener(
    'keydown',
    (event) => event.key === 'Escape' && store.clear(),
  );
  return {
    model,
    store,
    axis,
    refreshAll,
    parts: Object.fromEntries(
      [...parts, filter].map((part) => [part.id, part]),
    ),
  };
}

/** For tests and for the curious: the numbers that each plot draws. */
function expose(page) {
  window.weirPage = {
    describe: (id) =>
      id
        ? page.parts[id].describe()
        : Object.fromEntries(
            Object.entries(page.parts).map(([name, part]) => [
              name,
              part.describe(),
            ]),
          ),
    state: () => page.store.get(),
    set: (patch) => {
      page.store.set(patch);
      page.store.flush();
    },
    part: (id) => page.parts[id],
    view: (from, to) => page.axis.setView(from, to),
    /** What is in sight, at once instead of before the next frame. */
    paint: () => {
      page.store.flush();
      paintDue();
    },
    redraw: () => {
      page.refreshAll();
      redrawAll();
    },
    size: () => ({
      reach: page.model.reach,
      who: page.model.who.length,
      events: page.model.total,
      kept: page.model.sample.count,
      cells: page.model.cells.count,
    }),
  };
}

load()
  .then(build)
  .then(expose)
  .catch((error) => {
    document
      .getElementById('app')
      .replaceChildren(
        make(
          'p',
          {class: 'warn', role: 'alert'},
          `This report cannot be shown: ${error.message}`,
        ),
      );
    throw error;
  });
