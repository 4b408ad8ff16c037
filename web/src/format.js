// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them: sizes, times, counts, and round ticks.
import {plain} from './dom.js';

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const TIMES = [
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, 'µs'],
  [1e-9, 'ns'],
];

/** Three digits that mean something, without trailing zeros. */
export function digits(value) {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

export const upper = (text) => text[0].toUpperCase() + text.slice(1);

export function bytes(value) {
  let unit = 0;
  while (Math.abs(value) >= 1023.5 && unit < SIZES.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${digits(value)} ${SIZES[unit]}`;
}

export function seconds(value) {
  if (value === 0) return '0 s';
  const size = Math.abs(value);
  if (size >= 600) return `${digits(value / 60)} min`;
  const [scale, unit] =
    TIMES.find(([scale]) => size >= scale) ?? TIMES[TIMES.length - 1];
  return `${digits(value / scale)} ${unit}`;
}

export const ns = (value) => seconds(value / 1e9);
export const rate = (value) => bytes(value) + '/s';
export const watts = (value) => `${digits(value)} W`;

export function count(value) {
  const rounded = Math.abs(value - Math.round(value)) < 1e-6;
  return rounded
    ? Math.round(value).toLocaleString('en-US')
    : '≈ ' + Math.round(value).toLocaleString('en-US');
}

/** 1 file, 2 files. */
export const several = (value, word, end = 's') =>
  `${count(value)} ${word}${value === 1 ? '' : end}`;

/** The same for counts inside a sentence that came as text. */
export const grouped = (text) =>
  String(text).replace(/(?<![\w./-])\d{4,}(?![\w/-]|\.\d)/g, (digits) =>
    Number(digits).toLocaleString('en-US'),
  );

/** Shorter, for axes: 1.2k, 3M. */
export function short(value) {
  const size = Math.abs(value);
  for (const [scale, unit] of [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ])
    if (size >= scale) return digits(value / scale) + unit;
  return digits(value);
}

export function percent(part, all) {
  if (!all) return '–';
  const share = (100 * part) / all;
  return (share > 0 && share < 0.1 ? '< 0.1' : +share.toFixed(1)) + ' %';
}

/** A moment of the run, as exact as a window needs it. */
export function moment(value, width) {
  const places = Math.max(
    0,
    Math.min(9, 3 - Math.floor(Math.log10(Math.max(width, 1) / 1e9))),
  );
  return (value / 1e9).toFixed(places) + ' s';
}

/** The end of a name tells more than its beginning. */
export function shorten(name, length) {
  const text = plain(name);
  if (text.length <= length) return text;
  const tail = text.slice(-(length - 1));
  const slash = tail.indexOf('/');
  return '…' + (slash > 0 && slash < length / 3 ? tail.slice(slash) : tail);
}

/** Round numbers from low to high, at most about `most` of them. */
export function ticks(low, high, most, base = 10) {
  const span = high - low;
  if (!(span > 0) || most < 1) return [low];
  const rough = span / most;
  const power = base ** Math.floor(Math.log(rough) / Math.log(base));
  const steps =
    base === 10 ? [1, 2, 5, 10] : [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
  const step = power * (steps.find((s) => s * power >= rough) ?? base);
  const result = [];
  for (
    let n = Math.ceil(low / step - 1e-9);
    n * step <= high + step * 1e-9;
    n++
  )
    result.push(n * step);
  return result;
}

/** All ticks of an axis of time in one unit, which is named once. */
export function timeTicks(from, to, most) {
  const reach = Math.max(Math.abs(from), Math.abs(to)) / 1e9;
  const [scale, unit] =
    TIMES.find(([scale]) => reach >= scale) ?? TIMES[TIMES.length - 1];
  return {
    unit,
    ticks: ticks(from / 1e9 / scale, to / 1e9 / scale, most).map((value) => ({
      at: value * scale * 1e9,
      text: String(Number(value.toPrecision(9))),
    })),
  };
}
