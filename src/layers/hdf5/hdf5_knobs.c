/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the knobs of each property list, and the forms they share. */
#include "layers/hdf5/hdf5_adjust.h"

#include <string.h>

/* A call has at most two lists; fates of the second lie behind the first's. */
#define SECOND 32

const struct weir_hdf5_board weir_hdf5_boards[WEIR_HDF5_CLASSES] = {
	[WEIR_HDF5_FAPL] = { weir_hdf5_fapl_knobs, 0, WEIR_PLAN_FILE_ACCESS },
	[WEIR_HDF5_FCPL] = { weir_hdf5_fcpl_knobs, SECOND,
			     WEIR_PLAN_FILE_CREATE },
	[WEIR_HDF5_DCPL] = { weir_hdf5_dcpl_knobs, 0,
			     WEIR_PLAN_DATASET_CREATE },
	[WEIR_HDF5_DAPL] = { weir_hdf5_dapl_knobs, SECOND,
			     WEIR_PLAN_DATASET_ACCESS },
	[WEIR_HDF5_DXPL] = { weir_hdf5_dxpl_knobs, 0, WEIR_PLAN_TRANSFER },
};

void *weir_hdf5_knob_set(const struct weir_hdf5_scene *scene,
			 const struct weir_hdf5_knob *knob)
{
	return weir_hdf5_lists_function(scene->lists, knob->set);
}

void *weir_hdf5_knob_get(const struct weir_hdf5_scene *scene,
			 const struct weir_hdf5_knob *knob)
{
	return weir_hdf5_lists_function(scene->lists, knob->get);
}

void weir_hdf5_spell_word(char *text, const char *word)
{
	size_t used = strlen(text);

	if (used && used < WEIR_HDF5_SPELT - 1)
		text[used++] = ',';
	while (*word && used < WEIR_HDF5_SPELT - 1)
		text[used++] = *word++;
	text[used] = '\0';
}

void weir_hdf5_spell_number(char *text, uint64_t number)
{
	char digits[24], *at = digits + sizeof(digits) - 1;

	*at = '\0';
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	weir_hdf5_spell_word(text, at);
}

/* Fractions, to a thousandth. */
void weir_hdf5_spell_real(char *text, double real)
{
	unsigned parts = (unsigned)(real * 1000 + 0.5);
	char digits[] = "0.000";

	digits[0] = (char)('0' + parts / 1000 % 10);
	for (int i = 4; i > 1; i--, parts /= 10)
		digits[i] = (char)('0' + parts % 10);
	for (int i = 4; i > 0 && (digits[i] == '0' || digits[i] == '.'); i--)
		digits[i] = '\0';
	weir_hdf5_spell_word(text, digits);
}

int weir_hdf5_judge_format(const struct weir_hdf5_scene *scene,
			   const struct weir_plan_setting *setting)
{
	return scene->is_oldest ? WEIR_HDF5_TOO_OLD : WEIR_HDF5_SET;
}

double weir_hdf5_knob_w0(const struct weir_plan_setting *setting)
{
	const char *comma = strchr(weir_adjust_value(setting), ',');

	return comma && strchr(comma + 1, ',') ? setting->real : 0.75;
}

static void spell_value(const struct weir_hdf5_knob *knob, uint64_t number,
			char *text)
{
	uint64_t n = 0;

	while (knob->words && knob->words[n] && n < number)
		n++;
	if (knob->words && knob->words[n])
		weir_hdf5_spell_word(text, knob->words[n]);
	else
		weir_hdf5_spell_number(text, number);
}

int weir_hdf5_put_one(const struct weir_hdf5_scene *scene,
		      const struct weir_hdf5_knob *knob,
		      const struct weir_plan_setting *setting)
{
	void *set = weir_hdf5_knob_set(scene, knob);

	if (knob->width == 8)
		return ((int (*)(long, uint64_t))set)(
			scene->list, (uint64_t)setting->number[0]);
	return ((int (*)(long, unsigned))set)(scene->list,
					      (unsigned)setting->number[0]);
}

int weir_hdf5_put_two(const struct weir_hdf5_scene *scene,
		      const struct weir_hdf5_knob *knob,
		      const struct weir_plan_setting *setting)
{
	void *set = weir_hdf5_knob_set(scene, knob);
	const int64_t *number = setting->number;

	if (knob->width == 8)
		return ((int (*)(long, uint64_t, uint64_t))set)(
			scene->list, (uint64_t)number[0], (uint64_t)number[1]);
	return ((int (*)(long, unsigned, unsigned))set)(
		scene->list, (unsigned)number[0], (unsigned)number[1]);
}

/* As wide as the library has written it. */
static uint64_t number_in(const struct weir_hdf5_knob *knob, const void *bytes)
{
	uint64_t wide;
	uint32_t narrow;

	if (knob->width == 1)
		return *(const uint8_t *)bytes;
	memcpy(&narrow, bytes, sizeof(narrow));
	memcpy(&wide, bytes, sizeof(wide));
	return knob->width == 4 ? narrow : wide;
}

int weir_hdf5_tell_one(const struct weir_hdf5_scene *scene,
		       const struct weir_hdf5_knob *knob, long list, char *text)
{
	int (*get)(long, void *) = weir_hdf5_knob_get(scene, knob);
	uint64_t room[2] = { 0, 0 };

	if (!get || get(list, room) < 0)
		return -1;
	spell_value(knob, number_in(knob, room), text);
	return 0;
}

int weir_hdf5_tell_two(const struct weir_hdf5_scene *scene,
		       const struct weir_hdf5_knob *knob, long list, char *text)
{
	int (*get)(long, void *, void *) = weir_hdf5_knob_get(scene, knob);
	uint64_t first[2] = { 0, 0 }, second[2] = { 0, 0 };

	if (!get || get(list, first, second) < 0)
		return -1;
	spell_value(knob, number_in(knob, first), text);
	spell_value(knob, number_in(knob, second), text);
	return 0;
}

int weir_hdf5_tell_named(const struct weir_hdf5_scene *scene,
			 const struct weir_hdf5_knob *knob, long list,
			 char *text)
{
	uint64_t room[8] = { 0 };

	if (scene->lists->get(list, knob->get, room) < 0)
		return -1;
	spell_value(knob, number_in(knob, room), text);
	return 0;
}
