// SPDX-License-Identifier: BSD-3-Clause
// The data of the report: packed in the page, unpacked into typed arrays.

const MAGIC = 'WEIRPAGE';
const VERSION = 1;
const TYPES = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
  u64: BigUint64Array,
  i64: BigInt64Array,
};

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A column as numbers; 64-bit integers as doubles, exact below 2^53. */
function columnOf(buffer, base, about) {
  const type = TYPES[about.type];
  if (!type) throw new Error(`a column of the unknown type ${about.type}`);
  const column = new type(buffer, base + about.at, about.count);
  return about.type.endsWith('64') && about.type !== 'f64'
    ? Float64Array.from(column, Number)
    : column;
}

/** Columns with a common prefix make a table: cells.bin, cells.who, … */
function tablesOf(buffer, base, columns) {
  const tables = {};
  for (const [name, about] of Object.entries(columns)) {
    const dot = name.indexOf('.');
    const table = name.slice(0, dot);
    tables[table] ??= {count: about.count};
    if (tables[table].count !== about.count)
      throw new Error(`column ${name} has another length`);
    tables[table][name.slice(dot + 1)] = columnOf(buffer, base, about);
  }
  return tables;
}

/** Read the bytes that the report writer made (see doc/page.md). */
export function parse(bytes) {
  const buffer = bytes.buffer;
  const view = new DataView(buffer);
  const magic = String.fromCharCode(...bytes.subarray(0, 8));
  if (magic !== MAGIC) throw new Error('this is not the data of a report');
  if (view.getUint32(8, true) !== VERSION)
    throw new Error(
      'the data has a version that this page ' +
        'does not know: ' +
        view.getUint32(8, true),
    );
  const length = view.getUint32(12, true);
  const head = JSON.parse(
    new TextDecoder().decode(bytes.subarray(16, 16 + length)),
  );
  return {head, tables: tablesOf(buffer, 0, head.columns)};
}

export async function load() {
  const element = document.getElementById('weir-data');
  const text = element.textContent.trim();
  element.textContent = ''; // it is long, and not needed twice
  return parse(await inflate(bytesOfBase64(text)));
}
