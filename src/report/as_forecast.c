/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes in words what forwarding would bring. */
#include "report/as_forecast.h"

#include "report/output/jsonout.h"
#include "report/output/measures.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NOTABLE 10 /* a tenth of what is spent now */

/* Why it is not advised; {} is where files lie. */
static const char *const reasons[] = {
	[WEIR_FORECAST_NOTHING] = "",
	[WEIR_FORECAST_DONE] = "Nothing to do: the run was forwarded.",
	[WEIR_FORECAST_HOSTS] =
		"Not possible: the run has several hosts, and a service "
		"serves one.",
	[WEIR_FORECAST_MAPPED] =
		"Not possible: all files that are written are mapped, used by "
		"asynchronous calls or standard streams, or inherited from "
		"another program.",
	[WEIR_FORECAST_SYNCHRONOUS] =
		"Not possible: files are opened with O_SYNC, O_DSYNC or "
		"O_DIRECT, and such writes wait.",
	[WEIR_FORECAST_LOCAL] =
		"Not advised: {} is local to this machine, and the kernel "
		"caches writes as the service would.",
	[WEIR_FORECAST_CHEAP] =
		"Not advised: the file system is unknown, but writes take "
		"little time on it.",
	[WEIR_FORECAST_LITTLE] = "Not advised: there is little to gain on {}.",
	[WEIR_FORECAST_UNTIMED] =
		"Not known: records of --ring do not tell how long writes take "
		"on {}.",
	[WEIR_FORECAST_HELPS] = "",
};

static void put_safely(struct weir_text *out, const char *text)
{
	weir_text_safe(out, text, strlen(text));
}

static void put_time(struct weir_text *out, uint64_t ns)
{
	char time[WEIR_MEASURES_ROOM];

	weir_text_string(out, weir_measures_time(time, ns));
}

static void put_bytes(struct weir_text *out, uint64_t bytes)
{
	char size[WEIR_MEASURES_ROOM];

	weir_text_string(out, weir_measures_bytes(size, bytes));
}

/* Without a mount it is not known on which file system the files lie. */
static void put_place(struct weir_text *out,
		      const struct weir_forecast *forecast)
{
	if (!forecast->point) {
		weir_text_string(out, "the file system");
		return;
	}
	put_safely(out, forecast->point);
	weir_text_string(out, " (");
	put_safely(out, forecast->type);
	weir_text_char(out, ')');
}

/* The place has to be in the middle of the sentence. */
static void put_reason(struct weir_text *out,
		       const struct weir_forecast *forecast)
{
	const char *text = reasons[forecast->why];
	const char *gap = strstr(text, "{}");

	if (!gap) {
		weir_text_string(out, text);
		return;
	}
	weir_text_bytes(out, text, (size_t)(gap - text));
	put_place(out, forecast);
	weir_text_string(out, gap + 2);
}

/* As the option takes it. */
static void put_cache(struct weir_text *out, uint64_t bytes)
{
	int is_giga = bytes >= UINT64_C(1) << 30;

	weir_text_unsigned(out, bytes >> (is_giga ? 30 : 20));
	weir_text_char(out, is_giga ? 'G' : 'M');
}

static void put_form(struct weir_text *out,
		     const struct weir_forecast *forecast)
{
	static const char *const forms[] = {
		[WEIR_FORECAST_HIDDEN] =
			"They would be stored while the program computes",
		[WEIR_FORECAST_SUSTAINED] =
			"The file system would be the limit",
		[WEIR_FORECAST_CRAMPED] =
			"The cache would be too small for that, and --cache ",
	};

	weir_text_string(out, forms[forecast->form]);
	if (forecast->cache) {
		put_cache(out, forecast->cache);
		weir_text_string(out, " hides more, if there is the memory");
	}
	weir_text_string(out, ": writing and closing take ");
	put_time(out, forecast->now);
	weir_text_string(out, " now, and would take about ");
	put_time(out, forecast->then);
	if (forecast->closing) {
		weir_text_string(out, ", ");
		put_time(out, forecast->closing);
		weir_text_string(out, " of it until all is stored");
	}
	weir_text_char(out, '.');
}

static void put_rate(struct weir_text *out,
		     const struct weir_forecast *forecast)
{
	weir_text_char(out, ' ');
	if (!forecast->is_measured)
		weir_text_string(out, "The run has no large writes: ");
	put_place(out, forecast);
	weir_text_string(out, forecast->is_measured ?
				      " takes " : " is taken for one of ");
	put_bytes(out, forecast->rate);
	weir_text_string(out, " a second in large pieces.");
}

static void put_command(struct weir_text *out,
			const struct weir_forecast *forecast)
{
	weir_text_string(out, " Try weir run --forward");
	if (forecast->point) {
		weir_text_char(out, '=');
		put_safely(out, forecast->point);
	}
	if (forecast->cache) {
		weir_text_string(out, " --cache ");
		put_cache(out, forecast->cache);
	}
	weir_text_char(out, '.');
	if (forecast->async + forecast->now / NOTABLE < forecast->then) {
		weir_text_string(out, " With --on-close later it would take ");
		put_time(out, forecast->async);
		weir_text_string(out, ", and weir run tells what could not be "
				      "stored, not close.");
	}
}

static void put_count(struct weir_text *out, uint64_t count, const char *what)
{
	weir_text_unsigned(out, count);
	weir_text_char(out, ' ');
	weir_text_string(out, what);
	if (count != 1)
		weir_text_char(out, 's');
}

/* Whether it is advised or not: how much there is to join. */
static void put_requests(struct weir_text *out,
			 const struct weir_forecast *forecast)
{
	bool is_of_hosts = forecast->why == WEIR_FORECAST_HOSTS;

	if (!forecast->requests || forecast->why == WEIR_FORECAST_DONE)
		return;
	weir_text_string(out, is_of_hosts ? " Services on each host" :
					    " The service");
	weir_text_string(out, " would store ");
	put_count(out, forecast->writes, "write");
	weir_text_string(out, " by ");
	put_count(out, forecast->requests, "request");
	if (is_of_hosts) {
		weir_text_string(out, ", one for all hosts by ");
		weir_text_unsigned(out, forecast->joined);
	}
	weir_text_char(out, '.');
}

void weir_as_forecast_text(struct weir_text *out,
			   const struct weir_forecast *forecast)
{
	put_reason(out, forecast);
	if (forecast->why != WEIR_FORECAST_HELPS)
		put_requests(out, forecast);
	if (forecast->why != WEIR_FORECAST_HELPS)
		return;
	put_form(out, forecast);
	put_rate(out, forecast);
	put_requests(out, forecast);
	put_command(out, forecast);
}

void weir_as_forecast_json(struct weir_text *out,
			   const struct weir_forecast *forecast)
{
	weir_text_string(out, ",\"forecast\":{\"verdict\":");
	weir_text_json(out, weir_forecast_why_name(forecast->why),
		       strlen(weir_forecast_why_name(forecast->why)));
	weir_jsonout_string(out, "case", forecast->rate ?
			    weir_forecast_case_name(forecast->form) : NULL);
	weir_jsonout_number(out, "now", forecast->now);
	weir_jsonout_number(out, "then", forecast->then);
	weir_jsonout_number(out, "closing", forecast->closing);
	weir_jsonout_number(out, "async", forecast->async);
	weir_jsonout_number(out, "rate", forecast->rate);
	weir_jsonout_key(out, "measured", 0);
	weir_text_string(out, forecast->is_measured ? "true" : "false");
	weir_jsonout_number(out, "cache", forecast->cache);
	weir_jsonout_number(out, "writes", forecast->writes);
	weir_jsonout_number(out, "requests", forecast->requests);
	weir_jsonout_number(out, "requests_joined", forecast->joined);
	weir_jsonout_string(out, "point", forecast->point);
	weir_jsonout_string(out, "type", forecast->type);
	weir_text_char(out, '}');
}
