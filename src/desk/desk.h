/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace's desk answers: the page, and questions about events. */
#ifndef WEIR_DESK_DESK_H
#define WEIR_DESK_DESK_H

#include "desk/http.h"
#include "desk/ticket.h"
#include "desk/walk.h"
#include "export/sites.h"
#include "trace/read/reader.h"

#include <stdbool.h>

/* Zero it to begin. All is borrowed but the ticket and the walk. */
struct weir_desk {
	struct weir_reader *reader;
	struct weir_sites *sites; /* NULL: no call sites were recorded */
	int page; /* a file in memory */
	struct weir_ticket ticket;
	struct weir_walk walk;
};

struct weir_desk_answer {
	int status;
	int body; /* a file, to be closed unless it is the page; -1: none */
	bool is_page;
	bool lets_in; /* with the cookie, and on to the page */
};

/*
 * Never fails: whatever is wrong is an answer. When there is no memory for a
 * body there is none.
 */
void weir_desk_answer(struct weir_desk *desk,
		      const struct weir_http_request *request,
		      struct weir_desk_answer *ret_answer);

/* The same for a request that could not be understood: a status of HTTP. */
void weir_desk_refuse(int status, struct weir_desk_answer *ret_answer);

/* What a status is called; "Error" for those never used. */
const char *weir_desk_reason(int status);

void weir_desk_fini(struct weir_desk *desk);

#endif
