/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers requests about a trace: the page, and single events. */
#ifndef WEIR_PAGESERVER_PAGESERVER_H
#define WEIR_PAGESERVER_PAGESERVER_H

#include "export/sites/sites.h"
#include "pageserver/access.h"
#include "pageserver/eventpages.h"
#include "pageserver/http.h"
#include "trace/read/reader.h"

#include <stdbool.h>

/* Zero it to begin. All is borrowed but `access` and `pages`. */
struct weir_pageserver {
	struct weir_reader *reader;
	struct weir_sites *sites; /* NULL: no call sites were recorded */
	int page;		  /* a file in memory */
	struct weir_access access;
	struct weir_eventpages pages;
};

struct weir_pageserver_answer {
	int status;
	int body; /* a file, to be closed unless it is the page; -1: none */
	bool is_page;
	bool lets_in; /* with the cookie, and on to the page */
};

/*
 * Never fails: whatever is wrong is an answer. When there is no memory for a
 * body there is none.
 */
void weir_pageserver_answer(struct weir_pageserver *server,
			    const struct weir_http_request *request,
			    struct weir_pageserver_answer *ret_answer);

/* The same for a request that could not be understood: a status of HTTP. */
void weir_pageserver_refuse(int status,
			    struct weir_pageserver_answer *ret_answer);

/* What a status is called; "Error" for those never used. */
const char *weir_pageserver_reason(int status);

void weir_pageserver_fini(struct weir_pageserver *server);

#endif
