/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for parts that are not there yet. */
#include "serve/later.h"
#include "serve/sessions.h"
#include "serve/stage.h"
#include "serve/unstored.h"

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
#pragma weak weir_stage_begin
int weir_stage_begin(void) { return 0; }
#pragma weak weir_stage_end
void weir_stage_end(void) {}
#pragma weak weir_stage_everything
uint64_t weir_stage_everything(void) { return 0; }
#pragma weak weir_stage_dirty
uint64_t weir_stage_dirty(void) { return 0; }
#pragma weak weir_stage_rate
uint64_t weir_stage_rate(void) { return 0; }
#pragma weak weir_unstored_count
uint32_t weir_unstored_count(void) { return 0; }
#pragma weak weir_unstored_json
char *weir_unstored_json(void) { return strdup("[]\n"); }
#pragma weak weir_unstored_print
void weir_unstored_print(FILE *out) {}
#pragma weak weir_stage_discard
uint64_t weir_stage_discard(const char *path) { return 0; }
#pragma weak weir_unstored_rescue
uint32_t weir_unstored_rescue(const char *directory) { return 0; }
#pragma weak weir_rescue_recover
int weir_rescue_recover(const char *file, bool force) { return -ENOSYS; }
