/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes in marked regions, and tells the lines where: REGION FIRST LAST, and
 * how many calls are made there. usage: workload FILE
 */
#include <weir/mark.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int fd;

__attribute__((noinline)) static void put(int times)
{
	for (int i = 0; i < times; i++)
		if (write(fd, "some bytes", 10) != 10)
			_exit(1);
}

int main(int argc, char **argv)
{
	int checkpoint, plot;

	fd = argc > 1 ? open(argv[1], O_WRONLY | O_CREAT, 0600) : -1;
	if (fd < 0)
		return 2;
	weir_mark_phase("run");
	weir_mark_begin("checkpoint");
	checkpoint = __LINE__ + 1;
	put(7);
	weir_mark_begin("plot \"\x1b,file");
	plot = __LINE__ + 1;
	put(5);
	weir_mark_end("plot \"\x1b,file");
	put(2);
	weir_mark_end("checkpoint");
	put(3);
	dprintf(1, "%d %d\n", checkpoint, plot);
	return 0;
}
