/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses what calls mean in traces whose dictionary does not say it. */
#include "trace/event/oldmeaning.h"

#include "trace/layout/trace_layout.h"

#include <stddef.h>
#include <string.h>

#define MEANS(class)	    WEIR_MEANS_##class, 0
#define ALSO(class, traits) WEIR_MEANS_##class, traits
#define READS		    WEIR_TRAIT_READS
#define WRITES		    WEIR_TRAIT_WRITES
#define LOOKS		    WEIR_TRAIT_LOOKS
#define CREATES		    WEIR_TRAIT_CREATES
#define TOGETHER	    WEIR_TRAIT_TOGETHER
#define ATTRIBUTE	    WEIR_TRAIT_ATTRIBUTE
#define BEHIND		    WEIR_TRAIT_BEHIND

struct guess {
	const char *word;
	enum weir_means class;
	uint32_t traits;
};

static const struct guess by_name[] = {
	{ "stat", ALSO(STAT, LOOKS) },	  { "lstat", ALSO(STAT, LOOKS) },
	{ "fstatat", ALSO(STAT, LOOKS) }, { "statx", ALSO(STAT, LOOKS) },
	{ "fstat", MEANS(STAT) },	  { "fsync", MEANS(SYNC) },
	{ "fdatasync", MEANS(SYNC) },	  { "syncfs", MEANS(SYNC) },
	{ "sync", MEANS(SYNC) },	  { "sync_file_range", MEANS(SYNC) },
	{ "msync", MEANS(SYNC) },	  { "access", MEANS(LOOK) },
	{ "faccessat", MEANS(LOOK) },	  { "eaccess", MEANS(LOOK) },
	{ "readlink", MEANS(LOOK) },	  { "readlinkat", MEANS(LOOK) },
	{ "rename", MEANS(RENAME) },	  { "renameat", MEANS(RENAME) },
	{ "renameat2", MEANS(RENAME) },	  { "link", MEANS(LINK) },
	{ "linkat", MEANS(LINK) },	  { "unlink", MEANS(UNLINK) },
	{ "unlinkat", MEANS(UNLINK) },	  { "remove", MEANS(UNLINK) },
	{ "shm_unlink", MEANS(UNLINK) },  { "MPI_File_delete", MEANS(UNLINK) },
	{ "H5Fdelete", MEANS(UNLINK) },	  { "ncmpi_delete", MEANS(UNLINK) },
	{ "creat", ALSO(OPEN, CREATES) }, { "mkstemp", ALSO(OPEN, CREATES) },
	{ "mkostemp", ALSO(OPEN, CREATES) },
	{ "mkstemps", ALSO(OPEN, CREATES) },
	{ "mkostemps", ALSO(OPEN, CREATES) },
	{ "opendir", ALSO(OPEN, WEIR_TRAIT_DIRECTORY) },
	{ "chdir", MEANS(CHDIR) },	  { "fchdir", MEANS(CHDIR) },
	{ "truncate", MEANS(TRUNCATE) },  { "ftruncate", MEANS(TRUNCATE) },
	{ "mmap", MEANS(MAP) },		  { "flock", MEANS(LOCK) },
	{ "lockf", MEANS(LOCK) },	  { "sendfile", ALSO(COPY, WRITES) },
	{ "vmsplice", ALSO(COPY, WRITES) },
	{ "MPI_Init", MEANS(LIBRARY) },	  { "MPI_Init_thread", MEANS(LIBRARY) },
	{ "MPI_Finalize", MEANS(LIBRARY) }, { "object", MEANS(CODE) },
	{ "posix_spawn", MEANS(PROCESS) }, { "posix_spawnp", MEANS(PROCESS) },
	{ "system", MEANS(PROCESS) },	  { "vfork", MEANS(PROCESS) },
	{ "chroot", MEANS(PROCESS) },	  { "MPI_Abort", MEANS(PROCESS) },
	{ "plan_effect", MEANS(PLAN_EFFECT) }, { "proof", MEANS(DIGEST) },
	{ "hdf5_messages", MEANS(MESSAGES) },
	{ "forward", ALSO(WRITE, BEHIND) },
	{ "forward_ask", ALSO(SERVICE, BEHIND) },
	{ "H5Ldelete", ALSO(UNLINK, TOGETHER) },
	{ "H5Ldelete_async", ALSO(UNLINK, TOGETHER) },
	{ "H5Gunlink", MEANS(UNLINK) },	  { "H5Gmove", MEANS(RENAME) },
	{ "H5Gmove2", MEANS(RENAME) },	  { "H5Lmove", ALSO(RENAME, TOGETHER) },
	{ "H5Adelete", ALSO(UNLINK, ATTRIBUTE | TOGETHER) },
	{ "H5Arename", ALSO(RENAME, ATTRIBUTE) },
};

/* Of a layer above libc, what its role and a part of its name say. */
static const struct guess by_part[] = {
	{ "flush", MEANS(FLUSH) }, { "sync", MEANS(FLUSH) },
	{ "enddef", MEANS(FLUSH) },
};

/* Operations of one call each say by their name which way they go. */
static const struct guess by_begin[] = {
	{ "aio_read", ALSO(SUBMIT, READS) },
	{ "aio_write", ALSO(SUBMIT, WRITES) },
	{ "ncmpi_iget_", ALSO(SUBMIT, READS) },
	{ "ncmpi_iput_", ALSO(SUBMIT, WRITES) },
	{ "ncmpi_bput_", ALSO(SUBMIT, WRITES) },
	{ "MPI_File_iread", ALSO(SUBMIT, READS) },
	{ "MPI_File_iwrite", ALSO(SUBMIT, WRITES) },
	{ "MPI_File_read_", ALSO(SUBMIT, READS) },
	{ "MPI_File_write_", ALSO(SUBMIT, WRITES) },
};

static const struct guess by_role[] = {
	{ "open", MEANS(OPEN) },	{ "how", MEANS(OPEN) },
	{ "fopen", MEANS(OPEN) },	{ "freopen", MEANS(OPEN) },
	{ "found", ALSO(OPEN, WEIR_TRAIT_NAMELESS) },
	{ "unnamed", ALSO(OPEN, WEIR_TRAIT_NAMELESS) },
	{ "fpopen", ALSO(OPEN, WEIR_TRAIT_NAMELESS) },
	{ "dir_open", ALSO(OPEN, WEIR_TRAIT_DIRECTORY) },
	{ "close", MEANS(CLOSE) },	{ "sweep", MEANS(CLOSE) },
	{ "fclose", MEANS(CLOSE) },	{ "dir_close", MEANS(CLOSE) },
	{ "read", MEANS(READ) },	{ "write", MEANS(WRITE) },
	{ "print", MEANS(PRINT) },	{ "get", MEANS(STREAM_READ) },
	{ "put", MEANS(STREAM_WRITE) }, { "fill", MEANS(STREAM_FILL) },
	{ "drain", MEANS(STREAM_FLUSH) }, { "copy", ALSO(COPY, READS) },
	{ "submit", MEANS(SUBMIT) },	{ "done", MEANS(COMPLETE) },
	{ "seek", MEANS(SEEK) },	{ "fseek", MEANS(SEEK) },
	{ "ftell", MEANS(SEEK) },	{ "map", MEANS(MAP_CHANGE) },
	{ "map_cut", MEANS(MAP_CHANGE) }, { "map_use", MEANS(MAP_CHANGE) },
	{ "map_move", MEANS(MAP_CHANGE) }, { "dir", MEANS(LIST) },
	{ "dir_list", MEANS(LIST) },	{ "dir_walk", MEANS(LIST) },
	{ "dir_tree", MEANS(LIST) },	{ "dup", MEANS(DUP) },
	{ "control", MEANS(CONTROL) },	{ "mark", MEANS(MARK) },
};

/* How calls of HDF5 are called that its manual wants all ranks to make. */
static const char *const together[] = {
	"create", "H5Fclose", "H5Fflush", "set_extent", "H5Dextend",
	"H5Ldelete", "H5Lmove", "H5Adelete",
};

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static bool has_layer(const struct weir_call *call, const char *layer)
{
	return call->layer && !strcmp(call->layer, layer);
}

static bool is_equal(const char *word, const char *name)
{
	return !strcmp(name, word);
}

static bool is_part(const char *word, const char *name)
{
	return strstr(name, word) != NULL;
}

static bool is_begin(const char *word, const char *name)
{
	return !strncmp(name, word, strlen(word));
}

struct table {
	const struct guess *rows;
	size_t count;
	bool (*fits)(const char *word, const char *name);
};

#define TABLE(rows, fits) (&(struct table){ rows, COUNT(rows), fits })

/* Whether a row of the table fits; the call gets what it says. */
static bool guess_by(const struct table *table, const char *name,
		     struct weir_meaning *means)
{
	for (size_t i = 0; i < table->count; i++) {
		if (!table->fits(table->rows[i].word, name))
			continue;
		means->class = table->rows[i].class;
		means->traits |= table->rows[i].traits;
		return true;
	}
	return false;
}

static bool is_above_libc(const struct weir_call *call)
{
	return call->layer && !has_layer(call, "posix") &&
	       !has_layer(call, "stdio") && !has_layer(call, "async");
}

static void guess_class(struct weir_call *call)
{
	struct weir_meaning *means = &call->means;

	if (guess_by(TABLE(by_name, is_equal), call->name, means))
		return;
	if (is_above_libc(call) && !strcmp(call->role, "sync") &&
	    guess_by(TABLE(by_part, is_part), call->name, means))
		return;
	if (!strcmp(call->role, "submit") &&
	    guess_by(TABLE(by_begin, is_begin), call->name, means))
		return;
	if (!guess_by(TABLE(by_role, is_equal), call->role, means))
		means->class = WEIR_MEANS_OTHER;
}

/* As the names of MPI-IO and PnetCDF say it, and the manual of HDF5. */
static void guess_together(struct weir_call *call)
{
	bool is_open = call->means.class == WEIR_MEANS_OPEN;

	if (strstr(call->name, "_all") || strstr(call->name, "_ordered"))
		call->means.traits |= TOGETHER;
	if (!has_layer(call, "hdf5") || !strncmp(call->name, "H5ES", 4) ||
	    !strncmp(call->name, "H5R", 3))
		return;
	call->means.traits &= ~(uint32_t)TOGETHER;
	for (size_t i = 0; i < COUNT(together); i++)
		if (strstr(call->name, together[i]))
			call->means.traits |= TOGETHER;
	if (is_open && strstr(call->name, "create"))
		call->means.traits |= CREATES;
}

static bool is_name(const struct weir_argument *argument)
{
	static const char *const kinds[] = { "h5name", "ncname" };

	if (argument->kind->wire == WEIR_WIRE_PATH)
		return strcmp(argument->name, "to") != 0;
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (!strcmp(argument->kind->name, kinds[i]))
			return true;
	return false;
}

static bool is_second(const struct weir_argument *argument)
{
	return !strcmp(argument->name, "to") ||
	       !strcmp(argument->kind->name, "h5name2");
}

static bool is_off(const struct weir_argument *argument)
{
	return argument->kind->place == WEIR_PLACE_OFF;
}

static bool is_len(const struct weir_argument *argument)
{
	return argument->kind->place == WEIR_PLACE_SIZE &&
	       !strcmp(argument->kind->show, "bytes");
}

static uint8_t first(const struct weir_call *call,
		     bool (*fits)(const struct weir_argument *argument))
{
	for (uint32_t i = 0; i < call->argument_count; i++)
		if (fits(&call->arguments[i]))
			return (uint8_t)(i + 1);
	return 0;
}

static bool has_two_names(const struct weir_meaning *means)
{
	return means->class == WEIR_MEANS_RENAME ||
	       means->class == WEIR_MEANS_LINK;
}

static bool is_text_name(const struct weir_argument *argument)
{
	return !strcmp(argument->name, "name");
}

static void guess_arguments(struct weir_call *call)
{
	struct weir_meaning *means = &call->means;

	means->name = first(call, is_name);
	if (!means->name && means->class == WEIR_MEANS_UNLINK)
		means->name = first(call, is_text_name);
	if (has_two_names(means))
		means->to = first(call, is_second);
	if (means->class == WEIR_MEANS_TRUNCATE) {
		means->len = first(call, is_off);
		return;
	}
	means->off = first(call, is_off);
	means->len = first(call, is_len);
}

void weir_oldmeaning_guess(struct weir_call *call)
{
	call->means.is_guessed = true;
	guess_class(call);
	guess_together(call);
	guess_arguments(call);
}
