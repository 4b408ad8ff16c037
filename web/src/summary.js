// SPDX-License-Identifier: BSD-3-Clause
// The run in a few figures, and all that is missing.
import {createCause, timeInIo} from './cause.js';
import {make} from './dom.js';
import {bytes, count, ns, percent, several} from './format.js';

/** What each kind of loss means, for the reader. */
const UNSEEN = {
  dropped: [
    'call',
    'made when memory for records was full: counted, not recorded',
    true,
  ],
  lost: ['event', 'lost on the way to the trace', true],
  polls: ['poll', 'of operations under way: counted only'],
  system: ['call', 'on sockets, devices and files of the system: counted only'],
  excluded: ['call', 'left out by --include and --exclude'],
  paused: ['call', 'made while recording was paused'],
  never_returned: ['call', 'that never returned'],
  unrecorded_processes: ['process', 'that could not be recorded', true],
  unrecorded_calls: ['call', 'of processes that could not be recorded', true],
  damaged_events: ['event', 'that cannot be read', true],
  damaged_blocks: ['block', 'of the trace that cannot be read', true],
  damaged_bytes: ['byte', 'of the trace that cannot be read', true],
  unended: ['process', 'whose end was not recorded'],
  refused: ['file', 'of the trace refused', true],
};

function programOf(report) {
  const found =
    report.processes?.find((process) => process.rank !== undefined) ??
    report.processes?.[0];
  if (!found) return 'a run';
  if (!found.args?.length) return found.program ?? 'a run';
  const [program, ...rest] = found.args;
  return [program.replace(/^.*\/(?=.)/, ''), ...rest].join(' ');
}

function whenOf(head) {
  const begin = head.utc ?? head.report.begin;
  const date =
    typeof begin === 'number' ? new Date(begin / 1e6) : new Date(begin);
  return Number.isNaN(date.getTime())
    ? ''
    : date.toISOString().replace('T', ' ').slice(0, 19) + ' UTC';
}

function lossesOf(report) {
  return Object.entries(report.unseen ?? {})
    .filter(([name, value]) => value > 0 && UNSEEN[name])
    .map(([name, value]) => ({
      name,
      value,
      noun: UNSEEN[name][0],
      text: UNSEEN[name][1],
      grave: Boolean(UNSEEN[name][2]),
    }));
}

const nounOf = ({value, noun}) =>
  several(value, noun, noun === 'process' ? 'es' : 's');

function figure(name, value, more) {
  return make(
    'div',
    {class: 'figure'},
    make('dt', {}, name),
    make('dd', {}, value, more && make('small', {}, more)),
  );
}

/** Who did not end by itself, and by which signal, if that is known. */
function endingsOf(report) {
  return (report.killed ?? []).map(({program, pid, rank, signal, core}) => ({
    who:
      (rank === undefined ? 'Process ' : `Rank ${rank}, `) +
      `${(program ?? '').replace(/^.*\/(?=.)/, '')} (pid ${pid})`,
    how:
      signal === 'unknown'
        ? 'was killed or crashed (signal not known)'
        : `was killed by ${signal}${core ? ' (core dumped)' : ''}`,
  }));
}

function endingNote(report) {
  const endings = endingsOf(report);
  if (!endings.length) return null;
  const [{who, how}] = endings;
  return make(
    'div',
    {class: 'warn', id: 'ending', role: 'note'},
    make('strong', {}, `${who} ${how}.`),
    endings.length > 1 &&
      ` So ${endings.length === 2 ? 'was' : 'were'} ` +
        `${several(endings.length - 1, 'other process', 'es')}.`,
    ' What it did until then is in this report.',
  );
}

export function createSummary({model}) {
  const {report, head} = model;
  const total = report.total ?? {};
  const processes =
    report.process_count ?? report.processes?.length ?? model.who.length;
  const ranks =
    report.processes?.filter((process) => process.rank !== undefined).length ??
    0;
  const hosts = report.hosts ?? [];
  const slowest = timeInIo(report);
  const cause = createCause(model);
  const grave = lossesOf(report).filter((loss) => loss.grave);
  const element = make(
    'section',
    {
      id: 'summary',
      class: 'wide',
      'aria-labelledby': 'summary-title',
    },
    make('h1', {id: 'summary-title'}, programOf(report)),
    make(
      'p',
      {class: 'lead'},
      [
        whenOf(head),
        hosts.length > 3 ? `${count(hosts.length)} hosts` : hosts.join(', '),
      ]
        .filter(Boolean)
        .join(' · '),
    ),
    endingNote(report),
    make(
      'dl',
      {class: 'figures'},
      figure('Length', ns(model.span), 'first call to last'),
      figure(
        ranks ? 'Ranks' : 'Processes',
        count(ranks || processes),
        (ranks && ranks < processes
          ? `of ${several(processes, 'process', 'es')}, `
          : '') + `on ${several(Math.max(1, hosts.length), 'host')}`,
      ),
      figure(
        'In I/O',
        ns(slowest),
        `slowest process, ${percent(slowest, model.span)} of the run`,
      ),
      figure('Read', bytes(total.read ?? 0)),
      figure('Written', bytes(total.written ?? 0)),
      figure(
        'Files',
        count(total.files ?? model.files.length),
        [
          total.objects > 0 && several(total.objects, 'dataset'),
          total.channels > 0 && several(total.channels, 'pipe'),
        ]
          .filter(Boolean)
          .join(', '),
      ),
      figure('Calls', count(total.call_count ?? model.total)),
    ),
    cause.element,
    grave.length > 0 &&
      make(
        'div',
        {class: 'warn', role: 'note'},
        make('strong', {}, 'This trace is not complete. '),
        grave.map((loss) => `${nounOf(loss)} ${loss.text}. `),
      ),
  );
  return {
    id: 'summary',
    title: 'Summary',
    element,
    uses: [],
    update: () => {},
    describe: () => ({
      program: programOf(report),
      span: model.span,
      losses: lossesOf(report),
      cause: cause.describe(),
    }),
  };
}

/** Losses, filters and limits, at the end of the page. */
export function createLimits({model}) {
  const losses = lossesOf(model.report);
  const {limits = []} = model.head;
  const sample = model.head.timeless
    ? 'There are no single calls in this trace, only sums.'
    : model.complete
      ? 'Every event of the trace is in this report: ' +
        `${count(model.sample.count)}.`
      : `This report keeps ${count(model.sample.count)} of ` +
        `${several(model.total, 'event')}; sums are over all.`;
  const element = make(
    'section',
    {
      id: 'limits',
      class: 'card wide',
      'aria-labelledby': 'limits-title',
    },
    make(
      'header',
      {},
      make('h2', {id: 'limits-title'}, 'What is missing, joined or left out'),
    ),
    losses.length
      ? make(
          'ul',
          {},
          losses.map((loss) =>
            make(
              'li',
              {
                class: loss.grave && 'grave',
              },
              make('strong', {}, nounOf(loss)),
              ` ${loss.text}`,
            ),
          ),
        )
      : make('p', {}, 'Every call was recorded.'),
    make(
      'ul',
      {},
      make('li', {}, sample),
      make(
        'li',
        {},
        `Time is divided into ${several(model.bins, 'step')} of ` +
          `${ns(model.width)}; maps of calls, sizes and files into steps of ` +
          `${ns(model.width * model.coarse)}. Where a window cuts such a ` +
          'step, its part counts (≈).',
      ),
      limits.map((text) => make('li', {}, text)),
    ),
  );
  return {
    id: 'limits',
    title: 'Limits',
    element,
    uses: [],
    update: () => {},
    describe: () => ({losses, limits}),
  };
}
