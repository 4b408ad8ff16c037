#!/usr/bin/env node
// SPDX-License-Identifier: BSD-3-Clause
// Files by streams, promises and worker threads, processes, and a server.
import {createHash} from 'node:crypto';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import {pipeline} from 'node:stream/promises';
import {Worker} from 'node:worker_threads';
import zlib from 'node:zlib';

const sum = name =>
  createHash('sha256').update(fs.readFileSync(name)).digest('hex');

fs.writeFileSync('a', 'line\n'.repeat(50000));
await pipeline(
  fs.createReadStream('a'),
  zlib.createGzip(),
  fs.createWriteStream('a.gz'),
);
await pipeline(
  fs.createReadStream('a.gz'),
  zlib.createGunzip(),
  fs.createWriteStream('b'),
);
console.log(sum('a') === sum('b'), sum('b'));
await Promise.all(
  Array.from({length: 50}, (_, i) => fs.promises.writeFile(`f${i}`, `${i}`)),
);
const handle = await fs.promises.open('c', 'w+');
await Promise.all(
  Array.from({length: 50}, (_, i) => handle.write(`${i % 10}`, i * 3)),
);
await handle.truncate(120);
await handle.sync();
await handle.close();
console.log(fs.statSync('c').size, fs.readdirSync('.').length);
const code = `require('fs').appendFileSync('w', require('worker_threads')
  .workerData + '\\n')`;
for (const workerData of [1, 2, 3])
  await new Promise(done =>
    new Worker(code, {eval: true, workerData}).on('exit', done),
  );
console.log(fs.readFileSync('w', 'utf8'));
console.log(spawnSync('sh', ['-c', 'wc -c <a; exit 5']).status);
const server = http.createServer((_, out) =>
  fs.createReadStream('a').pipe(out),
);
await new Promise(done => server.listen(0, '127.0.0.1', done));
const {port} = server.address();
const got = await (await fetch(`http://127.0.0.1:${port}/`)).text();
console.log(got.length);
server.closeAllConnections();
server.close();
process.exitCode = 6;
