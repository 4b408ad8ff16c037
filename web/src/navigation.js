// SPDX-License-Identifier: BSD-3-Clause
// The list of sections, with a mark at the one that is read.
import {make} from './dom.js';

const READ_AT = 110; // pixels from the top: below what stays in sight

export function createNavigation(parts) {
  const links = parts.map((part) =>
    make('a', {href: '#' + part.id}, part.title),
  );
  let due = false;

  /** The last section that begins above that height; the end has the last. */
  function current() {
    const root = document.documentElement;
    if (scrollY > 0 && scrollY + innerHeight >= root.scrollHeight - 2)
      return parts.length - 1;
    const below = parts.findIndex(
      (part) => part.element.getBoundingClientRect().top > READ_AT,
    );
    return below < 0 ? parts.length - 1 : Math.max(0, below - 1);
  }

  function mark() {
    due = false;
    const at = current();
    links.forEach((link, i) =>
      i === at
        ? link.setAttribute('aria-current', 'location')
        : link.removeAttribute('aria-current'),
    );
  }

  const later = () => {
    if (!due) requestAnimationFrame(mark);
    due = true;
  };
  addEventListener('scroll', later, {passive: true});
  addEventListener('resize', later);
  later();
  return make(
    'nav',
    {'aria-label': 'Sections'},
    make(
      'ul',
      {},
      links.map((link) => make('li', {}, link)),
    ),
  );
}
