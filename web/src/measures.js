// SPDX-License-Identifier: BSD-3-Clause
// What can be shown by colour or length, and how it is written.
import {bytes, count, seconds} from './format.js';

/** short: in a sentence, behind the number. */
export const MEASURES = {
  layers: {
    name: 'time in calls, by layer',
    short: 'in calls',
    format: seconds,
    base: 10,
  },
  read: {name: 'bytes read', short: 'read', format: bytes, base: 1024},
  write: {name: 'bytes written', short: 'written', format: bytes, base: 1024},
  bytes: {
    name: 'bytes read and written',
    short: 'read and written',
    format: bytes,
    base: 1024,
  },
  calls: {name: 'calls', short: 'calls', format: count, base: 10},
  time: {
    name: 'time in calls of a layer',
    short: 'in calls',
    format: seconds,
    base: 10,
  },
};
