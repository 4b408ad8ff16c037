// SPDX-License-Identifier: BSD-3-Clause
// A browser without a network, and pages opened in it from files.
import {execFileSync} from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fill} from './pack.mjs';

const modules = createRequire(
  new URL('../../web/package.json', import.meta.url),
);
const {chromium} = modules('playwright-core');

export const axeSource = () =>
  readFileSync(modules.resolve('axe-core/axe.min.js'), 'utf8');
export const template = () => readFileSync(process.env.PAGE, 'utf8');

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

export async function start() {
  const browser = await launch();
  const folder = mkdtempSync(join(tmpdir(), 'weir-page-'));
  let count = 0;

  /** Open a report. What went wrong and what was asked for is noted. */
  async function open(bytes, options = {}) {
    const file = join(folder, `${count++}.html`);
    writeFileSync(file, fill(template(), bytes));
    return visit('file://' + file, options);
  }

  async function visit(address, {prepare, ready = true, ...options} = {}) {
    const page = await browser.newPage({
      viewport: {width: 1280, height: 900},
      reducedMotion: 'reduce',
      ...options,
    });
    page.setDefaultTimeout(10000);
    page.faults = [];
    page.requests = [];
    page.on(
      'console',
      (message) =>
        message.type() === 'error' && page.faults.push(message.text()),
    );
    page.on('pageerror', (error) => page.faults.push(error.message));
    page.on('request', (request) => page.requests.push(request.url()));
    await prepare?.(page);
    await page.goto(address);
    if (!ready) return page;
    await page.waitForFunction(
      () => window.weirPage || document.querySelector('[role=alert]'),
    );
    if (page.faults.length) throw new Error(page.faults.join('\n'));
    await page.evaluate(() => weirPage.redraw());
    return page;
  }

  async function stop() {
    await browser.close();
    rmSync(folder, {recursive: true});
  }
  return {open, visit, stop};
}

/** The numbers that a plot draws. */
export const numbers = (page, id) =>
  page.evaluate((name) => weirPage.describe(name), id);

export async function set(page, patch) {
  await page.evaluate((what) => {
    weirPage.set(what);
    weirPage.redraw();
  }, patch);
}

export const state = (page) => page.evaluate(() => weirPage.state());

/**
 * The page of a trace that is told call by call, as make_stack wants it.
 * WEIR, MAKE_STACK and CHROMIUM are in the environment.
 */
export async function startWithStack(servers, lines) {
  const {WEIR, MAKE_STACK} = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'weir-stack-'));
  const trace = join(folder, 'trace');
  const html = join(folder, 'page.html');
  mkdirSync(trace);
  execFileSync(
    MAKE_STACK,
    ['2', servers, join(folder, 'raw'), join(trace, 'made.weir')],
    {input: lines},
  );
  execFileSync(WEIR, ['report', trace, '--html', html]);
  const browser = await start();
  const page = await browser.visit('file://' + html);
  const stop = async () => {
    await browser.stop();
    rmSync(folder, {recursive: true});
  };
  return {trace, page, stop};
}
