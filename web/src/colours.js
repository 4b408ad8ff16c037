// SPDX-License-Identifier: BSD-3-Clause
// Colours that everybody can tell apart. Sequences are computed in OKLCH:
// lightness rises evenly, so that they read in grey too; the categories are
// those of Okabe and Ito, but for a
// darker yellow, which is seen on white, and grey instead of black.

export const CATEGORIES = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#d55e00',
  '#b8a800',
  '#8c8c8c',
];
export const READ = '#0072b2';
export const WRITE = '#d55e00';
const READ_DARK = '#56b4e9';
const WRITE_DARK = '#e69f00';
const STEPS = 256;

function linearToByte(value) {
  const clipped = Math.min(1, Math.max(0, value));
  const curved =
    clipped <= 0.0031308
      ? 12.92 * clipped
      : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(255 * curved);
}

function linearOf(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** OKLCH (hue in degrees) as bytes of sRGB, greyer where it must be. */
export function oklch(lightness, chroma, hue) {
  let colour = linearOf(lightness, chroma, hue);
  while (chroma > 0 && colour.some((v) => v < -1e-3 || v > 1.001)) {
    chroma -= 0.004;
    colour = linearOf(lightness, Math.max(0, chroma), hue);
  }
  return colour.map(linearToByte);
}

/** From little to much: towards yellow on dark, towards purple on light. */
function sequence(dark) {
  const ramp = new Uint32Array(STEPS);
  for (let i = 0; i < STEPS; i++) {
    const t = i / (STEPS - 1);
    const up = dark ? 0.12 + 0.88 * t : 1 - t;
    const [r, g, b] = oklch(
      0.27 + 0.66 * up,
      0.09 + 0.16 * up * (1 - up) + 0.06 * up,
      305 - 200 * up,
    );
    ramp[i] = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  }
  return ramp;
}

const ramps = {};

export function ramp(dark) {
  return (ramps[dark] ??= sequence(dark));
}

export const WAITING = -1; // the part of the time that is in no layer

/** Of a layer, or of waiting. */
export const partColour = (layer, colours) =>
  layer === WAITING ? colours.wait : layerColour(layer);

/** Red, green and blue of #rrggbb. */
export const bytesOf = (hex) =>
  [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

export function css(colour) {
  return `rgb(${colour & 255} ${(colour >> 8) & 255} ${(colour >> 16) & 255})`;
}

/** Where a value lies between 0 and the greatest: 0 to 1. */
export function scaleOf(greatest, least, logarithmic) {
  if (!(greatest > 0)) return () => 0;
  if (!logarithmic || !(least < greatest)) return (value) => value / greatest;
  const low = Math.log(least);
  const span = Math.log(greatest) - low;
  return (value) => 0.06 + 0.94 * Math.max(0, (Math.log(value) - low) / span);
}

/** The colours of the theme, for canvases. */
export function theme() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue('--' + name).trim();
  const dark = get('dark') === '1';
  return {
    dark,
    text: get('text'),
    muted: get('muted'),
    line: get('line'),
    card: get('card'),
    accent: get('accent'),
    wait: get('wait'),
    shade: get('shade'),
    grid: get('grid'),
    font: '12px ' + get('font'),
    read: dark ? READ_DARK : READ,
    write: dark ? WRITE_DARK : WRITE,
    ramp: ramp(dark),
  };
}

/** A layer has the same colour on every page. */
const OF_LAYERS = {
  posix: '#0072b2',
  stdio: '#009e73',
  async: '#56b4e9',
  mpiio: '#e69f00',
  hdf5: '#cc79a7',
  pnetcdf: '#b8a800',
  client: '#a0522d',
};
const OTHERS = ['#d55e00', '#7b5ea7', '#882255'];
let layerColours = [];

export function colourLayers(layers) {
  let next = 0;
  layerColours = layers.map(
    ({id}) => OF_LAYERS[id] ?? OTHERS[next++ % OTHERS.length],
  );
}

export const layerColour = (index) => layerColours[index] ?? '#8c8c8c';

/** Black or white, whichever is easier to read on the colour. */
export function inkOn(hex) {
  const [r, g, b] = bytesOf(hex).map((byte) => (byte / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? '#000' : '#fff';
}
