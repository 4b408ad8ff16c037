/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds plug-ins by name, checks and begins them. One is used at a time. */
#include "serve/files/backends.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct weir_backend *weir_backends_used;
void *weir_backends_self;

static void *library;

/* Relative to the directory of this tool; the last is Debian's multiarch. */
static const char *const places[] = {
	"", "../lib/weir/", "../lib64/weir/", "../lib/*/weir/",
};

static int look_beside(const char *pattern, char path[PATH_MAX])
{
	glob_t found;
	int err = -ENOENT;

	if (!glob(pattern, 0, NULL, &found)) {
		snprintf(path, PATH_MAX, "%s", found.gl_pathv[0]);
		err = 0;
	}
	globfree(&found);
	return err;
}

static bool ends_like_library(const char *name)
{
	size_t length = strlen(name);

	return length > 3 && !strcmp(name + length - 3, ".so");
}

static int find_name(const char *name, char path[PATH_MAX])
{
	char self[PATH_MAX], pattern[2 * PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int err = -ENOENT;

	if (length < 0)
		return -errno;
	self[length] = '\0';
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; err && i < sizeof(places) / sizeof(places[0]); i++) {
		if (snprintf(pattern, sizeof(pattern),
			     "%s/%sweir-backend-%s.so", self, places[i],
			     name) < (int)sizeof(pattern))
			err = look_beside(pattern, path);
	}
	return err;
}

/* A file is taken as it is: the loader shall not look for it elsewhere. */
static int find_library(const char *name, char path[PATH_MAX])
{
	int err = 0;

	if (strchr(name, '/') || ends_like_library(name))
		err = snprintf(path, PATH_MAX, "%s%s",
			       strchr(name, '/') ? "" : "./", name) < PATH_MAX ?
			      0 :
			      -ENAMETOOLONG;
	else if (!*name || strpbrk(name, "*?[\\"))
		err = -ENOENT;
	else
		err = find_name(name, path);
	if (!err && access(path, R_OK))
		err = -errno;
	if (err == -ENOENT)
		fprintf(stderr,
			"weir: there is no backend '%s': it is posix, null, "
			"throttle, faulty, or a FILE.so\n",
			name);
	else if (err)
		fprintf(stderr, "weir: cannot use the backend '%s': %s\n",
			name, strerror(-err));
	return err;
}

/* The first function that a plug-in has not got, or NULL. */
static const char *missing(const struct weir_backend *backend)
{
	static const struct {
		const char *name;
		size_t place;
	} functions[] = {
		{"begin", offsetof(struct weir_backend, begin)},
		{"end", offsetof(struct weir_backend, end)},
		{"open", offsetof(struct weir_backend, open)},
		{"close", offsetof(struct weir_backend, close)},
		{"write", offsetof(struct weir_backend, write)},
		{"read", offsetof(struct weir_backend, read)},
		{"sync", offsetof(struct weir_backend, sync)},
		{"truncate", offsetof(struct weir_backend, truncate)},
		{"extent", offsetof(struct weir_backend, extent)},
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (!*(void *const *)((const char *)backend +
				      functions[i].place))
			return functions[i].name;
	}
	return NULL;
}

static int check_plugin(const struct weir_backend *backend, const char *path)
{
	const char *lacks;

	if (!backend) {
		fprintf(stderr,
			"weir: %s is no backend: it has no weir_backend\n",
			path);
		return -ENOEXEC;
	}
	if (backend->version != WEIR_BACKEND_VERSION) {
		fprintf(stderr,
			"weir: %s is a backend of version %u; this is %u: "
			"build it again\n",
			path, backend->version, WEIR_BACKEND_VERSION);
		return -ENOEXEC;
	}
	lacks = missing(backend);
	if (lacks) {
		fprintf(stderr, "weir: %s: the backend has no %s()\n", path,
			lacks);
		return -ENOEXEC;
	}
	return 0;
}

static int open_library(const char *path)
{
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (library)
		return 0;
	fprintf(stderr, "weir: cannot load the backend: %s\n", dlerror());
	return -ELIBACC;
}

static int begin_plugin(const struct weir_backend *backend, const char *options)
{
	int err = backend->begin(options ? options : "", &weir_backends_self);

	if (err)
		fprintf(stderr, "weir: the backend %s does not begin: %s\n",
			backend->name ? backend->name : "",
			strerror(-err));
	else
		weir_backends_used = backend;
	return err;
}

/* Cuts off the options: behind a name, or behind FILE.so, is a colon. */
static const char *cut_options(char *name)
{
	for (char *at = strchr(name, ':'); at; at = strchr(at + 1, ':')) {
		*at = '\0';
		if (!strpbrk(name, "./") || ends_like_library(name))
			return at + 1;
		*at = ':';
	}
	return NULL;
}

int weir_backends_place(const char *given, char ret_name[PATH_MAX])
{
	char name[PATH_MAX], real[PATH_MAX];
	const char *options;
	int length = snprintf(name, sizeof(name), "%s", given);

	options = cut_options(name);
	if (strpbrk(name, "./") && realpath(name, real))
		length = snprintf(ret_name, PATH_MAX, "%s%s%s", real,
				  options ? ":" : "", options ? options : "");
	else
		snprintf(ret_name, PATH_MAX, "%s", given);
	return length < PATH_MAX ? 0 : -ENAMETOOLONG;
}

int weir_backends_load(const char *name, const char *options)
{
	char own[PATH_MAX], path[PATH_MAX];
	const struct weir_backend *backend;
	const char *behind;
	int err;

	snprintf(own, sizeof(own), "%s", name);
	behind = cut_options(own);
	if (behind && (!options || !*options))
		options = behind;
	err = find_library(own, path);
	if (!err)
		err = open_library(path);
	if (err)
		return err;
	backend = dlsym(library, "weir_backend");
	err = check_plugin(backend, path);
	if (!err)
		err = begin_plugin(backend, options);
	if (err)
		weir_backends_end();
	return err;
}

void weir_backends_end(void)
{
	if (weir_backends_used)
		weir_backends_used->end(weir_backends_self);
	weir_backends_used = NULL;
	weir_backends_self = NULL;
	if (library)
		dlclose(library);
	library = NULL;
}
