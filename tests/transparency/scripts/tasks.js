// SPDX-License-Identifier: BSD-3-Clause
// Files by calls and by promises, a child, a worker, all at once.
'use strict';
const fs = require('fs');
const path = require('path');
const { execFileSync, spawn } = require('child_process');
const { Worker, isMainThread, parentPort } = require('worker_threads');

function writeSync(name, count) {
	const fd = fs.openSync(name, 'w', 0o640);
	for (let i = 0; i < count; i++)
		fs.writeSync(fd, `line ${i}\n`);
	fs.fsyncSync(fd);
	fs.closeSync(fd);
	return fs.statSync(name).size;
}

async function writeMany() {
	await Promise.all(Array.from({ length: 50 }, (_, i) =>
		fs.promises.writeFile(`async-${i}`, 'y'.repeat(i * 100))));
	let total = 0;
	for (let i = 0; i < 50; i++)
		total += (await fs.promises.readFile(`async-${i}`)).length;
	return total;
}

function streamCopy(from, to) {
	return new Promise((done) => fs.createReadStream(from)
		.pipe(fs.createWriteStream(to)).on('finish', done));
}

function child() {
	return new Promise((done) => spawn('sh', ['-c', 'cat in; exit 9'],
		{ stdio: ['ignore', 'inherit', 'inherit'] }).on('exit', done));
}

function worker() {
	return new Promise((done) => new Worker(__filename).on('message', done));
}

async function main() {
	console.log('sync', writeSync('sync', 1000));
	console.log('async', await writeMany());
	await streamCopy('sync', 'in');
	fs.truncateSync('in', 35);
	console.log('child', await child());
	console.log('worker', await worker());
	console.log(execFileSync('wc', ['-c', 'sync']).toString().trim());
	console.log(fs.readdirSync('.').length, path.basename(process.cwd()));
	console.error('done');
	process.exitCode = 3;
}

if (isMainThread)
	main();
else
	parentPort.postMessage(writeSync('by-worker', 10));
