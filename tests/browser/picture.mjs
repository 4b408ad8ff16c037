// SPDX-License-Identifier: BSD-3-Clause
// Takes a picture of the top of a report's page, as in doc/pictures.
// usage: picture.mjs REPORT.html PICTURE.png [HEIGHT]
import {pathToFileURL} from 'node:url';
import {launch} from './browser.mjs';

const [report, picture, height = '1240'] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage({
  viewport: {width: 1200, height: Number(height)},
  reducedMotion: 'reduce',
  colorScheme: 'light',
});
await page.goto(pathToFileURL(report).href);
await page.waitForTimeout(1000);
await page.screenshot({path: picture});
await browser.close();
