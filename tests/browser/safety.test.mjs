// SPDX-License-Identifier: BSD-3-Clause
// Names may be hostile, data may be broken, readers may not see or use a
// mouse: the page stands it all.
import assert from 'node:assert/strict';
import {statSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {axeSource, set, start} from './browser.mjs';
import {finding, makeRun, report} from './made.mjs';

const ATTACKS = [
  '<script>window.pwned=1</script>',
  '<img src=x onerror=pwned=1>',
  '"><svg onload=pwned=1>',
  '</script><script>pwned=1</script>',
  '</title><script>pwned=1</script>',
  'javascript:pwned=1',
  '<iframe srcdoc="<script>parent.pwned=1</script>">',
  '${pwned=1}',
  '{{constructor.constructor("pwned=1")()}}',
  '<!--<script>',
  ']]><script>pwned=1</script>',
  '\u202egnp.exe',
  '&lt;script&gt;',
  '<a href=javascript:pwned=1>x</a>',
  '\u0000\u0007\n',
  '\u2028pwned=1',
  '__proto__',
  'constructor',
  '@WEIR_DATA@',
  '<style>*{display:none}</style>',
];
const hostile = Array.from(
  {length: 500},
  (_, i) => `/data/${i}/${ATTACKS[i % ATTACKS.length]}${i}`,
);
let browser;

before(async () => {
  browser = await start();
});
after(() => browser.stop());

/** Open all that can be opened. */
async function unfold(page) {
  await page.evaluate(() => {
    weirPage.redraw();
    document.querySelectorAll('details').forEach((one) => {
      one.open = true;
    });
    [...document.querySelectorAll('button.more')].forEach((one) => one.click());
    weirPage.redraw();
  });
}

test('500 hostile names run nothing', async () => {
  const run = makeRun({ranks: 4, steps: 4, names: hostile});
  run.steps.forEach((step, i) => {
    step.label = hostile[i];
  });
  const found = ATTACKS.map((text) =>
    finding({
      title: text,
      advice: text,
      because: text,
      try: text,
      sites: [text],
      id: text,
      top: [
        {
          name: hostile[0],
          count: 1,
          bytes: 1,
          time: 1,
          saving: 1,
        },
      ],
    }),
  );
  const page = await browser.open(
    report(run, {
      findings: found,
      evidence: found.map(() => run.events.slice(0, 3)),
      limits: ATTACKS,
      args: ATTACKS,
    }),
  );
  const elements = () =>
    page.evaluate(() =>
      ['script', 'img', 'iframe', 'svg', 'a[href^=java]', 'style'].map(
        (name) => document.querySelectorAll(name).length,
      ),
    );
  await unfold(page);
  for (const file of [7, 300]) {
    await set(page, {file, event: file});
    await unfold(page);
  }
  await page.mouse.move(640, 500);
  assert.equal(await page.evaluate(() => typeof window.pwned), 'undefined');
  assert.deepEqual(await elements(), [2, 0, 0, 0, 0, 1]);
  assert.ok(
    await page.evaluate(
      (name) => document.body.textContent.includes(name),
      hostile[20],
    ),
    'the names are shown as they are',
  );
  assert.ok(
    !(await page.evaluate(() => document.body.innerText.includes('\u202e'))),
    'what turns text round is not',
  );
  assert.deepEqual(page.faults, []);
  assert.equal(
    page.requests.filter((url) => !url.startsWith('data:')).length,
    1,
  );
  await page.close();
});

for (const colorScheme of ['light', 'dark'])
  test(`axe finds nothing serious, ${colorScheme}`, async () => {
    const run = makeRun({ranks: 2, steps: 2, each: 1});
    const page = await browser.open(
      report(run, {
        findings: ['high', 'medium', 'low'].map((level) => finding({level})),
        evidence: [run.events.slice(0, 2), [], []],
        unseen: {dropped: 1},
      }),
      {colorScheme},
    );
    await set(page, {window: [0, run.span / 2], file: 0, event: 4});
    await unfold(page);
    await page.evaluate(axeSource());
    const {violations} = await page.evaluate(
      (rules) => axe.run(rules ? {runOnly: rules} : {}),
      colorScheme === 'dark' && ['color-contrast'],
    );
    assert.deepEqual(
      violations
        .filter((one) => ['serious', 'critical'].includes(one.impact))
        .map(
          (one) =>
            `${one.id}: ${one.nodes
              .map((node) => node.html)
              .join(' ')
              .slice(0, 400)}`,
        ),
      [],
    );
    await page.close();
  });

test('broken data is told, not shown', async () => {
  const bytes = report(makeRun({ranks: 2, steps: 2}));
  for (const [change, what] of [
    [
      (b) => {
        b[0] = 65;
      },
      /not the data of a report/,
    ],
    [
      (b) => {
        b[8] = 9;
      },
      /version/,
    ],
    [
      (b) => {
        b[20] = 0;
      },
      /cannot be shown/,
    ],
  ]) {
    const broken = bytes.slice();
    change(broken);
    const page = await browser.open(broken, {ready: false});
    const alert = page.getByRole('alert');
    await alert.waitFor();
    assert.match(await alert.textContent(), what);
    await page.close();
  }
});

test('a run without anything in it has a page', async () => {
  const run = makeRun({ranks: 1, steps: 1});
  const page = await browser.open(report({...run, events: [], steps: []}));
  await unfold(page);
  await set(page, {window: [0, run.span / 2]});
  assert.match(
    await page.locator('#findings').textContent(),
    /nothing is worth changing/,
  );
  assert.match(await page.locator('#steps').textContent(), /equal parts/);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test('it fits a narrow window, and paper', async () => {
  const page = await browser.open(report(makeRun({ranks: 4, steps: 4})), {
    viewport: {width: 800, height: 900},
    colorScheme: 'dark',
  });
  await unfold(page);
  assert.ok(
    await page.evaluate(
      () => document.documentElement.scrollWidth <= innerWidth,
    ),
    'no scrolling sideways',
  );
  const look = () =>
    page.evaluate(() => ({
      theme: document.documentElement.dataset.theme,
      widest: Math.max(
        ...[...document.querySelectorAll('canvas')].map(
          (canvas) => canvas.getBoundingClientRect().right,
        ),
      ),
    }));
  const before = await look();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const paper = await look();
  assert.equal(paper.theme, 'light');
  assert.ok(paper.widest <= 750, `${paper.widest} wide on paper`);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.deepEqual(await look(), before);
  const pdf = await page.pdf({format: 'A4'});
  assert.ok(pdf.length > 20000, `${pdf.length} bytes on paper`);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test('the page without data is below 300 KB', () => {
  const {size} = statSync(process.env.PAGE);
  assert.ok(size < 300 * 1000, `${size} bytes`);
});
