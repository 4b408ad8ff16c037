#!/usr/bin/ruby
# SPDX-License-Identifier: BSD-3-Clause
# Files, processes, threads and stores of Ruby's own library.
require 'digest'
require 'fileutils'
require 'pstore'
require 'tempfile'
require 'zlib'

File.open('a', 'w') { |f| 20000.times { |i| f.puts i * i } }
puts Digest::SHA256.file('a').hexdigest
File.open('a', 'r+') { |f| f.seek(100); f.write('X' * 50); f.truncate(90000) }
puts File.size('a'), File.foreach('a').count
child = fork { File.open('b', 'w') { |f| f.write 'child' }; exit!(4) }
puts Process.wait2(child)[1].exitstatus, File.read('b')
store = PStore.new('store')
store.transaction { store[:a] = { 'b' => [1, 2, 3] } }
store.transaction(true) { p store[:a] }
Zlib::GzipWriter.open('z.gz') { |z| z.mtime = 1; z.write 'data' * 5000 }
puts Zlib::GzipReader.open('z.gz', &:read).length
Tempfile.create('t', '.') { |t| t.write 'x'; t.flush; puts File.size(t.path) }
8.times.map { |i| Thread.new { File.write("t#{i}", i.to_s * 1000) } }.each(&:join)
puts Dir['t*'].sort.map { |n| File.size(n) }.sum
puts IO.popen(%w[sort -r b a], &:read).length
IO.copy_stream('a', 'c')
FileUtils.mkdir_p('d/e')
FileUtils.cp_r('a', 'd/e/f')
FileUtils.mv('d', 'g')
File.open('c') { |f| puts f.flock(File::LOCK_EX), f.pread(10, 95) }
puts `wc -c < g/e/f`, $?.exitstatus
exit 11
