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

/**
 * Paper is white and narrow: before it is printed, the page becomes so, and
 * all of it is drawn at once, for nothing is drawn in between.
 */
export function watchTheme(changed, drawAll) {
  const root = document.documentElement;
  system.addEventListener('change', () => apply());
  new MutationObserver(changed).observe(root, {
    attributeFilter: ['data-theme'],
  });
  addEventListener('beforeprint', () => {
    root.classList.add('paper');
    apply('light');
    drawAll();
  });
  addEventListener('afterprint', () => {
    root.classList.remove('paper');
    apply();
    drawAll();
  });
}
