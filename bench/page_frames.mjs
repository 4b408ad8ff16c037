// SPDX-License-Identifier: BSD-3-Clause
// How smoothly a report is panned, zoomed and filtered in a browser.
//
// usage: node bench/page_frames.mjs REPORT.html
//
// Prints the time until the first plot stands, and of each action the frames:
// the work of one (from its begin until everything is painted), and the time
// from one to the next, which the browser holds at 1/60 s when it can. Doing
// nothing tells what the machine has to spare.
import {statSync} from 'node:fs';
import {resolve} from 'node:path';
import {launch} from '../tests/browser/browser.mjs';

const FRAMES = 180;

/** Runs in the page: do something before each of so many frames. */
async function drive({kind, frames}) {
  const {reach, who} = weirPage.size();
  const acts = {
    nothing: () => {},
    pan: (t) => weirPage.view(t * 0.8 * reach, (t * 0.8 + 0.2) * reach),
    zoom: (t) => {
      const part = 0.05 + 0.95 * Math.abs(Math.cos(Math.PI * t));
      weirPage.view((0.5 - part / 2) * reach, (0.5 + part / 2) * reach);
    },
    brush: (t) =>
      weirPage.set({window: [0.1 * reach, (0.15 + 0.8 * t) * reach]}),
    process: (t) => weirPage.set({who: Math.floor(t * (who - 1))}),
  };
  const steps = [];
  const work = [];
  let last = 0;
  for (let i = 0; i < frames; i++) {
    const begin = await new Promise(requestAnimationFrame);
    if (last) steps.push(begin - last);
    last = begin;
    const from = performance.now();
    acts[kind](i / frames);
    weirPage.paint();
    work.push(performance.now() - from);
  }
  weirPage.set({window: null, who: null});
  weirPage.view(0, reach);
  return {steps, work};
}

function spread(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (part) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  return ['median', 0.5, '95 %', 0.95, 'longest', 1]
    .map((word) => (typeof word === 'string' ? word : at(word).toFixed(1)))
    .join(' ');
}

async function measure(file) {
  const browser = await launch();
  const page = await browser.newPage({viewport: {width: 1600, height: 1000}});
  page.on('pageerror', (error) => {
    throw error;
  });
  const begin = performance.now();
  await page.goto('file://' + resolve(file));
  await page.waitForFunction(() => window.weirPage);
  const ready = performance.now() - begin;
  const {events, kept, cells} = await page.evaluate(() => weirPage.size());
  console.log(
    `${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB, ` +
      `${events} events, ${kept} of them kept, ${cells} cells`,
  );
  console.log(`opened and drawn after ${ready.toFixed(0)} ms`);
  await page.evaluate(() => document.getElementById('heat').scrollIntoView());
  await page.waitForTimeout(500);
  for (const kind of ['nothing', 'pan', 'zoom', 'brush', 'process']) {
    const {steps, work} = await page.evaluate(drive, {kind, frames: FRAMES});
    console.log(
      `${kind.padEnd(8)} ms of work in a frame: ${spread(work)}; ` +
        `from frame to frame: ${spread(steps)}`,
    );
  }
  await browser.close();
}

if (process.argv.length !== 3) {
  console.error('usage: node bench/page_frames.mjs REPORT.html');
  process.exit(2);
}
await measure(process.argv[2]);
