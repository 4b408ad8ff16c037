// SPDX-License-Identifier: BSD-3-Clause
// The report's data with the names that the plots use for it.

import {colourLayers} from './colours.js';
import {digits, ns, several} from './format.js';

/** What is not I/O, by its class. */
export const WAITS = {
  wait: 'waiting on pipes, sockets and terminals',
  process: 'starting processes',
  library: 'starting and ending MPI',
};

const EMPTY = {count: 0};
const LATER = ['serve', 'backend'];
export const NEVER_RETURNED = 2; // of the flags of an event
const TABLES = [
  'cells',
  'paths',
  'sizes',
  'share',
  'stepsum',
  'access',
  'latency',
  'processes',
  'sample',
];

/** Which way a class of calls moves bytes. */
export const READS = 1;
export const WRITES = 2;
const WAYS = {read: READS, write: WRITES};
const USUAL = {
  read: READS,
  'stream-read': READS,
  write: WRITES,
  'stream-write': WRITES,
};

function evidenceOf(head) {
  return (head.findings_events ?? []).map((list) => new Set(list));
}

/** Which events each one caused: lists linked through two columns. */
function childrenOf(sample) {
  const first = new Int32Array(sample.count).fill(-1);
  const next = new Int32Array(sample.count).fill(-1);
  for (let i = sample.count - 1; i >= 0; i--) {
    const parent = sample.parent[i];
    if (parent < 0 || parent >= sample.count) continue;
    next[i] = first[parent];
    first[parent] = i;
  }
  return (event) => {
    const list = [];
    for (let i = first[event]; i >= 0; i = next[i]) list.push(i);
    return list;
  };
}

const PARTS = 32; // of a run whose program marked no steps

/** Steps that the program marked, or equal parts of whole bins. */
function stepsOf(head) {
  if (head.steps?.length) return {steps: head.steps, binsPerStep: 0};
  const {count, width_ns: width} = head.bins;
  const each = Math.max(1, Math.ceil(count / PARTS));
  const steps = [];
  for (let bin = 0; bin < count; bin += each)
    steps.push({
      label: digits((bin * width) / 1e9),
      begin: bin * width,
      end: Math.min(count, bin + each) * width,
    });
  return {steps, binsPerStep: each};
}

function firstLayer(head, cells) {
  if (head.layer !== undefined && head.layers[head.layer]) return head.layer;
  const bytes = head.layers.map(() => 0);
  for (let i = 0; i < cells.count; i++)
    bytes[cells.layer[i]] += cells.bytes[i] + 1e-9 * cells.calls[i];
  const client = bytes.map((sum, i) =>
    head.layers[i].side === 'server' ? 0 : sum,
  );
  return Math.max(0, client.lastIndexOf(Math.max(...client)));
}

/** A call that never returned has taken no time that anybody knows. */
function returned(sample) {
  return sample.count
    ? {...sample, dur: sample.dur.map((value) => Math.max(0, value))}
    : sample;
}

/** The numbers in 1-4,9. */
function numbersIn(text) {
  return (text ?? '').split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number);
    return first
      ? Array.from({length: last - first + 1}, (_, i) => first + i)
      : [];
  });
}

/** What the report has of the processes of each row of who. */
function toldOf(head) {
  const known = new Map(
    (head.report.processes ?? []).map((process) => [process.number, process]),
  );
  return head.who.map((who) =>
    numbersIn(who.procs)
      .map((number) => known.get(number))
      .filter(Boolean),
  );
}

/** From the first call to the last, of each row of who. */
function livesOf(told, reach) {
  return told.map((list) => {
    const some = list.filter((process) => process.last !== undefined);
    return some.length
      ? [
          Math.min(...some.map(({first}) => first)),
          Math.max(...some.map(({last}) => last)),
        ]
      : [0, reach];
  });
}

/** A process in two parts: what it is to the job, and what it runs. */
function nameOf(who) {
  const runs = [who.program, who.pid].filter(Boolean).join(' ');
  if ((who.processes ?? 1) > 1 || who.side === 'server' || !who.program)
    return [who.label, ''];
  return who.rank === null || who.rank === undefined
    ? [who.program, String(who.pid)]
    : [who.label, runs];
}

export function createModel({head, tables}) {
  const table = {};
  for (const name of TABLES) table[name] = tables[name] ?? EMPTY;
  table.sample = returned(table.sample);
  colourLayers(head.layers);
  const classes = head.classes.map((row) => row.name);
  const span = head.span.end - head.span.begin;
  const model = {
    head,
    report: head.report,
    ...table,
    classes,
    layers: head.layers,
    calls: head.calls,
    who: head.who,
    files: head.files ?? [],
    mounts: head.mounts ?? [],
    nodes: head.nodes ?? [],
    ...stepsOf(head),
    sites: head.sites ?? [],
    accessFiles: head.access_files ?? [],
    span: Math.max(span, 1),
    bins: head.bins.count,
    width: head.bins.width_ns,
    coarse: head.bins.coarse ?? 8,
    moves: head.classes.map(
      (row) =>
        (row.moves === undefined ? USUAL[row.name] : WAYS[row.moves]) ?? 0,
    ),
    inner: head.classes.map((row) => Boolean(row.inner)),
    waits: head.classes.map((row) => row.group === 'wait'),
    layer: firstLayer(head, table.cells),
    evidence: evidenceOf(head),
    complete: Boolean(head.sample?.complete),
    total: head.sample?.events ?? table.sample.count,
  };
  model.children = childrenOf(table.sample);
  model.reach = model.bins * model.width;
  model.told = toldOf(head);
  model.lives = livesOf(model.told, model.reach);
  model.ioOf = model.told.map((list) =>
    list.length === 1 && list[0].time !== undefined ? list[0].time / 1e9 : null,
  );
  model.names = head.who.map(nameOf);
  model.whoOf = new Map();
  for (let i = 0; i < table.processes.count; i++)
    model.whoOf.set(table.processes.number[i], table.processes.who[i]);
  model.servers = model.layers.flatMap((layer, i) =>
    layer.side === 'server' ? [i] : [],
  );
  // where files are forwarded: work that no call of the program waits for
  model.later = new Set(
    model.servers.filter((i) => LATER.includes(model.layers[i].id)),
  );
  return model;
}

export const layerOf = (model, event) =>
  model.sample.layer?.[event] ?? model.calls[model.sample.call[event]].layer;
export const classOf = (model, event) =>
  model.sample.class?.[event] ?? model.calls[model.sample.call[event]].class;

/** All of posix, what streams really move, and what was handed over. */
function reachesSystem(model, event) {
  const {id} = model.layers[layerOf(model, event)];
  const kind = classOf(model, event);
  return (
    id === 'posix' || model.inner[kind] || (id === 'async' && model.moves[kind])
  );
}

/** Does an event count in a layer of the tables? */
export function inLayer(model, event, layer) {
  if (model.layers[layer].id === 'os') return reachesSystem(model, event);
  return layerOf(model, event) === layer && !model.inner[classOf(model, event)];
}

/** What an event is called by weir dump: process.thread.number. */
export function idOf(model, event) {
  const {process, thread, number} = model.sample;
  return `${process[event]}.${thread[event]}.${number[event]}`;
}

export function fileName(model, file) {
  const row = model.files[file];
  if (row?.kind === 'others')
    return (
      several(row.files, 'other file') +
      (model.report.total?.objects > 0 ? ' and datasets' : '')
    );
  return row?.name ?? 'calls on no file';
}

/** One file, not the sum of many or of none. */
export function isFile(model, file) {
  return !['others', 'none'].includes(model.files[file]?.kind);
}

/** A layer of calls; what reaches the system is a view of several. */
export const isReal = (model, layer) => model.layers[layer].id !== 'os';

/** A rank, or else a program and its pid. */
export function whoLabel(model, who) {
  if (!model.who[who]) return 'all processes';
  const [name, more] = model.names[who];
  return name === model.who[who].label ? name : `${name} ${more}`;
}

/** The same, as short as it can be: a rank, a pid. */
export function whoShort(model, who) {
  const {rank, pid, label, processes = 1} = model.who[who];
  const isOne = processes === 1 && pid;
  return (rank === null || rank === undefined) && isOne ? `pid ${pid}` : label;
}

/** All that is known of a process, line by line. */
export function whoLines(model, who) {
  const {host, pid, program} = model.who[who];
  const [begin, end] = model.lives[who];
  return [
    whoLabel(model, who),
    [program, pid && `pid ${pid}`, host && `on ${host}`]
      .filter(Boolean)
      .join(', '),
    `lived ${ns(begin)} to ${ns(end)}`,
  ].filter(Boolean);
}

export function nodeName(model, node) {
  const {call, name} = model.nodes[node];
  return name ?? model.calls[call]?.name ?? 'others';
}

/** The outermost event that caused this one, itself if none did. */
export function rootOf(model, event) {
  for (let steps = 0; steps < 256; steps++) {
    const parent = model.sample.parent[event];
    if (parent < 0) break;
    event = parent;
  }
  return event;
}

/** The chain of causes, outermost first, without the event itself. */
export function causesOf(model, event) {
  const chain = [];
  let at = model.sample.parent[event];
  while (at >= 0 && chain.length < 256) {
    chain.unshift(at);
    at = model.sample.parent[at];
  }
  return chain;
}
