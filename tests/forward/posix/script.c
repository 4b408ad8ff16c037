/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: script NAME|--list|--kernel, in an empty directory. */
#include "script.h"

#include "raw.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct script *const all[] = {data_scripts,    place_scripts,
					   name_scripts,    share_scripts,
					   process_scripts, other_scripts,
					   stdio_scripts,   stdio_lives,
					   handed_scripts,  look_scripts,
					   bypass_scripts,  lock_scripts};

/* What the kernel itself has of a file that was written a moment ago. */
static void ask_kernel(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	struct stat about = { 0 };

	SAY(write(fd, "12345", 5));
	raw_call(SYS_fstat, fd, &about);
	printf("the kernel has %ld\n", (long)about.st_size);
	close(fd);
}

/* The same of one that a stream has flushed. */
static void ask_kernel_of_stream(void)
{
	FILE *f = stream_or_die("g", "w");
	struct stat about = { 0 };

	SAY(fputs("12345", f) >= 0);
	SAY(fflush(f));
	raw_call(SYS_fstat, fileno(f), &about);
	printf("of a stream the kernel has %ld\n", (long)about.st_size);
	fclose(f);
}

static const struct script *find(const char *name)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (const struct script *at = all[i]; at->name; at++)
			if (!strcmp(at->name, name))
				return at;
	return NULL;
}

int main(int argc, char **argv)
{
	const struct script *script = argc > 1 ? find(argv[1]) : NULL;

	if (argc > 1 && !strcmp(argv[1], "--list"))
		for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
			for (script = all[i]; script->name; script++)
				puts(script->name);
	else if (argc > 1 && !strcmp(argv[1], "--kernel"))
		ask_kernel(), ask_kernel_of_stream();
	else if (script)
		script->play();
	else
		return 2;
	return 0;
}
