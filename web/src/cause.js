// SPDX-License-Identifier: BSD-3-Clause
// Where the time of a run is, in one bar and one sentence: the layer, the call
// and the file.
import {make} from './dom.js';
import {ns, percent, shorten} from './format.js';
import {barOf, partsOf} from './layerbar.js';
import {fileName, isFile, WAITS} from './model.js';
import {byFile} from './sums.js';

const ALL = {window: null, who: null, file: null, finding: null};
/** What is not I/O, by the names of report.times. */
const OTHERS = {
  waiting: WAITS.wait,
  starting: WAITS.process,
  library: WAITS.library,
};

const most = (rows, get) =>
  rows.reduce(
    (best, row) => (best && get(best) >= get(row) ? best : row),
    null,
  );

/** Own times of the calls of a layer that do I/O: [{call, own}]. */
function ownByCall(model, layer) {
  const {paths, nodes} = model;
  const own = new Map();
  for (let i = 0; i < paths.count; i++) {
    const {call} = nodes[paths.node[i]];
    const known = model.calls[call];
    if (known?.layer === layer && !model.waits[known.class])
      own.set(call, (own.get(call) ?? 0) + paths.own[i]);
  }
  return [...own].map(([call, time]) => ({call, own: time}));
}

/** The greatest layer, the call that it is busy with, the file. */
export function causeOf(model) {
  const {parts} = partsOf(model, ALL);
  const io = parts.filter((part) => part.layer !== null);
  const inAll = io.reduce((sum, part) => sum + part.time, 0);
  const [top] = io;
  if (!top || !inAll) return {parts, top: null};
  const call = most(ownByCall(model, top.layer), (row) => row.own);
  const files = byFile(model, ALL).filter(
    (row) =>
      isFile(model, row.file) && model.files[row.file].kind !== 'channel',
  );
  const file = most(files, (row) => row.time);
  return {
    parts,
    top,
    share: top.time / inAll,
    call: call && model.calls[call.call].name,
    callShare: call ? Math.min(1, call.own / top.time) : 0,
    file: file?.time > 0 ? file.file : -1,
  };
}

/** The time in I/O of the process for which it is longest, in ns. */
export function timeInIo(report) {
  return (
    report.times?.io?.time ??
    Math.max(0, ...(report.processes ?? []).map(({time}) => time ?? 0))
  );
}

function sentence(model, cause) {
  if (!cause.top) return ['No call of this run took any time in I/O.'];
  const {top, share, call, callShare, file} = cause;
  return [
    make(
      'strong',
      {},
      `${percent(share, 1)} of the time in I/O calls is in ${top.name}`,
    ),
    call && `, ${percent(callShare, 1)} of that in ${call}`,
    file >= 0 && [
      '; most of all on ',
      make(
        'code',
        {title: fileName(model, file)},
        shorten(fileName(model, file), 60),
      ),
    ],
    '.',
  ];
}

/** What else the slowest process did instead, where the report says so. */
function othersOf(report) {
  return Object.entries(OTHERS)
    .map(([key, text]) => [text, report.times?.[key]?.time ?? 0])
    .filter(([, time]) => time > 0)
    .map(([text, time]) => `${ns(time)} ${text}`);
}

export function createCause(model) {
  const cause = causeOf(model);
  const others = othersOf(model.report);
  const element = make(
    'div',
    {class: 'cause'},
    make('p', {}, sentence(model, cause)),
    cause.parts.length > 0 && barOf(cause, true),
    make(
      'p',
      {class: 'note'},
      'Time in calls, summed over processes; of each layer without the calls ' +
        'that it makes in layers below.',
      others.length > 0 &&
        ` Not I/O, of the process with most: ${others.join(', ')}.`,
    ),
  );
  return {
    element,
    describe: () => ({
      parts: cause.parts.map(({name, time}) => ({name, time})),
      layer: cause.top?.name ?? null,
      file: cause.file >= 0 ? fileName(model, cause.file) : null,
    }),
  };
}
