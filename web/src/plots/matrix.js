// SPDX-License-Identifier: BSD-3-Clause
// Rows by columns as colours: one pixel a cell in a tile, which is drawn
// scaled. Panning and zooming only draw the tile again.
import {
  createCanvas,
  mount,
  paintKeys,
  pointOf,
  showTip,
  say,
  fitEnd,
  fitPair,
} from '../canvas.js';
import {bytesOf, css, scaleOf} from '../colours.js';
import {gutters} from '../timeaxis.js';

const TOP = 44; // the sums above
const AXIS = 34;
const LEGEND = 30;
const GAP = 6;
const UNIT = 26; // left of the first column, whose name may be long

function sidesOf(width, right, wide) {
  const side = gutters(width);
  const left = wide ? Math.min(280, width / 3) : side.left;
  return {left, right: right ? side.right : 12};
}

/** The greatest value, and the least above nothing. */
function rangeOf(values) {
  let greatest = 0;
  let least = Infinity;
  for (const value of values) {
    if (value > greatest) greatest = value;
    if (value > 0 && value < least) least = value;
  }
  return {greatest, least: Math.max(least, greatest / 1e4)};
}

/** Values that differ by orders of magnitude are shown by their logarithm. */
export function wantsLog(values) {
  const some = [];
  const step = Math.max(1, Math.floor(values.length / 4096));
  for (let i = 0; i < values.length; i += step)
    if (values[i] > 0) some.push(values[i]);
  some.sort((a, b) => a - b);
  return (
    some.length > 8 &&
    some[some.length - 1] > 100 * some[Math.floor(some.length / 10)]
  );
}

/** Neighbouring columns joined, two by two. */
function folded(values, columns, rows) {
  const half = Math.ceil(columns / 2);
  const joined = new Float64Array(rows * half);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      joined[row * half + (column >> 1)] += values[row * columns + column];
  return joined;
}

const fold = ({values, columns, parts}, rows) => ({
  values: folded(values, columns, rows),
  parts: parts?.map((part) => folded(part, columns, rows)),
  columns: Math.ceil(columns / 2),
});

/**
 * The same cells, coarser and coarser, so that no cell is narrower than a
 * pixel. Levels and their tiles are made when they are first wanted.
 */
function createLevels(data) {
  const levels = [];
  const levelOf = (n) => {
    if (!levels[n]) {
      const level = n
        ? fold(levelOf(n - 1), data.rows)
        : {
            values: data.values,
            parts: data.parts?.map((part) => part.values),
            columns: data.columns,
          };
      Object.assign(level, rangeOf(level.values), {
        joins: 1 << n,
      });
      level.scale = scaleOf(level.greatest, level.least, data.logarithmic);
      levels[n] = level;
    }
    return levels[n];
  };
  return (pixels) => {
    const [from, to] = data.view;
    let n = 0;
    while (data.joins && (to - from) / (1 << n) > pixels) n++;
    return levelOf(n);
  };
}

/** The colour of the greatest part, the stronger the more of a cell it is. */
function pixelOf(level, data, i) {
  let best = 0;
  level.parts.forEach((part, k) => {
    if (part[i] > level.parts[best][i]) best = k;
  });
  const [r, g, b] = bytesOf(data.parts[best].colour);
  const full = level.values[i] / (data.full * level.joins);
  const alpha = Math.round(255 * (0.25 + 0.75 * Math.min(1, full)));
  return ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** The cells as pixels, one each. */
function tileOf(level, data, theme) {
  const {rows} = data;
  const tile = document.createElement('canvas');
  tile.width = Math.max(1, level.columns);
  tile.height = Math.max(1, rows);
  const ctx = tile.getContext('2d');
  const image = ctx.createImageData(tile.width, tile.height);
  const pixels = new Uint32Array(image.data.buffer);
  const last = theme.ramp.length - 1;
  level.values.forEach((value, i) => {
    if (value > 0 && level.parts) pixels[i] = pixelOf(level, data, i);
    else if (value > 0)
      pixels[i] =
        theme.ramp[Math.min(last, Math.round(level.scale(value) * last))];
  });
  ctx.putImageData(image, 0, 0);
  return tile;
}

/**
 * Options: label, cellText(row, column, joins) → lines, rowClick(row, column),
 * onkey(event, cursor), least (height), wideLabels. set(data): rows, columns,
 * values by row, labels, view [from, to] in columns, ticks(from, to, most) →
 * {ticks: [{at, text}], unit}, format, top and right (sums, or none), window
 * in columns, chosen (row or null), marks (columns), logarithmic,
 * legend(joins), joins: whether narrow columns may be joined; lives: columns
 * [from, to] of each row; parts: [{name, colour, values, byColumn, byRow}] that
 * the values are the sum of, and full, what a column may have: then colours
 * tell the greatest part. Parts that are aside are in no sums.
 */
export function createMatrix(host, options) {
  let data = null;
  let levels = null;
  const cursor = {row: 0, column: 0, bin: 0, shown: false};

  const bodyHeight = () => {
    const rows = Math.max(1, data?.rows ?? 1);
    return Math.min(620, Math.max(rows * 18, options.least ?? 96));
  };
  const area = () => {
    const side = sidesOf(canvas.size.width, data?.right, options.wideLabels);
    return {
      left: side.left,
      right: canvas.size.width - side.right,
      top: data?.top ? TOP + GAP : 8,
    };
  };
  const columnAt = (x) => {
    const {left, right} = area();
    const [from, to] = data.view;
    return Math.floor(from + ((x - left) / (right - left)) * (to - from));
  };
  const rowAt = (y) =>
    Math.floor(((y - area().top) / bodyHeight()) * data.rows);

  const canvas = createCanvas({
    label: options.label,
    height: () => area().top + Math.ceil(bodyHeight()) + AXIS + LEGEND,
    paint(c) {
      if (!data) return;
      const box = {
        ...area(),
        height: Math.ceil(bodyHeight()),
      };
      box.bottom = box.top + box.height;
      const level = levels((box.right - box.left) * c.ratio);
      if (level.dark !== c.theme.dark)
        level.tile = tileOf(level, data, c.theme);
      level.dark = c.theme.dark;
      paintMatrix(c, data, level, box, cursor);
    },
    onkey: (event) => key(event),
  });

  const joins = () => {
    const {left, right} = area();
    return levels((right - left) * (window.devicePixelRatio || 1)).joins;
  };

  function tell() {
    cursor.row = Math.max(0, Math.min(data.rows - 1, cursor.row));
    cursor.shown = true;
    showTip(null);
    say(options.cellText(cursor.row, cursor.column, joins()));
  }

  function key(event) {
    if (!data) return false;
    const moves = {ArrowUp: -1, ArrowDown: 1};
    if (event.key in moves) {
      cursor.row += moves[event.key];
      tell();
      return true;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      options.rowClick?.(cursor.row, cursor.column);
      return true;
    }
    if (options.onkey?.(event, cursor)) {
      cursor.column = cursor.bin;
      tell();
      return true;
    }
    if (
      !options.onkey &&
      (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
    ) {
      cursor.column = Math.max(
        0,
        Math.min(
          data.columns - 1,
          cursor.column + (event.key === 'ArrowLeft' ? -1 : 1),
        ),
      );
      tell();
      return true;
    }
    return false;
  }

  canvas.element.addEventListener('pointermove', (event) => {
    if (!data) return;
    const [x, y] = pointOf(canvas, event);
    const row = rowAt(y);
    const column = columnAt(x);
    const inside =
      row >= 0 &&
      row < data.rows &&
      x < area().right &&
      column < data.columns &&
      x >= area().left;
    cursor.shown = false;
    showTip(
      inside && !event.buttons ? options.cellText(row, column, joins()) : null,
      event.clientX,
      event.clientY,
    );
  });
  canvas.element.addEventListener('blur', () => {
    cursor.shown = false;
    canvas.later();
  });
  mount(canvas, host);

  return {
    canvas,
    area,
    rowAt,
    columnAt,
    cursor,
    set(next) {
      const kept =
        data &&
        next.values === data.values &&
        next.logarithmic === data.logarithmic;
      // the levels look at what they were made for
      data = kept ? Object.assign(data, next) : next;
      if (!kept) levels = createLevels(data);
      canvas.later();
    },
    move(patch) {
      if (data) {
        Object.assign(data, patch);
        canvas.later();
      }
    },
    get: () => data,
  };
}

/* --- painting -------------------------------------------------------- */

const across = (data, box) => {
  const [from, to] = data.view;
  return (column) =>
    box.left + ((column - from) / (to - from)) * (box.right - box.left);
};

function paintMatrix(c, data, level, box, cursor) {
  const {ctx, theme} = c;
  const x = across(data, box);
  ctx.save();
  ctx.beginPath();
  ctx.rect(box.left, 0, box.right - box.left, c.height);
  ctx.clip();
  paintLives(c, data, box, x);
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(
    level.tile,
    x(0),
    box.top,
    x(level.columns * level.joins) - x(0),
    box.height,
  );
  if (data.top) paintTop(c, data, box, x);
  paintChoice(c, data, box, x);
  if (cursor.shown) paintCursor(c, data, box, x, cursor);
  ctx.restore();
  paintRows(c, data, box);
  if (data.right) paintRight(c, data, box);
  paintAxis(c, data, box, x);
  paintLegend(c, data, level, box);
}

/** Nobody is where a process was not yet, or no longer. */
function paintLives(c, data, box, x) {
  const {ctx, theme} = c;
  const rowHeight = box.height / data.rows;
  const gap = rowHeight > 12 ? 1 : 0;
  ctx.fillStyle = theme.shade;
  for (let row = 0; row < data.rows; row++) {
    const [from, to] = (data.lives?.[row] ?? [0, data.columns]).map(x);
    ctx.fillRect(
      from,
      box.top + row * rowHeight + gap,
      Math.max(1, to - from),
      rowHeight - 2 * gap,
    );
  }
}

const partsOf = (data, key, sums, theme) =>
  data.parts
    ?.filter((part) => !part.aside)
    .map((part) => ({colour: part.colour, values: part[key]})) ?? [
    {colour: theme.accent, values: sums},
  ];

/** Sums of what is a pixel wide at least, one part upon the other. */
function paintTop(c, data, box, x) {
  const {ctx, theme} = c;
  const base = box.top - GAP;
  const first = Math.max(0, Math.floor(data.view[0]));
  const last = Math.min(data.columns, Math.ceil(data.view[1]));
  const pixels = (box.right - box.left) / Math.max(1, last - first);
  const step = Math.max(1, Math.round(1 / pixels));
  const sum = (values, from) => {
    let all = 0;
    for (let i = from; i < Math.min(last, from + step); i++) all += values[i];
    return all;
  };
  let greatest = 0;
  for (let i = first; i < last; i += step)
    greatest = Math.max(greatest, sum(data.top, i));
  const upTo = new Float64Array(Math.ceil((last - first) / step) + 1);
  ctx.globalAlpha = data.parts ? 1 : 0.75;
  for (const part of partsOf(data, 'byColumn', data.top, theme)) {
    ctx.fillStyle = part.colour;
    ctx.beginPath();
    for (let i = first, k = 0; i < last; i += step, k++) {
      const height = (sum(part.values, i) / (greatest || 1)) * (TOP - 6);
      const to = x(Math.min(last, i + step));
      ctx.rect(x(i), base - upTo[k] - height, to - x(i), height);
      upTo[k] += height;
    }
    ctx.fill();
  }
  ctx.globalAlpha = 1;
  ctx.fillStyle = theme.line;
  ctx.fillRect(box.left, base, box.right - box.left, 1);
}

function paintChoice(c, data, box, x) {
  const {ctx, theme} = c;
  const rowHeight = box.height / data.rows;
  ctx.fillStyle = theme.card;
  ctx.globalAlpha = 0.62;
  if (data.chosen !== null && data.chosen !== undefined) {
    const y = box.top + data.chosen * rowHeight;
    ctx.fillRect(box.left, box.top, box.right - box.left, y - box.top);
    ctx.fillRect(
      box.left,
      y + rowHeight,
      box.right - box.left,
      box.bottom - y - rowHeight,
    );
  }
  if (data.window) {
    const [from, to] = data.window.map(x);
    ctx.fillRect(box.left, 0, from - box.left, box.bottom);
    ctx.fillRect(to, 0, box.right - to, box.bottom);
    ctx.globalAlpha = 1;
    ctx.fillStyle = theme.accent;
    ctx.fillRect(from - 1, 0, 2, box.bottom);
    ctx.fillRect(to - 1, 0, 2, box.bottom);
  }
  ctx.globalAlpha = 1;
  ctx.fillStyle = theme.text;
  for (const mark of data.marks ?? []) {
    const at = x(mark);
    ctx.beginPath();
    ctx.moveTo(at - 5, box.top - GAP - 7);
    ctx.lineTo(at + 5, box.top - GAP - 7);
    ctx.lineTo(at, box.top - GAP + 2);
    ctx.fill();
  }
}

function paintCursor(c, data, box, x, cursor) {
  const {ctx, theme} = c;
  const rowHeight = box.height / data.rows;
  const width = Math.max(4, x(cursor.column + 1) - x(cursor.column));
  ctx.strokeStyle = theme.text;
  ctx.lineWidth = 2;
  ctx.strokeRect(
    x(cursor.column) - 1,
    box.top + cursor.row * rowHeight - 1,
    width + 2,
    Math.max(4, rowHeight) + 2,
  );
  ctx.lineWidth = 1;
}

function paintRows(c, data, box) {
  const {ctx, theme} = c;
  const rowHeight = box.height / data.rows;
  const every = Math.max(1, Math.ceil(14 / rowHeight));
  ctx.textAlign = 'right';
  for (let row = 0; row < data.rows; row += every) {
    const chosen = row === data.chosen;
    const label = data.labels[row];
    const y = box.top + (row + 0.5) * rowHeight;
    const room = box.left - 14;
    const lines =
      typeof label === 'string'
        ? [fitEnd(ctx, label, room)]
        : label[1] && rowHeight > 32
          ? label.map((text) => fitEnd(ctx, text, room))
          : [fitPair(ctx, label, room)];
    ctx.fillStyle = chosen ? theme.accent : theme.muted;
    lines.forEach((text, i) =>
      ctx.fillText(text, box.left - 8, y + (i - (lines.length - 1) / 2) * 16),
    );
  }
}

function paintRight(c, data, box) {
  const {ctx, theme} = c;
  const rowHeight = box.height / data.rows;
  const greatest = data.right.reduce((a, b) => Math.max(a, b), 0) || 1;
  const left = box.right + GAP;
  const width = c.width - left - (c.width < 720 ? 4 : 58);
  const gap = rowHeight > 6 ? 1 : 0;
  const parts = partsOf(data, 'byRow', data.right, theme);
  data.right.forEach((_, row) => {
    const other =
      data.chosen !== null && data.chosen !== undefined && data.chosen !== row;
    ctx.globalAlpha = other ? 0.25 : data.parts ? 1 : 0.75;
    let at = left;
    for (const part of parts) {
      const size = (part.values[row] / greatest) * width;
      ctx.fillStyle = part.colour;
      ctx.fillRect(
        at,
        box.top + row * rowHeight + gap,
        Math.max(size > 0 ? 1 : 0, size),
        rowHeight - 2 * gap,
      );
      at += size;
    }
  });
  ctx.globalAlpha = 1;
  if (rowHeight < 12 || c.width < 720) return;
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'left';
  data.right.forEach(
    (value, row) =>
      value &&
      ctx.fillText(
        data.format(value),
        left + (value / greatest) * width + 4,
        box.top + (row + 0.5) * rowHeight,
      ),
  );
}

function paintAxis(c, data, box, x) {
  const {ctx, theme} = c;
  const most = Math.max(
    2,
    Math.floor((box.right - box.left) / (data.tickRoom ?? 90)),
  );
  const {ticks, unit} = data.ticks(...data.view, most);
  ctx.textAlign = 'center';
  ctx.fillStyle = theme.line;
  ctx.fillRect(box.left, box.bottom, box.right - box.left, 1);
  for (const tick of ticks) {
    const at = x(tick.at);
    if (at < box.left - 1 || at > box.right + 1) continue;
    ctx.fillStyle = theme.line;
    ctx.fillRect(Math.round(at), box.bottom, 1, 5);
    ctx.fillStyle = theme.muted;
    ctx.fillText(tick.text, at, box.bottom + 14);
  }
  ctx.textAlign = 'right';
  ctx.fillStyle = theme.muted;
  ctx.fillText(unit, box.left - UNIT, box.bottom + 14);
}

function paintParts(c, data, level, box, top) {
  const {ctx} = c;
  const at = paintKeys(c, data.parts, box.left, top);
  const text = data.legend(level.joins);
  if (at + ctx.measureText(text).width < c.width)
    ctx.fillText(text, at, top + 5);
}

/** Ticks of the colours: nothing, the middle, the greatest. */
function paintLegend(c, data, level, box) {
  const {ctx, theme} = c;
  const width = Math.min(220, (box.right - box.left) / 2);
  const top = box.bottom + AXIS;
  if (!(level.greatest > 0)) return;
  if (data.parts) {
    paintParts(c, data, level, box, top);
    return;
  }
  for (let i = 0; i < width; i++) {
    ctx.fillStyle = css(
      theme.ramp[Math.round((i / (width - 1)) * (theme.ramp.length - 1))],
    );
    ctx.fillRect(box.left + i, top, 1.5, 10);
  }
  const low = data.logarithmic ? level.least : 0;
  const middle = data.logarithmic
    ? Math.sqrt(level.least * level.greatest)
    : level.greatest / 2;
  ctx.fillStyle = theme.muted;
  [
    [low, 0, 'left'],
    [middle, 0.5, 'center'],
    [level.greatest, 1, 'right'],
  ].forEach(([value, at, align]) => {
    ctx.textAlign = align;
    ctx.fillText(data.format(value), box.left + at * width, top + 20);
  });
  ctx.textAlign = 'left';
  ctx.fillText(
    `${data.legend(level.joins)}${data.logarithmic ? ', logarithmic' : ''}`,
    box.left + width + 12,
    top + 5,
  );
}
