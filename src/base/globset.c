/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches a path with many patterns at once and finds the first that fits. */
#include "base/globset.h"

#include "base/glob.h"

#include <endian.h>
#include <string.h>

#define WORD sizeof(uint64_t)
#define EACH UINT64_C(0x0101010101010101)

/* The bytes of a pattern, from its beginning, that stand for themselves. */
static size_t plain_bytes(const char *pattern)
{
	return strcspn(pattern, "*?[\\");
}

/* The first bytes, and zeros, which no pattern asks for, beyond the end. */
static uint64_t first_word(const char *at, size_t left)
{
	uint64_t word = 0;

	if (left >= WORD)
		memcpy(&word, at, WORD);
	else
		memcpy(&word, at, left);
	return word;
}

/* The last bytes, at the word's end. */
static uint64_t last_word(const char *at, size_t length)
{
	uint64_t word = 0;

	if (length >= WORD)
		memcpy(&word, at + length - WORD, WORD);
	else
		memcpy((char *)&word + WORD - length, at, length);
	return word;
}

static uint32_t of_letter(char letter)
{
	return (uint8_t)letter % WEIR_GLOBSET_CHAINS;
}

/* Where all paths begin with a /, a chain is of two letters. */
static uint32_t of_two(const char *letters)
{
	return of_letter((char)(letters[0] * 3 + letters[1]));
}

/* At the end of its chain: in the order of the patterns' numbers. */
static struct weir_globset_try *append_try(struct weir_globset *set,
					   uint16_t *chain, const char *rest)
{
	struct weir_globset_try *new = &set->tries[set->count++];

	while (*chain)
		chain = &set->tries[*chain - 1].next;
	*chain = set->count;
	*new = (struct weir_globset_try){
		.rest = rest,
		.number = set->patterns,
	};
	return new;
}

/* The pattern begins with `plain` bytes that stand for themselves. */
static void add_pattern(struct weir_globset *set, uint16_t *chain,
			const char *pattern, size_t plain)
{
	size_t bytes = plain < 2 * WORD ? plain : 2 * WORD;
	struct weir_globset_try *new = append_try(set, chain, pattern + bytes);

	memcpy(new->head, pattern, bytes);
	memset(new->mask, 0xff, bytes);
	new->skipped = (uint8_t)bytes;
}

static void add_tail(struct weir_globset *set, const char *tail, size_t length)
{
	struct weir_globset_try *new = append_try(set, &set->tails, tail);
	size_t bytes = length < WORD ? length : WORD;

	new->head[0] = last_word(tail, length);
	memset((char *)&new->mask[1] - bytes, 0xff, bytes);
}

/* Components are many: most are passed by when their second letter is seen. */
static void add_part(struct weir_globset *set, const char *part, size_t plain)
{
	uint32_t at = of_letter(*part);

	add_pattern(set, &set->parts[at], part, plain);
	set->seconds[at] |=
		plain > 1 ? UINT64_C(1) << of_letter(part[1]) : UINT64_MAX;
}

/* From the beginning of a path, or of its last component. */
static void add_beginning(struct weir_globset *set, const char *pattern,
			  bool is_last)
{
	size_t plain = plain_bytes(pattern);
	uint16_t *chain = is_last ? &set->any_last : &set->any;

	if (plain > 1)
		chain = (is_last ? set->lasts : set->wholes) + of_two(pattern);
	add_pattern(set, chain, pattern, plain);
}

/*
 * What a * takes before a / is all that is before one of the path's; before
 * letters that go on to the end, all but as many. What it takes of the last
 * component, it can take of the path.
 */
bool weir_globset_add(struct weir_globset *set, const char *pattern,
		      bool is_name)
{
	bool has_star = *pattern == '*';
	const char *after = pattern + has_star;
	size_t plain = plain_bytes(after);

	if (set->room - set->count < 2)
		return false;
	if (has_star && plain && !after[plain])
		add_tail(set, after, plain);
	else if (has_star && *after == '/' && plain > 1)
		add_part(set, after + 1, plain - 1);
	else
		add_beginning(set, pattern, false);
	if (is_name && !has_star && !strchr(pattern, '/'))
		add_beginning(set, pattern, true);
	set->patterns++;
	return true;
}

struct search {
	const struct weir_globset *set;
	const char *end;  /* of the path */
	const char *last; /* its last component */
	uint32_t from;	  /* the lowest number that is looked for */
	uint32_t first;	  /* the lowest found so far */
};

static bool fits(const struct weir_globset_try *try, const char *at,
		 const char *end)
{
	size_t left = (size_t)(end - at);

	if (try->mask[1] &&
	    (left <= WORD || (first_word(at + WORD, left - WORD) &
			      try->mask[1]) != try->head[1]))
		return false;
	return weir_glob_fits(try->rest, at + try->skipped, end);
}

static void walk(struct search *search, uint16_t chain, const char *at)
{
	uint64_t word = chain ? first_word(at, (size_t)(search->end - at)) : 0;

	while (chain) {
		const struct weir_globset_try *try =
			&search->set->tries[chain - 1];

		if (try->number >= search->first)
			return;
		if ((word & try->mask[0]) == try->head[0] &&
		    try->number >= search->from && fits(try, at, search->end))
			search->first = try->number;
		chain = try->next;
	}
}

static bool ends_so(const char *path, size_t len, const char *tail)
{
	size_t bytes = strlen(tail);

	return bytes <= len && !memcmp(tail, path + len - bytes, bytes);
}

static void walk_tails(struct search *search, const char *path, size_t len)
{
	uint64_t word = last_word(path, len);
	uint16_t chain = search->set->tails;

	while (chain) {
		const struct weir_globset_try *try =
			&search->set->tries[chain - 1];

		if (try->number >= search->first)
			return;
		if ((word & try->mask[0]) == try->head[0] &&
		    try->number >= search->from &&
		    ends_so(path, len, try->rest))
			search->first = try->number;
		chain = try->next;
	}
}

/* A bit in each byte that is a /, the first byte lowest. */
static uint64_t slashes_of(uint64_t word)
{
	uint64_t low = ~(EACH << 7), differs = le64toh(word) ^ EACH * '/';

	return ~(((differs & low) + low) | differs | low);
}

/* A chain of patterns that begin with two letters of their own. */
static void walk_chain(struct search *search, const uint16_t *chains,
		       const char *at)
{
	if (search->end - at >= 2)
		walk(search, chains[of_two(at)], at);
}

static void walk_part(struct search *search, const char *at)
{
	const struct weir_globset *set = search->set;
	uint32_t first;

	if (at == search->end)
		return;
	first = of_letter(*at);
	if (search->end - at < 2 || set->seconds[first] >> of_letter(at[1]) & 1)
		walk(search, set->parts[first], at);
}

/* Every component but the first of a relative path. */
static void walk_parts(struct search *search, const char *path)
{
	for (; path < search->end; path += WORD) {
		size_t left = (size_t)(search->end - path);
		uint64_t slashes = slashes_of(first_word(path, left));

		for (; slashes; slashes &= slashes - 1) {
			search->last = path + __builtin_ctzll(slashes) / 8 + 1;
			walk_part(search, search->last);
		}
	}
}

int weir_globset_find(const struct weir_globset *set, const char *path,
		      size_t len, int from)
{
	struct search search = {
		.set = set,
		.end = path + len,
		.last = path,
		.from = (uint32_t)from,
		.first = UINT32_MAX,
	};

	walk_chain(&search, set->wholes, path);
	walk(&search, set->any, path);
	walk_tails(&search, path, len);
	walk_parts(&search, path);
	walk_chain(&search, set->lasts, search.last);
	walk(&search, set->any_last, search.last);
	return (int)search.first;
}
