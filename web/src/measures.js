// SPDX-License-Identifier: BSD-3-Clause
// What can be shown by colour or length, and how it is written.
import {bytes, count, seconds} from './format.js';

export const MEASURES = {
  read: {name: 'bytes read', format: bytes, base: 1024},
  write: {name: 'bytes written', format: bytes, base: 1024},
  bytes: {name: 'bytes read and written', format: bytes, base: 1024},
  calls: {name: 'calls', format: count, base: 10},
  time: {name: 'time in calls', format: seconds, base: 10},
};
