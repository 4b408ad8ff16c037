// SPDX-License-Identifier: BSD-3-Clause
// The frame around each plot: heading, controls, notes, numbers as a table.
import {make, plain, replace} from './dom.js';

const MOST_ROWS = 400;

/**
 * Returns {element, body, setNote, setLead, numbers}. `numbers` is called
 * when the reader opens the table: () => table element.
 */
export function createCard({id, title, lead, controls = [], wide, numbers}) {
  const heading = make('h2', {id: id + '-title'}, title);
  const leadText = make('p', {class: 'lead'}, lead ?? '');
  const note = make('p', {class: 'note', hidden: true});
  const body = make('div', {class: 'plot'});
  const slot = make('div', {
    class: 'scroll',
    tabindex: 0,
    role: 'region',
    'aria-label': `Numbers of: ${title}`,
  });
  const details =
    numbers &&
    make(
      'details',
      {class: 'numbers'},
      make('summary', {}, 'Numbers as a table'),
      slot,
    );
  const fill = () => details?.open && replace(slot, numbers());
  details?.addEventListener('toggle', fill);
  const element = make(
    'section',
    {
      id,
      class: wide ? 'card wide' : 'card',
      'aria-labelledby': id + '-title',
    },
    make(
      'header',
      {},
      make('div', {}, heading, leadText),
      controls.length > 0 && make('div', {class: 'controls'}, controls),
    ),
    body,
    note,
    details,
  );
  return {
    element,
    body,
    heading,
    refill: fill,
    setLead: (text) => {
      leadText.textContent = plain(text);
    },
    setNote: (text) => {
      note.hidden = !text;
      note.textContent = plain(text ?? '');
    },
  };
}

/** The first rows, and how many are left out. */
export function cut(rows) {
  return rows.length <= MOST_ROWS ? rows : rows.slice(0, MOST_ROWS);
}

export function cutCaption(caption, rows) {
  return rows.length <= MOST_ROWS
    ? caption
    : `${caption} (the first ${MOST_ROWS} of ${rows.length})`;
}

/** What stands where there is nothing to draw. */
export function empty(text) {
  return make('p', {class: 'empty'}, text);
}

/** Says from how many events a plot was summed, when not from all. */
export function keptNote(model, kept) {
  if (!kept) return '';
  return model.complete
    ? 'Summed from the events in this report, which ' + 'are all of the trace.'
    : `Summed from the ${model.sample.count.toLocaleString('en-US')} ` +
        'events kept in this report, of ' +
        `${model.total.toLocaleString('en-US')}: less than there was.`;
}
