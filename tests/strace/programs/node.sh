# SPDX-License-Identifier: BSD-3-Clause
# JavaScript, with its pool of threads.
cat >job.js <<'JS'
const fs = require('fs');
const { execFileSync } = require('child_process');
fs.writeFileSync('text', 'line\n'.repeat(3000));
console.log(fs.readFileSync('text').length);
const fd = fs.openSync('text', 'r+');
fs.readSync(fd, Buffer.alloc(100), 0, 100, 50);
fs.writeSync(fd, Buffer.from('abc'), 0, 3, 1000);
fs.fsyncSync(fd);
fs.ftruncateSync(fd, 5000);
fs.closeSync(fd);
fs.copyFileSync('text', 'copy');
console.log(execFileSync('cat', ['copy']).length);
async function many() {
  await fs.promises.mkdir('d');
  await Promise.all([1, 2, 3, 4, 5, 6].map(async n => {
    await fs.promises.writeFile(`d/${n}`, Buffer.alloc(n * 10000));
    const back = await fs.promises.readFile(`d/${n}`);
    if (back.length !== n * 10000)
      throw new Error('short');
  }));
  fs.createReadStream('text').pipe(fs.createWriteStream('piped'));
}
many();
JS
node job.js
