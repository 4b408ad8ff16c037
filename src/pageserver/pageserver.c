/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers requests about a trace: the page, and single events. */
#include "pageserver/pageserver.h"

#include "base/text.h"
#include "pageserver/lineage.h"
#include "pageserver/urlquery.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What each status is called, and what a person is told of it. */
static const struct status {
	int status;
	const char *reason, *told;
} statuses[] = {
	{ 200, "OK", "" },
	{ 303, "See Other", "" },
	{ 400, "Bad Request", "the request is not valid" },
	{ 403, "Forbidden",
	  "open the URL that weir printed; it works once, so start weir "
	  "report --browse again for another browser" },
	{ 404, "Not Found", "there is no such page or event" },
	{ 405, "Method Not Allowed", "only GET is answered" },
	{ 408, "Request Timeout", "the request took too long" },
	{ 410, "Gone",
	  "the trace was changed meanwhile; start weir report --browse again" },
	{ 431, "Request Header Fields Too Large", "the request is too long" },
	{ 500, "Internal Server Error", "the trace could not be read" },
	{ 505, "HTTP Version Not Supported", "use HTTP/1.1" },
};

static const struct status *find_status(int status)
{
	for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++)
		if (statuses[i].status == status)
			return &statuses[i];
	return NULL;
}

const char *weir_pageserver_reason(int status)
{
	const struct status *found = find_status(status);

	return found ? found->reason : "Error";
}

void weir_pageserver_fini(struct weir_pageserver *server)
{
	weir_eventpages_fini(&server->pages);
}

static int make_body(void)
{
	return memfd_create("weir-answer", MFD_CLOEXEC);
}

/* {"error": told}, in place of what the body may have had. */
static void put_error(struct weir_pageserver_answer *answer, int status,
		      const char *told)
{
	struct weir_text out;

	answer->status = status;
	if (answer->body < 0)
		answer->body = make_body();
	if (answer->body < 0)
		return;
	if (ftruncate(answer->body, 0) < 0 ||
	    lseek(answer->body, 0, SEEK_SET) < 0 ||
	    weir_text_init(&out, answer->body))
		return;
	weir_text_string(&out, "{\"error\":");
	weir_text_json(&out, told, strlen(told));
	weir_text_string(&out, "}\n");
	weir_text_flush(&out);
	weir_text_fini(&out);
}

void weir_pageserver_refuse(int status,
			    struct weir_pageserver_answer *ret_answer)
{
	const struct status *found = find_status(status);

	*ret_answer = (struct weir_pageserver_answer){ .body = -1 };
	put_error(ret_answer, status, found ? found->told : "");
}

/* What an error of reading is to who asked. */
static int status_of(int err)
{
	switch (err) {
	case -ENOENT:
		return 404;
	case -ESTALE:
		return 410;
	default:
		return 500;
	}
}

static void answer_page(struct weir_pageserver *server, char *query,
			struct weir_pageserver_answer *answer)
{
	answer->status = 200;
	answer->body = server->page;
	answer->is_page = true;
}

static void answer_events(struct weir_pageserver *server, char *query,
			  struct weir_pageserver_answer *answer)
{
	struct weir_urlquery asked;
	const char *wrong = NULL;
	int err = weir_urlquery_parse(&asked, query, weir_eventpages_keys,
				      &wrong);

	answer->status = 200;
	if (!err)
		err = weir_eventpages_answer(&server->pages, &asked,
					     answer->body, &wrong);
	if (wrong)
		put_error(answer, 400, wrong);
	else if (err)
		put_error(answer, status_of(err),
			  find_status(status_of(err))->told);
}

static void answer_event(struct weir_pageserver *server, char *query,
			 struct weir_pageserver_answer *answer)
{
	static const char *const keys[] = { "id", NULL };
	struct weir_tree_id id;
	struct weir_urlquery asked;
	const char *wrong = NULL;
	int err = weir_urlquery_parse(&asked, query, keys, &wrong);

	answer->status = 200;
	if (!err && (!asked.values[0] ||
		     !weir_tree_id_parse(asked.values[0], &id)))
		wrong = "id is PROCESS.THREAD.INDEX, like 1.1.0";
	if (wrong) {
		put_error(answer, 400, wrong);
		return;
	}
	weir_eventpages_forget(&server->pages);
	err = weir_lineage_answer(server->reader, server->sites, id,
				  answer->body);
	if (err)
		put_error(answer, status_of(err),
			  find_status(status_of(err))->told);
}

static const struct route {
	const char *path;
	void (*answer)(struct weir_pageserver *server, char *query,
		       struct weir_pageserver_answer *answer);
	bool needs_body;
} routes[] = {
	{ "/", answer_page, false },
	{ "/events", answer_events, true },
	{ "/event", answer_event, true },
};

static void answer_route(struct weir_pageserver *server,
			 const struct weir_http_request *request,
			 struct weir_pageserver_answer *answer)
{
	for (size_t i = 0; i < sizeof(routes) / sizeof(*routes); i++) {
		if (strcmp(routes[i].path, request->path))
			continue;
		if (routes[i].needs_body)
			answer->body = make_body();
		if (routes[i].needs_body && answer->body < 0)
			answer->status = 500;
		else
			routes[i].answer(server, request->query, answer);
		return;
	}
	weir_pageserver_refuse(404, answer);
}

/* The address that was printed: /?token=..., and nothing else. */
static bool shows_token(struct weir_pageserver *server,
			const struct weir_http_request *request)
{
	static const char key[] = "token=";

	return !strcmp(request->path, "/") && request->query &&
	       !strncmp(request->query, key, strlen(key)) &&
	       weir_access_use(&server->access, request->query + strlen(key));
}

void weir_pageserver_answer(struct weir_pageserver *server,
			    const struct weir_http_request *request,
			    struct weir_pageserver_answer *ret_answer)
{
	*ret_answer = (struct weir_pageserver_answer){ .body = -1 };
	if (!weir_access_is_host(&server->access, request->host)) {
		weir_pageserver_refuse(403, ret_answer);
	} else if (shows_token(server, request)) {
		ret_answer->status = 303;
		ret_answer->lets_in = true;
	} else if (!weir_access_holds(&server->access, request->cookie)) {
		weir_pageserver_refuse(403, ret_answer);
	} else {
		answer_route(server, request, ret_answer);
	}
}
