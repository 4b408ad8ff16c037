// SPDX-License-Identifier: BSD-3-Clause
// What weir has to say: findings with what they would save, how that is
// known, what to do, and the events that show it.
import {say} from './canvas.js';
import {button, make} from './dom.js';
import {bytes, count, grouped, ns, percent, several} from './format.js';

const SAVES = {
  about: 'saves about',
  'at-most': 'saves up to',
  unknown: 'saving not known',
  data: 'data may be wrong',
};

function savingOf(finding, span) {
  if (finding.estimate === 'unknown' || finding.estimate === 'data')
    return SAVES[finding.estimate];
  return (
    `${SAVES[finding.estimate]} ${ns(finding.saving)} ` +
    `(${percent(finding.saving, span)} of the run)`
  );
}

function filterFile(model, store, name) {
  const file = model.files.findIndex((row) => row.name === name);
  return file < 0
    ? name
    : button(name, () => store.set({file}), {
        class: 'link',
        title: 'Filter by this file',
      });
}

function topOf(model, store, finding) {
  if (!finding.top?.length) return null;
  return make(
    'table',
    {'aria-label': 'Where it counts most'},
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        ['where', 'calls', 'bytes', 'time', 'saving'].map((text, i) =>
          make(
            'th',
            {
              scope: 'col',
              class: i && 'number',
            },
            text,
          ),
        ),
      ),
    ),
    make(
      'tbody',
      {},
      finding.top.map((row) =>
        make(
          'tr',
          {},
          make('td', {class: 'name'}, filterFile(model, store, row.name)),
          make('td', {class: 'number'}, count(row.count)),
          make('td', {class: 'number'}, bytes(row.bytes)),
          make('td', {class: 'number'}, ns(row.time)),
          make('td', {class: 'number'}, ns(row.saving)),
        ),
      ),
    ),
  );
}

/** The file, and how many more there are. */
function whereOf(model, store, finding) {
  const [first] = finding.top ?? [];
  if (!first?.name) return null;
  const more = Math.max(finding.files ?? 0, finding.top.length) - 1;
  return make(
    'p',
    {class: 'where'},
    filterFile(model, store, first.name),
    more > 0 && ` and ${several(more, 'more file')}`,
  );
}

/** A command to run, or settings to try, ready to be copied. */
function tryOf({try: text}) {
  if (!text || text === '-') return null;
  const code = make('code', {}, text);
  const copy = button(
    'Copy',
    async () => {
      getSelection().selectAllChildren(code);
      await navigator.clipboard?.writeText(text).catch(() => {});
      say(['copied']);
    },
    {'aria-label': `Copy: ${text}`},
  );
  return make('p', {class: 'try'}, make('span', {}, 'Try'), code, copy);
}

function cardOf({model, store, goTo}, finding, index, span) {
  const kept = model.evidence[index]?.size ?? 0;
  const sites = (finding.sites ?? []).filter(Boolean);
  const show = () => {
    const on = store.get().finding === index;
    store.set({finding: on ? null : index, event: -1});
    if (!on) goTo('events');
  };
  return make(
    'li',
    {class: `finding ${finding.level}`, id: `finding-${index}`},
    make(
      'header',
      {},
      make('span', {class: 'level'}, finding.level),
      make('h3', {}, grouped(finding.title)),
      make('span', {class: 'saving'}, savingOf(finding, span)),
    ),
    whereOf(model, store, finding),
    make('p', {class: 'advice'}, finding.advice),
    finding.remark && make('p', {class: 'remark'}, grouped(finding.remark)),
    tryOf(finding),
    make(
      'details',
      {},
      make('summary', {}, 'Why, and where'),
      finding.because &&
        make('p', {}, 'Estimate: ' + grouped(finding.because) + '.'),
      topOf(model, store, finding),
      sites.length > 0 &&
        make(
          'p',
          {},
          'Made at ',
          sites.map((site) => make('code', {}, site)),
        ),
      finding.evidence?.length > 0 &&
        make(
          'p',
          {},
          'In the terminal: ',
          make('code', {}, `weir dump --of ${finding.evidence[0]} ` + 'TRACE'),
        ),
      make('p', {class: 'id'}, `rule ${finding.id}`),
    ),
    kept > 0 &&
      button(`Show the evidence (${several(kept, 'event')})`, show, {
        class: 'evidence',
        'aria-pressed': 'false',
        'data-finding': index,
      }),
  );
}

export function createFindings(context) {
  const {model, store} = context;
  const {findings = [], answers = [], judged} = model.report;
  const list = findings.length
    ? make(
        'ol',
        {class: 'findings'},
        findings.map((finding, i) => cardOf(context, finding, i, model.span)),
      )
    : make('p', {class: 'empty'}, 'No findings: nothing is worth changing.');
  const section = make(
    'section',
    {
      id: 'findings',
      class: 'wide',
      'aria-labelledby': 'findings-title',
    },
    make(
      'h2',
      {id: 'findings-title'},
      findings.length
        ? `${several(findings.length, 'finding')}` +
            (findings.length > 1 ? ', largest saving first' : '')
        : 'Findings',
    ),
    judged === 'part' &&
      make(
        'p',
        {class: 'warn'},
        'Only a part of the ' +
          'calls could be judged; see what is missing, below.',
      ),
    list,
    answers.length > 0 &&
      make(
        'details',
        {class: 'card'},
        make('summary', {}, 'What if? Questions that are always answered'),
        make(
          'ul',
          {},
          answers.map((answer) =>
            make(
              'li',
              {},
              make('strong', {}, answer.title),
              ' ',
              savingOf(answer, model.span),
              '. ',
              answer.because,
              answer.remark && `. ${answer.remark}`,
            ),
          ),
        ),
      ),
  );
  return {
    id: 'findings',
    title: 'Findings',
    element: section,
    uses: ['finding'],
    update(state) {
      for (const one of section.querySelectorAll('[data-finding]'))
        one.setAttribute(
          'aria-pressed',
          String(state.finding === Number(one.dataset.finding)),
        );
      section
        .querySelectorAll('.finding')
        .forEach((one, i) =>
          one.classList.toggle('chosen', state.finding === i),
        );
    },
    describe: () =>
      findings.map((finding, i) => ({
        id: finding.id,
        level: finding.level,
        saving: finding.saving,
        evidence: model.evidence[i]?.size ?? 0,
      })),
  };
}
