// SPDX-License-Identifier: BSD-3-Clause
// Call by call of one layer: what each took, and in which layers below. The
// view of a client is its own calls; the view of a server is what each call
// of each client took there.
import {causesOf, classOf, layerOf} from './model.js';
import {ownOf, passes} from './sums.js';

/** The layer whose calls are numbered first: MPI-IO, else the highest. */
export function layersWithCalls(model) {
  const {sample} = model;
  const count = model.layers.map(() => 0);
  for (let i = 0; i < sample.count; i++)
    if (model.moves[classOf(model, i)]) count[layerOf(model, i)] += 1;
  return model.layers.flatMap((layer, i) =>
    count[i] && layer.side !== 'server' ? [i] : [],
  );
}

export function firstLayer(model) {
  const layers = layersWithCalls(model);
  return layers.find((i) => model.layers[i].id === 'mpiio') ?? layers[0] ?? 0;
}

/** Own times by layer of an event and all that it caused, in seconds. */
function breakdown(model, event, keep = () => true) {
  const parts = new Map();
  const add = (at, depth) => {
    if (keep(at))
      parts.set(
        layerOf(model, at),
        (parts.get(layerOf(model, at)) ?? 0) + ownOf(model, at) / 1e9,
      );
    if (depth < 64)
      for (const child of model.children(at)) add(child, depth + 1);
  };
  add(event, 0);
  return parts;
}

/** Transfers of the layer that none of the same layer caused, by process. */
function numbered(model, layer) {
  const {sample} = model;
  const next = new Map();
  const calls = [];
  const order = Array.from({length: sample.count}, (_, i) => i).sort(
    (a, b) => sample.start[a] - sample.start[b],
  );
  for (const i of order) {
    if (layerOf(model, i) !== layer || !model.moves[classOf(model, i)])
      continue;
    if (causesOf(model, i).some((at) => layerOf(model, at) === layer)) continue;
    const process = sample.process[i];
    const id = next.get(process) ?? 0;
    next.set(process, id + 1);
    calls.push({event: i, id, who: sample.who[i]});
  }
  return calls;
}

/** Bars of one client: [{event, id, who, seconds, bytes, parts}]. */
export function clientBars(model, state, layer, who) {
  const pass = passes(model, {...state, finding: null, who});
  return numbered(model, layer)
    .filter((call) => pass(call.event))
    .map((call) => ({
      ...call,
      seconds: model.sample.dur[call.event] / 1e9,
      bytes: Math.max(0, model.sample.size[call.event]),
      parts: breakdown(model, call.event),
    }));
}

export function serversOf(model) {
  const {sample} = model;
  const servers = new Set();
  for (let i = 0; i < sample.count; i++)
    if (model.layers[layerOf(model, i)].side === 'server')
      servers.add(sample.who[i]);
  return [...servers].sort((a, b) => a - b);
}

/** Seconds during which at least one of the events was under way. */
function underWay(model, events) {
  const {start, dur} = model.sample;
  let seconds = 0;
  let until = -Infinity;
  for (const i of [...events].sort((a, b) => start[a] - start[b])) {
    const end = start[i] + dur[i];
    seconds += Math.max(0, end - Math.max(start[i], until)) / 1e9;
    until = Math.max(until, end);
  }
  return seconds;
}

/** Watts of a server's disk while it serves a call; as weir query has it. */
function powerOf(model, events) {
  const disk = model.head.disk;
  const of = (id) =>
    underWay(
      model,
      events.filter((i) => model.layers[layerOf(model, i)].id === id),
    );
  const served = of('server');
  if (!disk || !served) return 0;
  const active = Math.min(of('disk'), served);
  return (
    (disk.active_watts * active + disk.idle_watts * (served - active)) / served
  );
}

/** Does it tell the bytes that a server got? A batch is told by its parts. */
function takesIn(model, event) {
  const {id} = model.layers[layerOf(model, event)];
  const cause = model.sample.parent[event];
  return (
    id === 'server' ||
    (id === 'serve' && cause >= 0 && !model.later.has(layerOf(model, cause)))
  );
}

/** Bars of one server: what each client's call took in it and above it. */
export function serverBars(model, state, layer, server) {
  const {sample} = model;
  const pass = passes(model, {...state, finding: null, who: null});
  const there = (at) =>
    model.layers[layerOf(model, at)].side !== 'server' ||
    sample.who[at] === server;
  return numbered(model, layer)
    .filter((call) => pass(call.event))
    .map((call) => {
      const parts = breakdown(model, call.event, there);
      const served = [];
      const visit = (at) => {
        if (there(at) && model.layers[layerOf(model, at)].side === 'server')
          served.push(at);
        model.children(at).forEach(visit);
      };
      visit(call.event);
      const bytes = served
        .filter((at) => takesIn(model, at))
        .reduce((sum, at) => sum + Math.max(0, sample.size[at]), 0);
      return {
        ...call,
        parts,
        bytes,
        served: served.length > 0,
        watts: powerOf(model, served),
        seconds: [...parts.values()].reduce((a, b) => a + b, 0),
      };
    })
    .filter((bar) => bar.served)
    .sort((a, b) => a.id - b.id || a.who - b.who);
}
