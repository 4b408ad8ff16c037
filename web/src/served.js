// SPDX-License-Identifier: BSD-3-Clause
// Questions to the server of the trace, where there is one. A file asks
// nobody: its policy forbids it, and this is how the page knows.

export function isServed() {
  const policy = document.querySelector(
    'meta[http-equiv="Content-Security-Policy"]',
  );
  return /connect-src 'self'/.test(policy?.content ?? '');
}

async function ask(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== undefined) query.set(name, value);
  const answer = await fetch(`${path}?${query}`, {
    credentials: 'same-origin',
  });
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error ?? `status ${answer.status}`);
  return content;
}

/** An event as weir dump tells it, in the form of this page. */
function eventOf(model, row) {
  return {
    id: row.id ?? `${row.proc}.${row.thread}.${row.index}`,
    process: row.proc,
    thread: row.thread,
    start: row.start,
    dur: row.dur ?? 0,
    who: null,
    place: `${row.host ?? ''} ${row.pid ?? ''}`.trim(),
    call: row.call,
    layer: row.layer ?? '',
    file: row.file ?? '',
    off: row.off ?? -1,
    size: row.size ?? 0,
    ret: row.ret ?? null,
    error: row.err ? `error ${row.err}` : null,
    site: row.site ?? null,
    above: row.parent ?? null,
  };
}

/** Numbers of names: those of a file, of all others, or 0 for no file. */
function numbersOf(model, index) {
  if (index === null) return null;
  const file = model.files[index];
  if (file.kind === 'none') return '0';
  if (file.kind !== 'others') return file.numbers;
  const told = model.files.map((one) => one.numbers).filter(Boolean);
  return told.length ? `!${told.join(',')}` : null;
}

/**
 * The events of the filter, from the trace itself. The server does not look
 * longer than a second: when it found none so far, it is asked again.
 */
export async function askEvents(model, state, limit, after) {
  const asked = {
    from: state.window && Math.max(0, Math.floor(state.window[0])),
    to: state.window && Math.ceil(state.window[1]),
    who: state.who === null ? null : model.who[state.who].procs,
    file: numbersOf(model, state.file),
    call: model.calls[state.call]?.name,
    limit,
    after,
  };
  let answer = await ask('events', asked);
  while (!answer.events.length && answer.next)
    answer = await ask('events', {...asked, after: answer.next});
  return {
    events: answer.events.map((row) => eventOf(model, row)),
    next: answer.next,
  };
}

/** One event with what caused it and what it caused. */
export async function askEvent(model, id) {
  const answer = await ask('event', {id});
  return {
    event: eventOf(model, answer.event),
    above: answer.above.map((row) => eventOf(model, row)),
    below: answer.below.map((row) => eventOf(model, row)),
    more: answer.below_count - answer.below.length,
  };
}
