/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program whose names are like those of libaio and liburing, which it does
 * not use; and a plugin that uses libaio, comes, goes and comes back elsewhere.
 */
#include "namesake.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

extern int io_cancel(void) __attribute__((weak));
extern int io_uring_queue_init(void) __attribute__((weak));

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "namesake: %s\n", what);
	exit(1);
}

static void look_for_names(void)
{
	must(!io_cancel, "a weak name of libaio is there");
	must(!io_uring_queue_init, "a weak name of liburing is there");
	must(!dlsym(RTLD_DEFAULT, "io_getevents"), "dlsym finds libaio");
	must(!dlsym(RTLD_DEFAULT, "io_uring_submit"), "dlsym finds liburing");
	must(namesake_submit(21) == 42, "another io_submit was called");
	must(io_submit(4) == 8, "another io_submit was called");
}

static void *use_plugin(const char *path)
{
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*submit)(void) = plugin ? dlsym(plugin, "plugin_submit") : NULL;
	void *(*where)(void) = plugin ? dlsym(plugin, "plugin_library") : NULL;
	void *at;

	must(submit && where, "no plugin");
	must(submit() == 1, "the plugin could not submit");
	at = where();
	must(!dlclose(plugin), "the plugin cannot be closed");
	return at;
}

int main(int argc, char **argv)
{
	void *first, *second, *page;

	must(argc > 1, "usage: namesake PLUGIN");
	look_for_names();
	first = use_plugin(argv[1]);
	page = (void *)((unsigned long)first & ~4095ul);
	/* Where the library was, nothing can run any more. */
	must(mmap(page, 4096, PROT_NONE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
		  0) == page, "the library did not go");
	second = use_plugin(argv[1]);
	must(first != second, "the library came back to the same place");
	look_for_names();
	return 0;
}
