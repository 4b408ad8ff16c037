// SPDX-License-Identifier: BSD-3-Clause
// Bandwidth and requests over time, drawn by uPlot on the common axis.
import uPlot from 'uplot';
import {showTip, say} from '../canvas.js';
import {createCard, cut, cutCaption} from '../card.js';
import {theme} from '../colours.js';
import {make, table} from '../dom.js';
import {
  moment,
  rate,
  seconds as printSeconds,
  short,
  ticks,
  timeTicks,
} from '../format.js';
import {overTime, total} from '../sums.js';
import {attachTime, gutters, timeKey} from '../timeaxis.js';

const HEIGHT = 170;
const LEAST = 2; // pixels of a step

export function createRates({model, store, axis}) {
  const card = createCard({
    id: 'rates',
    wide: true,
    title: 'Bandwidth and requests over time',
    numbers: () => numbers(model, rows),
  });
  const cursor = {bin: 0};
  let rows = null;
  let joins = 1; // bins that are drawn as one, so that each has its pixels
  const seconds = model.width / 1e9;
  const lines = [
    {
      name: 'Bandwidth',
      format: rate,
      base: 1024,
      series: [
        ['read', 'read'],
        ['write', 'written'],
      ],
    },
    {
      name: 'Requests',
      format: (value) => short(value) + '/s',
      base: 10,
      series: [['calls', 'requests']],
    },
  ];
  const plots = lines.map((line) => createLine(card.body, line));

  function createLine(host, line) {
    const holder = make('div', {
      class: 'line',
      tabindex: 0,
      role: 'application',
      'aria-roledescription': 'plot',
      'aria-label':
        `${line.name} over time. Arrow keys move, ` +
        'Shift with left and right draws a window.',
    });
    host.append(make('h3', {}, line.name, legend(line)), holder);
    holder.addEventListener('keydown', (event) => {
      if (!timeKey(event, model, store, axis, cursor)) return;
      event.preventDefault();
      say(textAt(cursor.bin));
    });
    let plot = null;
    let dark = null;

    function draw(state) {
      const width = holder.clientWidth;
      const colours = theme();
      if (!width) return;
      if (plot && dark === colours.dark) {
        plot.setData(dataOf(line), false);
        plot.setSize({width, height: HEIGHT});
        move(state);
        return;
      }
      plot?.destroy();
      dark = colours.dark;
      plot = new uPlot(optionsOf(line, width, colours), dataOf(line), holder);
      move(state);
      attachTime(plot.over, store, axis, {
        area: () => ({
          left: 0,
          right: plot.over.clientWidth,
        }),
      });
      plot.over.addEventListener('pointermove', hover);
      plot.over.addEventListener('pointerleave', () => showTip(null));
    }

    function hover(event) {
      const box = plot.over.getBoundingClientRect();
      const [from, to] = store.get().view;
      const time =
        from + ((event.clientX - box.left) / box.width) * (to - from);
      const bin = Math.floor(time / model.width / joins) * joins;
      showTip(
        !event.buttons && bin >= 0 && bin < model.bins ? textAt(bin) : null,
        event.clientX,
        event.clientY,
      );
    }

    function move(state) {
      if (plot)
        plot.setScale('x', {
          min: state.view[0] / 1e9,
          max: state.view[1] / 1e9,
        });
    }
    new ResizeObserver(() => rows && draw(store.get())).observe(holder);
    const greatest = () =>
      dataOf(line)
        .slice(1)
        .map((list) => Math.max(...list));
    return {draw, move, greatest};
  }

  function legend(line) {
    return make(
      'span',
      {class: 'legend'},
      line.series.map(([key, name]) =>
        make(
          'span',
          {},
          make('i', {
            class: 'key ' + key,
          }),
          name,
        ),
      ),
    );
  }

  function dataOf(line) {
    const steps = Math.ceil(model.bins / joins);
    const end = (i) => Math.min(model.bins, i * joins);
    return [
      Array.from({length: steps + 1}, (_, i) => end(i) * seconds),
      ...line.series.map(([key]) => {
        const list = Array.from(
          {length: steps},
          (_, i) =>
            total(rows[key].subarray(end(i), end(i + 1))) /
            ((end(i + 1) - end(i)) * seconds),
        );
        list.push(list[list.length - 1] ?? 0);
        return list;
      }),
    ];
  }

  /** How many bins have to be joined for this view; true: others than were. */
  function joinsFor(state, width) {
    const bins = (state.view[1] - state.view[0]) / model.width;
    const old = joins;
    joins = 1;
    while ((LEAST * bins) / joins > width) joins *= 2;
    return joins !== old;
  }

  function optionsOf(line, width, colours) {
    const stroke = {
      read: colours.read,
      write: colours.write,
      calls: colours.accent,
    };
    const line1 = {stroke: colours.line, width: 1};
    return {
      width,
      height: HEIGHT,
      padding: [8, gutters(width).right, 0, 0],
      legend: {show: false},
      cursor: {
        drag: {x: false, y: false},
        y: false,
        points: {show: false},
      },
      scales: {
        x: {time: false, auto: false},
        y: {
          range: (_, low, high) => [0, 1.05 * high || 1],
        },
      },
      axes: [
        {
          stroke: colours.muted,
          font: colours.font,
          size: 30,
          grid: {show: false},
          ticks: line1,
          splits: (u, _, low, high) =>
            timeTicks(low * 1e9, high * 1e9, width / 110).ticks.map(
              (t) => t.at / 1e9,
            ),
          values: (u, splits) =>
            splits.map((value) => {
              const {unit, ticks} = timeTicks(
                u.scales.x.min * 1e9,
                u.scales.x.max * 1e9,
                width / 110,
              );
              const tick = ticks.find(
                (t) => Math.abs(t.at / 1e9 - value) < 1e-12 + value * 1e-9,
              );
              return tick ? `${tick.text} ${unit}` : '';
            }),
        },
        {
          stroke: colours.muted,
          font: colours.font,
          size: gutters(width).left,
          ticks: line1,
          grid: {stroke: colours.grid, width: 1},
          splits: (u, _, low, high) => ticks(low, high, 5, line.base),
          values: (u, splits) => splits.map(line.format),
        },
      ],
      series: [
        {},
        ...line.series.map(([key]) => ({
          stroke: stroke[key],
          fill: stroke[key] + '30',
          width: 1.5,
          points: {show: false},
          paths: uPlot.paths.stepped({align: 1}),
        })),
      ],
      hooks: {draw: [(u) => paintWindow(u, store, colours)]},
    };
  }

  function textAt(bin) {
    const end = Math.min(model.bins, bin + joins);
    const at = (values) =>
      total(values.subarray(bin, end)) / ((end - bin) * seconds);
    return [
      `${moment(bin * model.width, model.width)} to ` +
        moment(end * model.width, model.width),
      `read ${rate(at(rows.read))}`,
      `written ${rate(at(rows.write))}`,
      `${short(at(rows.calls))} requests/s`,
    ];
  }

  let key = null;
  function compute(state) {
    const now = [state.layer, state.file, state.who].join();
    if (now !== key) rows = overTime(model, state);
    key = now;
  }

  return {
    id: 'rates',
    title: 'Bandwidth',
    element: card.element,
    uses: ['view', 'window', 'who', 'file', 'layer', 'theme'],
    update(state, changed) {
      const side = gutters(card.body.clientWidth);
      const width = card.body.clientWidth - side.left - side.right;
      const finer = joinsFor(state, Math.max(1, width));
      const moved = changed && changed.size === 1 && changed.has('view');
      if (moved && !finer) {
        plots.forEach((plot) => plot.move(state));
        return;
      }
      compute(state);
      plots.forEach((plot) => plot.draw(state));
      const most = plots.map((plot) => plot.greatest());
      card.setLead(
        [
          'At most',
          most[0][0] > 0 && `${rate(most[0][0])} read,`,
          most[0][1] > 0 && `${rate(most[0][1])} written,`,
          `${short(most[1][0])} requests a second, in steps of`,
          `${printSeconds(joins * seconds)}.`,
        ]
          .filter(Boolean)
          .join(' '),
      );
      card.refill();
    },
    describe() {
      compute(store.get());
      return {
        read: [...rows.read],
        write: [...rows.write],
        calls: [...rows.calls],
        seconds,
        step: joins * seconds,
      };
    },
  };
}

function paintWindow(u, store, colours) {
  const {window} = store.get();
  if (!window) return;
  const {ctx} = u;
  const [from, to] = window.map((time) => u.valToPos(time / 1e9, 'x', true));
  const {left, top, width, height} = u.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.fillStyle = colours.card;
  ctx.globalAlpha = 0.62;
  ctx.fillRect(left, top, from - left, height);
  ctx.fillRect(to, top, left + width - to, height);
  ctx.globalAlpha = 1;
  ctx.fillStyle = colours.accent;
  ctx.fillRect(from - 1, top, 2, height);
  ctx.fillRect(to - 1, top, 2, height);
  ctx.restore();
}

function numbers(model, rows) {
  const list = [];
  const seconds = model.width / 1e9;
  for (let bin = 0; bin < model.bins; bin++)
    if (rows.read[bin] || rows.write[bin] || rows.calls[bin])
      list.push([
        moment(bin * model.width, model.width),
        rate(rows.read[bin] / seconds),
        rate(rows.write[bin] / seconds),
        short(rows.calls[bin] / seconds) + '/s',
      ]);
  return table(
    cutCaption('rates, where there are any', list),
    [
      {text: 'from', number: true},
      {text: 'read', number: true},
      {text: 'written', number: true},
      {text: 'requests', number: true},
    ],
    cut(list),
  );
}
