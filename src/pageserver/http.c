/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the head of an HTTP request, strictly. */
#include "pageserver/http.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define MOST_HEADERS 64

static bool is_token(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) &&
		    !strchr("!#$%&'*+-.^_`|~", *text))
			return false;
	return true;
}

/* The byte behind the empty line that ends the head, or NULL. */
static char *find_end(char *bytes, size_t len)
{
	char *end = memmem(bytes, len, "\r\n\r\n", 4);

	return end ? end + 4 : NULL;
}

/* Nothing but text and tabs, in lines that end with both CR and LF. */
static bool is_text(const char *at, const char *end)
{
	for (; at < end; at++) {
		unsigned char c = (unsigned char)*at;

		if (c == '\r') {
			if (*++at != '\n')
				return false;
		} else if ((c < 0x20 && c != '\t') || c == 0x7f) {
			return false;
		}
	}
	return true;
}

/* Cuts off the line at *at and goes to the next. */
static char *take_header_line(char **at)
{
	char *line = *at, *end = strstr(line, "\r\n");

	*end = '\0';
	*at = end + 2;
	return line;
}

static bool take_target(char *target, struct weir_http_request *request)
{
	if (*target != '/')
		return false;
	for (const char *at = target; *at; at++)
		if ((unsigned char)*at > 0x7e || *at == '#')
			return false;
	request->path = target;
	request->query = strchr(target, '?');
	if (request->query)
		*request->query++ = '\0';
	return true;
}

/* METHOD TARGET VERSION, with one space between them. 0 or a status. */
static int take_first(char *line, struct weir_http_request *request)
{
	char *target = strchr(line, ' '), *version;

	if (!target)
		return 400;
	*target++ = '\0';
	version = strchr(target, ' ');
	if (!version)
		return 400;
	*version++ = '\0';
	if (!is_token(line) || strchr(version, ' ') || strchr(version, '\t') ||
	    strchr(target, '\t') || strncmp(version, "HTTP/", 5))
		return 400;
	if (strcmp(version, "HTTP/1.1") && strcmp(version, "HTTP/1.0"))
		return 505;
	if (strcmp(line, "GET"))
		return 405;
	return take_target(target, request) ? 0 : 400;
}

static char *trim(char *value)
{
	char *end = value + strlen(value);

	while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	return value + strspn(value, " \t");
}

/* What is there once at most, and what only a body would need. 0 or 400. */
static int take_header(char *line, struct weir_http_request *request)
{
	char *value = strchr(line, ':');

	if (!value)
		return 400;
	*value++ = '\0';
	if (!is_token(line))
		return 400;
	value = trim(value);
	if (!strcasecmp(line, "Host")) {
		if (request->host)
			return 400;
		request->host = value;
	} else if (!strcasecmp(line, "Cookie")) {
		if (request->cookie)
			return 400;
		request->cookie = value;
	} else if (!strcasecmp(line, "Transfer-Encoding")) {
		return 400;
	} else if (!strcasecmp(line, "Content-Length")) {
		return strcmp(value, "0") ? 400 : 0;
	}
	return 0;
}

static int take_lines(char *at, struct weir_http_request *request)
{
	int status = take_first(take_header_line(&at), request);

	for (int n = 0; !status && *at; n++) {
		char *line = take_header_line(&at);

		if (!*line)
			break;
		status = n < MOST_HEADERS ? take_header(line, request) : 431;
	}
	return !status && !request->host ? 400 : status;
}

int weir_http_parse(char *bytes, size_t len,
		    struct weir_http_request *ret_request)
{
	struct weir_http_request request = { .path = NULL };
	size_t most = len < WEIR_HTTP_MOST ? len : WEIR_HTTP_MOST;
	char *end = find_end(bytes, most);
	int status;

	if (!is_text(bytes, end ? end : bytes + most - (most > 0)))
		return -400;
	if (!end)
		return len >= WEIR_HTTP_MOST ? -431 : 0;
	*end = '\0';
	status = take_lines(bytes, &request);
	if (status)
		return -status;
	*ret_request = request;
	return (int)(end - bytes);
}

const char *weir_http_cookie(const char *header, const char *name,
			     size_t *ret_len)
{
	size_t len = strlen(name);

	while (header && *header) {
		header += strspn(header, " \t");
		if (!strncmp(header, name, len) && header[len] == '=') {
			*ret_len = strcspn(header + len + 1, "; \t");
			return header + len + 1;
		}
		header = strchr(header, ';');
		header = header ? header + 1 : NULL;
	}
	return NULL;
}
