// SPDX-License-Identifier: BSD-3-Clause
// Takes the pictures of doc/pictures from the page of a report.
// usage: pictures.mjs REPORT.html FOLDER
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {launch} from './browser.mjs';

const [report, folder] = process.argv.slice(2);
const browser = await launch();

async function open(colorScheme, height) {
  const page = await browser.newPage({
    viewport: {width: 1280, height},
    reducedMotion: 'reduce',
    colorScheme,
  });
  await page.goto(pathToFileURL(report).href);
  await page.waitForFunction(() => window.weirPage);
  await page.evaluate(() => weirPage.redraw());
  return page;
}

/** From the top of one part to the bottom of another. */
async function take(page, name, first, last = first) {
  const boxes = await Promise.all(
    [first, last].map((id) => page.locator('#' + id).boundingBox()),
  );
  const [from, to] = boxes;
  const scrolled = await page.evaluate(() => scrollY);
  await page.screenshot({
    path: join(folder, name),
    fullPage: true,
    clip: {
      x: Math.min(from.x, to.x) - 8,
      y: scrolled + from.y - 8,
      width: Math.max(from.width, to.x + to.width - from.x) + 16,
      height: to.y + to.height - from.y + 16,
    },
  });
}

/** Zoomed in so far that some calls of the middle are told apart. */
async function zoomIn(page) {
  await page.evaluate(() => {
    const {reach} = weirPage.size();
    weirPage.set({view: [0.5 * reach, 0.502 * reach], rows: 'bars'});
    weirPage.redraw();
  });
  const at = await page.evaluate(() => {
    const {lanes} = weirPage.part('heat');
    const {bars} = lanes.get();
    const deep = Math.max(...bars.map((bar) => bar.lane));
    const [x, y] = lanes.placeOf(bars.find((bar) => bar.lane >= deep - 1));
    const box = lanes.canvas.element.getBoundingClientRect();
    return [box.left + x, box.top + y];
  });
  await page.mouse.move(...at);
}

const light = await open('light', 1330);
await light.screenshot({path: join(folder, 'page.png')});
await take(light, 'calls.png', 'icicle', 'latency');
await take(light, 'access.png', 'access');
const dark = await open('dark', 900);
await dark.locator('#heat').scrollIntoViewIfNeeded();
await zoomIn(dark);
await take(dark, 'window.png', 'heat', 'icicle');
await browser.close();
