// SPDX-License-Identifier: BSD-3-Clause
// Light or dark: as the system has it, unless the reader says otherwise.
import {choice} from './dom.js';

const system = matchMedia('(prefers-color-scheme: dark)');
let wish = '';

function apply(theme = wish) {
  document.documentElement.dataset.theme =
    theme || (system.matches ? 'dark' : 'light');
}

export function createThemeSwitch() {
  apply();
  return choice(
    'Colours',
    [
      ['', 'as the system'],
      ['light', 'light'],
      ['dark', 'dark'],
    ],
    '',
    (value) => {
      wish = value;
      apply();
    },
  );
}

/** Paper is white: printing is always light, and shows everything. */
export function watchTheme(changed, refreshAll) {
  system.addEventListener('change', () => apply());
  new MutationObserver(changed).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  });
  addEventListener('beforeprint', () => {
    apply('light');
    changed();
    refreshAll();
  });
  addEventListener('afterprint', () => apply());
}
