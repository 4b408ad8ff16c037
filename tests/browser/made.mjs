// SPDX-License-Identifier: BSD-3-Clause
// Reports made from lists of events: what the page shows can be counted
// again from the list.
import {pack} from './pack.mjs';

export const LAYERS = [
  {id: 'os', name: 'operating system', side: 'client'},
  {id: 'hdf5', name: 'hdf5', side: 'client'},
  {id: 'mpiio', name: 'mpiio', side: 'client'},
  {id: 'stdio', name: 'stdio', side: 'client'},
  {id: 'posix', name: 'posix', side: 'client'},
  {id: 'server', name: 'storage server', side: 'server'},
];
export const CLASSES = [
  {name: 'read', moves: 'read'},
  {name: 'write', moves: 'write'},
  {name: 'open', moves: null},
  {name: 'close', moves: null},
  {name: 'stat', moves: null},
  {name: 'sync', moves: null},
  {name: 'stream-flush', moves: 'write', inner: true},
  {name: 'wait', moves: null, group: 'wait'},
];
export const CALLS = [
  ['H5Dwrite', 1, 1],
  ['H5Fopen', 1, 2],
  ['MPI_File_write_at_all', 2, 1],
  ['MPI_File_read_at', 2, 0],
  ['MPI_File_open', 2, 2],
  ['fprintf', 3, 1],
  ['pwrite', 4, 1],
  ['pread', 4, 0],
  ['open', 4, 2],
  ['close', 4, 3],
  ['stat', 4, 4],
  ['fsync', 4, 5],
  ['write', 4, 1],
  ['serve_write', 5, 1],
  ['stream_flush', 3, 6],
  ['recv', 4, 7],
].map(([name, layer, kind]) => ({name, layer, class: kind}));
export const call = (name) => CALLS.findIndex((row) => row.name === name);
const COARSE = 8;
const MS = 1e6;

/** Numbers that look random and are always the same. */
export function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A run of so many ranks that writes a checkpoint in each step. */
export function makeRun({
  ranks = 8,
  steps = 12,
  server = false,
  seed = 1,
  names = null,
  bins = 256,
  each = 4,
} = {}) {
  const random = dice(seed);
  const files = [
    {name: '/scratch/run/checkpoint.h5', mount: 0, fs: 'lustre'},
    {name: '/home/user/input.dat', mount: 1, fs: 'nfs'},
    {name: '/home/user/run.log', mount: 1, fs: 'nfs'},
    ...Array.from({length: ranks}, (_, i) => ({
      name: `/scratch/run/private.${String(i).padStart(4, '0')}`,
      mount: 0,
      fs: 'lustre',
    })),
    ...(names ?? []).map((name) => ({
      name,
      mount: 0,
      fs: 'lustre',
    })),
  ];
  const events = [];
  const numbers = new Array(ranks + 2).fill(0);
  const add = (who, name, start, dur, more = {}) => {
    events.push({
      who,
      call: call(name),
      start: Math.round(start),
      dur: Math.round(dur),
      file: -1,
      off: -1,
      size: 0,
      ret: 0,
      parent: null,
      site: -1,
      number: numbers[who]++,
      ...more,
    });
    return events[events.length - 1];
  };
  const length = 100 * MS;
  const stepList = [];
  for (let step = 0; step < steps; step++) {
    const begin = step * length;
    stepList.push({
      label: String(step),
      begin,
      end: begin + length,
    });
    for (let who = 0; who < ranks; who++)
      oneStep({
        add,
        random,
        who,
        step,
        begin,
        ranks,
        each,
        server,
      });
  }
  (names ?? []).forEach((name, i) =>
    add(i % ranks, 'stat', ((i + 0.5) * steps * length) / names.length, 2000, {
      file: 3 + ranks + i,
    }),
  );
  events.sort((a, b) => a.start - b.start);
  const span = steps * length;
  return {
    events,
    files,
    steps: stepList,
    ranks,
    bins,
    server,
    span,
    width: span / bins,
  };
}

function oneStep({add, random, who, step, begin, ranks, each, server}) {
  const block = 65536;
  if (step === 0) {
    const top = add(who, 'H5Fopen', begin + MS * (1 + who * 0.2), 3 * MS, {
      file: 0,
      ret: 1,
    });
    const below = add(who, 'MPI_File_open', top.start + 1e5, 2.5 * MS, {
      file: 0,
      parent: top,
    });
    add(who, 'open', below.start + 1e5, MS * (0.5 + random()), {
      file: 0,
      ret: 3,
      parent: below,
    });
    for (let i = 0; i < each; i++)
      add(who, 'pread', begin + MS * (8 + i * 2 + random()), 4e5, {
        file: 1,
        off: i * 4096,
        size: 4096,
        ret: 4096,
      });
  }
  for (let i = 0; i < each; i++) {
    const slow = who === ranks - 1 ? 2.5 : 1;
    const start = begin + MS * (40 + i * 10 + random());
    const off = ((step * each + i) * ranks + who) * block;
    const top = add(who, 'H5Dwrite', start, MS * 3.2 * slow, {
      file: 0,
      off,
      size: block,
      ret: 0,
      site: 0,
    });
    const middle = add(
      who,
      'MPI_File_write_at_all',
      start + 1e5,
      MS * 2.8 * slow,
      {file: 0, off, size: block, ret: 0, parent: top},
    );
    const low = add(
      who,
      'pwrite',
      start + 3e5,
      MS * (1.2 + 0.8 * random()) * slow,
      {file: 0, off, size: block, ret: block, parent: middle},
    );
    if (server)
      add(ranks + (i % 2), 'serve_write', low.start + 1e5, low.dur * 0.6, {
        file: 0,
        off,
        size: block,
        ret: block,
        parent: low,
      });
  }
  for (let i = 0; i < 6; i++)
    add(
      who,
      'write',
      begin + MS * (85 + i + random() * 0.5),
      3e4 + 3e4 * random(),
      {
        file: 3 + who,
        off: (step * 6 + i) * 100,
        size: 100,
        ret: 100,
        site: 1,
      },
    );
  if (who === 0) {
    const more = {file: 2, size: 80, ret: 80};
    const parent = add(0, 'fprintf', begin + MS * 97, 2e4, more);
    add(0, 'stream_flush', parent.start + 5e3, 1e4, {...more, parent});
  }
}

/* --- the tables, in the simplest way --------------------------------- */

const layerOf = (event) => CALLS[event.call].layer;
const classOf = (event) => CALLS[event.call].class;
const moves = (event) => CLASSES[classOf(event)].moves;
const isInner = (event) => Boolean(CLASSES[classOf(event)].inner);

/** What an event took itself; inner ones are a part of it. */
function owns(events) {
  const own = new Map(events.map((event) => [event, event.dur]));
  for (const event of events)
    if (event.parent && !isInner(event))
      own.set(event.parent, own.get(event.parent) - event.dur);
  return own;
}

/** What reaches the system: calls of posix, and what streams really write. */
export function lowest(events) {
  return new Set(
    events.filter((event) => layerOf(event) === 4 || isInner(event)),
  );
}

class Sums {
  constructor(keys, values) {
    this.keys = keys;
    this.values = values;
    this.rows = new Map();
  }

  add(key, value) {
    const name = key.join();
    const row = this.rows.get(name) ?? {
      key,
      value: value.map(() => 0),
    };
    value.forEach((one, i) => {
      row.value[i] += one;
    });
    this.rows.set(name, row);
  }

  columns(prefix, types) {
    const rows = [...this.rows.values()].sort((a, b) => a.key[0] - b.key[0]);
    return [...this.keys, ...this.values].map((name, i) => [
      `${prefix}.${name}`,
      types[i],
      rows.map((row) =>
        i < this.keys.length ? row.key[i] : row.value[i - this.keys.length],
      ),
    ]);
  }
}

/** Time and bytes are spread over the bins that a call covers. */
function spread(run, event, visit) {
  const first = Math.floor(event.start / run.width);
  const end = event.start + Math.max(1, event.dur);
  for (let bin = first; bin < run.bins && bin * run.width < end; bin++) {
    const from = Math.max(event.start, bin * run.width);
    const to = Math.min(end, (bin + 1) * run.width);
    visit(bin, (to - from) / (end - event.start), bin === first);
  }
}

function nodesOf(events) {
  const nodes = [];
  const known = new Map();
  const of = new Map();
  const place = (event) => {
    if (of.has(event)) return of.get(event);
    const parent = event.parent ? place(event.parent) : -1;
    const key = `${parent}:${event.call}`;
    if (!known.has(key)) {
      known.set(key, nodes.length);
      nodes.push({
        call: event.call,
        parent,
        depth: parent < 0 ? 0 : nodes[parent].depth + 1,
      });
    }
    of.set(event, known.get(key));
    return known.get(key);
  };
  events.forEach(place);
  return {nodes, of};
}

/** Four to each power of two, by counting up from its begin. */
function quarterOf(ns) {
  let power = 0;
  while (2 ** (power + 1) <= ns) power++;
  let part = 0;
  while (part < 3 && 2 ** power * (1 + (part + 1) / 4) <= ns) part++;
  return 4 * power + part;
}

function tablesOf(run) {
  const cells = new Sums(
    ['bin', 'who', 'layer', 'class'],
    ['calls', 'bytes', 'time', 'own'],
  );
  const paths = new Sums(['bin', 'node', 'who'], ['calls', 'time', 'own']);
  const sizes = new Sums(
    ['bin', 'layer', 'class', 'power'],
    ['calls', 'bytes'],
  );
  const share = new Sums(
    ['bin', 'file', 'who'],
    ['calls', 'read', 'written', 'time'],
  );
  const stepsum = new Sums(
    ['step', 'who', 'layer', 'class'],
    ['calls', 'bytes'],
  );
  const latency = new Sums(['bin', 'call', 'quarter'], ['calls', 'time']);
  const own = owns(run.events);
  const low = lowest(run.events);
  const {nodes, of} = nodesOf(run.events);
  for (const event of run.events) {
    const bytes = moves(event) ? event.size : 0;
    const kind = classOf(event);
    const layers = [
      ...(isInner(event) ? [] : [layerOf(event)]),
      ...(low.has(event) ? [0] : []),
    ];
    const step = run.steps.findIndex(
      (one) => event.start >= one.begin && event.start < one.end,
    );
    const bin = Math.floor(event.start / run.width / COARSE);
    for (const layer of layers) {
      spread(run, event, (at, part, first) =>
        cells.add(
          [at, event.who, layer, kind],
          [
            first ? 1 : 0,
            part * bytes,
            (part * event.dur) / 1e9,
            (part * own.get(event)) / 1e9,
          ],
        ),
      );
      stepsum.add([step, event.who, layer, kind], [1, bytes]);
      if (moves(event))
        sizes.add(
          [
            bin,
            layer,
            kind,
            event.size ? Math.floor(Math.log2(event.size)) : 255,
          ],
          [1, event.size],
        );
    }
    latency.add([bin, event.call, quarterOf(event.dur)], [1, event.dur / 1e9]);
    spread(run, event, (at, part, first) =>
      paths.add(
        [Math.floor(at / COARSE), of.get(event), event.who],
        [
          first ? 1 : 0,
          (part * event.dur) / 1e9,
          (part * own.get(event)) / 1e9,
        ],
      ),
    );
    if (event.file >= 0 && layerOf(event) === 4)
      share.add(
        [bin, event.file, event.who],
        [
          1,
          moves(event) === 'read' ? bytes : 0,
          moves(event) === 'write' ? bytes : 0,
          event.dur / 1e9,
        ],
      );
  }
  return {
    nodes,
    columns: [
      ...cells.columns('cells', [
        'u16',
        'u8',
        'u8',
        'u8',
        'u32',
        'f64',
        'f32',
        'f32',
      ]),
      ...paths.columns('paths', ['u16', 'u16', 'u8', 'u32', 'f32', 'f32']),
      ...sizes.columns('sizes', ['u16', 'u8', 'u8', 'u8', 'u32', 'f64']),
      ...share.columns('share', [
        'u16',
        'u16',
        'u8',
        'u32',
        'f64',
        'f64',
        'f32',
      ]),
      ...latency.columns('latency', ['u16', 'u16', 'u8', 'u32', 'f32']),
      ...stepsum.columns('stepsum', ['u16', 'u8', 'u8', 'u8', 'u32', 'f64']),
    ],
  };
}

/** The events kept: those asked for, each with all that caused it. */
function sampleOf(run, keep) {
  const chosen = new Set();
  for (const event of run.events.filter(keep))
    for (let at = event; at; at = at.parent) chosen.add(at);
  const list = run.events.filter((event) => chosen.has(event));
  const index = new Map(list.map((event, i) => [event, i]));
  const column = (name, type, get) => [`sample.${name}`, type, list.map(get)];
  const plain = (name, type) => column(name, type, (e) => e[name]);
  return {
    list,
    index,
    columns: [
      plain('start', 'f64'),
      plain('dur', 'f64'),
      plain('who', 'u8'),
      column('process', 'u32', (e) => e.who + 1),
      column('thread', 'u32', () => 1),
      plain('number', 'u32'),
      plain('call', 'u16'),
      plain('file', 'i32'),
      plain('off', 'f64'),
      plain('size', 'f64'),
      plain('ret', 'f64'),
      column('order', 'u32', () => 0),
      column('parent', 'i32', (e) => (e.parent ? index.get(e.parent) : -1)),
      plain('site', 'i32'),
    ],
  };
}

/** A report of a run. */
export function report(
  run,
  {
    keep = () => true,
    findings = [],
    evidence = [],
    limits = [],
    unseen = {},
    args = ['./simulate', 'input'],
    people: about = () => ({}),
    lives = () => ({}),
  } = {},
) {
  const {nodes, columns} = tablesOf(run);
  const sample = sampleOf(run, keep);
  const people = run.ranks + (run.server ? 2 : 0);
  const read = total(run, 'read');
  const written = total(run, 'write');
  const processes = Array.from({length: run.ranks}, (_, rank) => ({
    number: rank + 1,
    rank,
    host: `node${1 + (rank % 2)}`,
    args,
    time: run.events
      .filter((event) => event.who === rank && !event.parent)
      .reduce((sum, event) => sum + event.dur, 0),
    ...lives(rank),
  }));
  const head = {
    report: {
      hosts: ['node1', 'node2'],
      begin: 1.79e18,
      span: run.span,
      process_count: people,
      judged: 'all',
      total: {files: run.files.length, read, written},
      processes,
      killed: processes.filter(({signal}) => signal),
      findings,
      answers: [],
      unseen,
    },
    span: {begin: 0, end: run.span},
    utc: '2026-03-01T12:00:00Z',
    bins: {count: run.bins, width_ns: run.width, coarse: COARSE},
    who: Array.from({length: people}, (_, i) =>
      i < run.ranks
        ? {
            label: `rank ${i}`,
            rank: i,
            host: `node${1 + (i % 2)}`,
            ...about(i),
          }
        : {
            label: `server ${i - run.ranks}`,
            rank: null,
            host: 'io',
          },
    ),
    layers: run.server ? LAYERS : LAYERS.slice(0, 5),
    layer: 0,
    classes: CLASSES,
    calls: CALLS,
    files: run.files,
    mounts: [
      {path: '/scratch', fs: 'lustre'},
      {path: '/home', fs: 'nfs'},
    ],
    nodes,
    steps: run.steps,
    steps_are: 'marked by the program',
    sites: [
      [
        {file: 'checkpoint.c', line: 212, function: 'write_state'},
        {file: 'main.c', line: 30, function: 'main'},
      ],
      [{file: 'log.c', line: 17, function: 'note'}],
    ],
    findings_events: evidence.map((list) =>
      list.map((event) => sample.index.get(event)),
    ),
    limits,
    sample: {
      events: run.events.length,
      chosen: sample.list.length,
      complete: sample.list.length === run.events.length,
    },
  };
  return pack(head, [...columns, ...sample.columns]);
}

/** Bytes that reach the system. */
export function total(run, way, keep = () => true) {
  let sum = 0;
  for (const event of lowest(run.events))
    if (moves(event) === way && keep(event)) sum += event.size;
  return sum;
}

export const finding = (more) => ({
  id: 'small-writes',
  level: 'high',
  estimate: 'about',
  saving: 3e8,
  saving_of_all: 3e8,
  slowest: 1,
  count: 10,
  of: 20,
  bytes: 4096,
  time: 4e8,
  files: 1,
  processes: 1,
  title: 'many small writes',
  because: 'their time, less that of fewer',
  advice: 'Gather the data in a buffer of about 1 MiB and write that.',
  try: '-',
  top: [],
  evidence: ['1.1.3'],
  sites: [],
  ...more,
});
