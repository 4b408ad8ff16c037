// SPDX-License-Identifier: BSD-3-Clause
// Files by streams, channels, mappings, archives, threads and processes.
import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.zip.*;

public class Files {
	static final StandardOpenOption[] BOTH = {StandardOpenOption.CREATE,
		StandardOpenOption.READ, StandardOpenOption.WRITE};

	static void streams() throws Exception {
		try (PrintWriter out = new PrintWriter("lines")) {
			for (int i = 0; i < 20000; i++) out.println(i * i);
		}
		long sum = 0;
		try (BufferedReader in = new BufferedReader(new FileReader("lines"))) {
			for (String l; (l = in.readLine()) != null;) sum += Integer.parseInt(l);
		}
		System.out.println("lines " + sum);
	}

	static void channels() throws Exception {
		try (FileChannel c = FileChannel.open(Paths.get("channel"), BOTH)) {
			for (int i = 0; i < 100; i++)
				c.write(ByteBuffer.wrap(("record " + i).getBytes()), i * 50L);
			MappedByteBuffer map = c.map(FileChannel.MapMode.READ_WRITE, 0, 8192);
			map.put(0, (byte) 'M');
			map.force();
			c.truncate(6000);
			try (FileLock lock = c.lock(0, 10, false)) {
				System.out.println("locked " + lock.isValid());
			}
			c.transferTo(0, 6000, Channels.newChannel(
				new FileOutputStream("transferred")));
			System.out.println("size " + c.size());
		}
	}

	static void archive() throws Exception {
		try (ZipOutputStream zip = new ZipOutputStream(
				new FileOutputStream("a.zip"))) {
			ZipEntry entry = new ZipEntry("n");
			entry.setTime(0);
			zip.putNextEntry(entry);
			zip.write(new byte[100000]);
		}
		try (ZipFile zip = new ZipFile("a.zip")) {
			System.out.println("zip " + zip.getEntry("n").getSize());
		}
	}

	static void threads() throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(8);
		RandomAccessFile file = new RandomAccessFile("shared", "rw");
		List<Future<?>> all = new ArrayList<>();
		for (int i = 0; i < 64; i++) {
			final int at = i;
			all.add(pool.submit(() -> {
				file.getChannel().write(ByteBuffer.wrap(
					new byte[] {(byte) at, (byte) at}), at * 2L);
				return null;
			}));
		}
		for (Future<?> one : all) one.get();
		pool.shutdown();
		file.seek(100);
		System.out.println("shared " + file.length() + " " + file.read());
	}

	static void processes() throws Exception {
		Process p = new ProcessBuilder("sh", "-c", "cat; exit 3")
			.redirectInput(new File("transferred"))
			.redirectOutput(new File("copied")).start();
		System.out.println("process " + (p.waitFor() == 3) + " "
			+ java.nio.file.Files.mismatch(Paths.get("transferred"),
				Paths.get("copied")));
	}

	public static void main(String[] words) throws Exception {
		streams();
		channels();
		archive();
		threads();
		processes();
		java.nio.file.Files.walk(Paths.get(".")).sorted()
			.forEach(System.out::println);
		System.exit(7);
	}
}
