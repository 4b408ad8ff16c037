/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds what a server takes from anybody any bytes: requests and queries. */
#include "pageserver/access.h"
#include "pageserver/eventpages.h"
#include "pageserver/http.h"
#include "pageserver/urlquery.h"
#include "target.h"

static void must_lie_in(const char *text, const char *bytes, size_t len)
{
	if (text)
		must(text >= bytes && text + strlen(text) < bytes + len + 1);
}

static void read_query(char *text)
{
	struct weir_urlquery_numbers numbers;
	struct weir_urlquery query;
	const char *wrong = NULL;

	if (weir_urlquery_parse(&query, text, weir_eventpages_keys, &wrong)) {
		must(!!wrong);
		return;
	}
	for (int i = 0; weir_eventpages_keys[i]; i++) {
		const char *value = query.values[i];

		if (!value)
			continue;
		must(*value);
		weir_urlquery_names(value, "read");
		if (!weir_urlquery_numbers(value, &numbers))
			must(weir_urlquery_has(&numbers,
					       numbers.ranges[0].first));
	}
}

static void read_cookie(const char *header)
{
	struct weir_access ticket = { .token = "", .secret = "", .port = 80 };
	size_t len;
	const char *value = weir_http_cookie(header, "weir_80", &len);

	if (value)
		must(len <= strlen(value));
	/* an empty secret is nobody's, nor is a token that was used */
	must(!weir_access_holds(&ticket, header));
	must(!weir_access_use(&ticket, ""));
}

/* A request comes in pieces: each part of it is incomplete, or wrong. */
static int read_parts(char *bytes, const uint8_t *data, size_t size)
{
	struct weir_http_request request;
	size_t step = size / 7 + 1;
	int got;

	for (size_t len = 0; len < size; len += step) {
		memcpy(bytes, data, size);
		got = weir_http_parse(bytes, len, &request);
		must(got <= (int)len);
		if (got)
			return got;
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weir_http_request request;
	char *bytes = malloc(size + 1);
	int part, whole;

	must(!!bytes);
	part = read_parts(bytes, data, size);
	memcpy(bytes, data, size);
	whole = weir_http_parse(bytes, size, &request);
	must(!part || part == whole || part == -400 || whole == -400);
	must(whole <= WEIR_HTTP_MOST && whole >= -599);
	if (whole > 0) {
		must_lie_in(request.path, bytes, size);
		must_lie_in(request.query, bytes, size);
		must_lie_in(request.host, bytes, size);
		must_lie_in(request.cookie, bytes, size);
		must(request.path && *request.path == '/' && request.host);
		read_cookie(request.cookie);
		if (request.query)
			read_query(request.query);
	}
	memcpy(bytes, data, size);
	bytes[size] = '\0';
	read_query(bytes);
	free(bytes);
	return 0;
}

static const char *const words[] = {
	"GET ", "HEAD ", "POST ", "/", "/events?", "/event?id=1.1.0", "/page",
	" HTTP/1.1\r\n", " HTTP/1.0\r\n", "Host: 127.0.0.1:80\r\n",
	"Cookie: weir_80=", "Content-Length: 9\r\n",
	"Transfer-Encoding: chunked\r\n", "Connection: close\r\n", "\r\n",
	"\r\n\r\n", "\n", "\r", ": ", "from=", "&to=", "&who=1-4,9",
	"&file=!3", "&path=*", "&call=read,write", "&layer=posix", "&limit=7",
	"&after=1.2.3.4.5", "%2f", "%00", "%", "+", "&", "=", ",", "!", NULL,
};

const struct fuzz_shape fuzz_shape = { .words = words };
