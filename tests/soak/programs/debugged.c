/* SPDX-License-Identifier: BSD-3-Clause */
/* A program for debuggers: writes a file, leaks, calls itself, may wait. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int debugged_add(int depth)
{
	return depth ? depth + debugged_add(depth - 1) : 0;
}

int main(int argc, char **argv)
{
	char *lost = malloc(100);
	FILE *file = fopen("made", "w");

	strcpy(lost, "nobody frees this");
	for (int i = 0; i < 100; i++)
		fprintf(file, "%d %d %s\n", i, debugged_add(i), lost);
	fclose(file);
	lost = NULL;
	printf("%d of %d\n", debugged_add(10), argc);
	fflush(stdout);
	if (argc > 1 && !strcmp(argv[1], "wait"))
		pause();
	return 3;
}
