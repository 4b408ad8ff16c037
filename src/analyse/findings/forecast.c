/* SPDX-License-Identifier: BSD-3-Clause */
/* Models a service that stores later what programs write. */
#include "analyse/findings/forecast.h"

#include "spec/constants.h"
#include "analyse/findings/arith.h"

#define MIB	  (UINT64_C(1) << 20)
#define UNBOUNDED (UINT64_C(1) << 50)
#define SMALLEST  (UINT64_C(64) << 20) /* cache that is worth asking for */
#define LARGEST	  (UINT64_C(1) << 40) /* that can be asked for */
#define NOTABLE	  10 /* a tenth of what is spent now */

/* The service in the middle of a run. */
struct service {
	const struct weir_forecast_service *is;
	uint64_t dirty;
	bool is_pressed;
	struct weir_forecast_course course;
};

static uint64_t time_to_store(const struct service *s, uint64_t bytes)
{
	return weir_arith_part(s->is->mib, bytes, MIB);
}

/* Not all of it while it is being written: of that some stays behind. */
static void store_for(struct service *s, uint64_t ns, uint64_t leave)
{
	uint64_t bytes = s->is->mib ? weir_arith_part(ns, MIB, s->is->mib) :
				      UNBOUNDED;
	uint64_t most = weir_arith_less(s->dirty, leave);

	s->dirty -= bytes < most ? bytes : most;
	if (s->dirty < s->is->cache / 4)
		s->is_pressed = false;
}

/*
 * The program does something else. What is being written is left alone for a
 * while, unless there is much of it.
 */
static void let_store(struct service *s, uint64_t ns)
{
	if (!s->is_pressed && s->dirty < WEIR_SERVICE_BULK)
		ns = weir_arith_less(ns, WEIR_SERVICE_IDLE);
	store_for(s, ns, 0);
}

static void take_bytes(struct service *s, uint64_t bytes, uint64_t copying)
{
	s->dirty += bytes < UNBOUNDED ? bytes : UNBOUNDED; /* of no file */
	store_for(s, copying, s->is_pressed ? 0 : WEIR_SERVICE_BULK);
	if (s->dirty > s->course.peak)
		s->course.peak = s->dirty;
	if (s->dirty > s->is->cache / 2)
		s->is_pressed = true;
	if (s->dirty <= s->is->cache)
		return;
	s->course.waiting += time_to_store(s, s->dirty - s->is->cache);
	s->dirty = s->is->cache;
}

/* Each of several ends stores what was written before it, with a request. */
static void end_step(struct service *s, const struct weir_forecast_step *step)
{
	uint64_t ends = step->syncs + (s->is->is_async ? 0 : step->closes);
	uint64_t writers = step->writers ? step->writers : 1;

	if (!ends || !s->dirty)
		return;
	if (step->writes && ends > step->writes)
		ends = step->writes;
	s->course.closing += time_to_store(s, s->dirty) +
			     (ends + writers - 1) / writers * s->is->request;
	s->dirty = 0;
}

static uint64_t time_to_copy(const struct weir_forecast_step *step)
{
	uint64_t time = step->writes * WEIR_FORECAST_WRITE +
			step->bytes / WEIR_FORECAST_BYTES_OF_NS;

	return step->writers ? time / step->writers : time;
}

struct weir_forecast_course
weir_forecast_play(const struct weir_forecast_step *steps, size_t count,
		   const struct weir_forecast_service *service)
{
	struct service s = { .is = service };
	uint64_t busy = 0; /* until then calls of steps before take */

	for (size_t i = 0; i < count; i++) {
		uint64_t copying = time_to_copy(&steps[i]);
		uint64_t from = i && busy < steps[i].at ? steps[i].at - busy :
							  0;

		let_store(&s, from);
		s.course.copying += copying;
		s.course.syncing += steps[i].syncing /
				    (steps[i].writers ? steps[i].writers : 1);
		take_bytes(&s, steps[i].bytes, copying);
		end_step(&s, &steps[i]);
		busy = (busy > steps[i].at ? busy : steps[i].at) +
		       steps[i].busy;
	}
	if (!service->is_async)
		s.course.closing += time_to_store(&s, s.dirty);
	return s.course;
}

static uint64_t sum(const struct weir_forecast_course *course)
{
	return course->copying + course->syncing + course->waiting +
	       course->closing;
}

static uint64_t rounded(uint64_t bytes)
{
	uint64_t size = SMALLEST;

	while (size < bytes && size < LARGEST)
		size *= 2;
	return size;
}

void weir_forecast_conclude(struct weir_forecast *forecast,
			    const struct weir_forecast_step *steps,
			    size_t count,
			    const struct weir_forecast_service *service)
{
	struct weir_forecast_service other = *service;
	struct weir_forecast_course course =
		weir_forecast_play(steps, count, service), large;
	uint64_t notable = forecast->now / NOTABLE;

	forecast->then = sum(&course);
	forecast->closing = course.closing;
	other.cache = UNBOUNDED;
	large = weir_forecast_play(steps, count, &other);
	if (sum(&large) + notable < forecast->then && large.peak <= LARGEST) {
		forecast->form = WEIR_FORECAST_CRAMPED;
		forecast->cache = rounded(large.peak);
	} else if (course.waiting + course.closing > notable) {
		forecast->form = WEIR_FORECAST_SUSTAINED;
	} else {
		forecast->form = WEIR_FORECAST_HIDDEN;
	}
	other = *service;
	other.is_async = true;
	course = weir_forecast_play(steps, count, &other);
	forecast->async = sum(&course);
}

const char *weir_forecast_case_name(enum weir_forecast_case form)
{
	static const char *const names[] = {
		[WEIR_FORECAST_HIDDEN] = "hidden",
		[WEIR_FORECAST_SUSTAINED] = "sustained",
		[WEIR_FORECAST_CRAMPED] = "cramped",
	};

	return names[form];
}

const char *weir_forecast_why_name(enum weir_forecast_why why)
{
	static const char *const names[] = {
		[WEIR_FORECAST_NOTHING] = "nothing-written",
		[WEIR_FORECAST_DONE] = "forwarded",
		[WEIR_FORECAST_HOSTS] = "several-hosts",
		[WEIR_FORECAST_MAPPED] = "mapped",
		[WEIR_FORECAST_SYNCHRONOUS] = "synchronous",
		[WEIR_FORECAST_LOCAL] = "local",
		[WEIR_FORECAST_CHEAP] = "cheap",
		[WEIR_FORECAST_LITTLE] = "little",
		[WEIR_FORECAST_UNTIMED] = "untimed",
		[WEIR_FORECAST_HELPS] = "helps",
	};

	return names[why];
}
