/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the directory of a trace, its live directory, names and lock. */
#ifndef WEIR_DIRECTORY_TRACEDIR_H
#define WEIR_DIRECTORY_TRACEDIR_H

#include <limits.h>
#include <stdbool.h>

struct weir_tracedir {
	char dir[PATH_MAX];  /* absolute */
	char host[80];	     /* this node, as it stands in file names */
	char live[PATH_MAX]; /* live directory; empty: not known yet */
	int lock_fd;	     /* -1: not locked */
	bool made;	     /* the directory was not there before */
};

/* A name for it: weir-COMMAND-PID-TIME, or -JOB if that is not "". */
void weir_tracedir_name(char dir[PATH_MAX], const char *command,
			const char *job);

/*
 * Takes an existing directory. `weir run` makes its own with
 * weir_tracedir_create: -EEXIST when there is something in it already.
 */
int weir_tracedir_open(struct weir_tracedir *place, const char *dir);
int weir_tracedir_create(struct weir_tracedir *place, const char *dir);

/*
 * The same of a directory that other runs may use at the same time: its files
 * are named after this process, too.
 */
int weir_tracedir_join(struct weir_tracedir *place, const char *dir);
/* 1, 0 or -errno. */
int weir_tracedir_is_empty(const char *path);

void weir_tracedir_close(struct weir_tracedir *place);

/* Leaves nothing behind of a trace that will not be made. */
void weir_tracedir_abandon(struct weir_tracedir *place);

/* DIR/HOSTsuffix; returns to, or NULL when that is too long. */
char *weir_tracedir_path(const struct weir_tracedir *place, const char *suffix,
			 char to[PATH_MAX]);

/* -ENOSPC and the like when not even an empty trace would fit. */
int weir_tracedir_check_room(const struct weir_tracedir *place);

/*
 * Makes the live directory: in memory, or in the trace directory when there
 * is no room for it in memory. DIR/HOST.live leads to it.
 */
int weir_tracedir_make_live(struct weir_tracedir *place);

/* Follows DIR/HOST.live. -ENOENT: there is none; -EPERM: not ours alone. */
int weir_tracedir_find_live(struct weir_tracedir *place);

/* Removes the live directory; -ENOTEMPTY when a process has just come. */
int weir_tracedir_remove_live(struct weir_tracedir *place);

/* The trace has been removed: so are the live files that nobody can find. */
bool weir_tracedir_discard_lost(struct weir_tracedir *place);

/* One collector per node and trace; -EWOULDBLOCK: there is another. */
int weir_tracedir_lock(struct weir_tracedir *place);

/*
 * Makes the locked directory the process's own, and all paths begin there:
 * whatever is put under its name later stays as it is. -ESTALE: it has been
 * removed, or replaced, since it was locked.
 */
int weir_tracedir_enter(struct weir_tracedir *place);
void weir_tracedir_unlock(struct weir_tracedir *place);

#endif
