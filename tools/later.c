/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for parts that are not there yet. */
#include "serve/sessions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#pragma weak weir_sessions_begin
int weir_sessions_begin(void) { return 0; }
#pragma weak weir_sessions_end
void weir_sessions_end(void) {}
#pragma weak weir_sessions_attach
int weir_sessions_attach(pid_t pid, struct weir_sessions_welcome *w)
{ return -ENOSYS; }
#pragma weak weir_sessions_open
int weir_sessions_open(const struct weir_op_open_in *in, const char *path,
		       int fd, struct weir_op_open_out *out)
{ return -ENOSYS; }
#pragma weak weir_sessions_look
void weir_sessions_look(pid_t pid) {}
#pragma weak weir_sessions_sweep
bool weir_sessions_sweep(void) { return false; }
#pragma weak weir_sessions_count
uint32_t weir_sessions_count(void) { return 0; }
#pragma weak weir_sessions_seal
void weir_sessions_seal(void) {}
#pragma weak weir_sessions_granted
uint64_t weir_sessions_granted(void) { return 0; }
#pragma weak weir_sessions_waiting
uint64_t weir_sessions_waiting(void) { return 0; }
#pragma weak weir_files_begin
int weir_files_begin(void) { return 0; }
#pragma weak weir_files_end
void weir_files_end(void) {}
#pragma weak weir_files_each
void weir_files_each(void (*look)(struct weir_file *file, void *arg),
		     void *arg) {}
#pragma weak weir_files_tell
void weir_files_tell(struct weir_file *file) {}
#pragma weak weir_sessions_ingest
void weir_sessions_ingest(struct weir_file *file) {}
#pragma weak weir_sessions_ingest_all
void weir_sessions_ingest_all(void) {}
