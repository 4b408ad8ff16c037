// SPDX-License-Identifier: BSD-3-Clause
// The data of a report as bytes (doc/page.md), and the page with them in it.
import {gzipSync} from 'node:zlib';

const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
};

/** The bytes that a report holds: magic, version, head, columns. */
export function pack(head, columns) {
  const about = {};
  const text = (size) => {
    let at = size;
    for (const [name, type, values] of columns) {
      at = Math.ceil(at / 8) * 8;
      about[name] = {type, at, count: values.length};
      at += values.length * ARRAYS[type].BYTES_PER_ELEMENT;
    }
    return [Buffer.from(JSON.stringify({...head, columns: about})), at];
  };
  // the head tells offsets, and they depend on its length: find a rest
  let [json, end] = text(16);
  const room = json.length + 64 * columns.length;
  [json, end] = text(16 + room);
  const bytes = new Uint8Array(end);
  bytes.set(Buffer.from('WEIRPAGE'));
  bytes.fill(32, 16, 16 + room);
  bytes.set(json, 16);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, 1, true);
  view.setUint32(12, room, true);
  for (const [name, type, values] of columns)
    new ARRAYS[type](bytes.buffer, about[name].at, values.length).set(values);
  return bytes;
}

/** The page with data in it, as a file or as a server would send it. */
export function fill(template, bytes, connect = "'none'") {
  return template
    .replace('@WEIR_CONNECT@', () => connect)
    .replace('@WEIR_DATA@', () => gzipSync(bytes).toString('base64'));
}
