/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls the functions of an exported plan, and prints what became of lists
 * and infos. With -DPLAN="FILE"; the plan must have all that is asked here.
 * usage: snippet FILE DATASET
 */
#include PLAN

static void show_access(const char *file)
{
	hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
	H5AC_cache_config_t mdc = { .version =
					    H5AC__CURR_CACHE_CONFIG_VERSION };
	hsize_t threshold, alignment;
	size_t slots, bytes;
	double w0;
	int none;

	printf("failed=%d\n", plan_file_access(fapl, file));
	H5Pget_alignment(fapl, &threshold, &alignment);
	H5Pget_mdc_config(fapl, &mdc);
	H5Pget_cache(fapl, &none, &slots, &bytes, &w0);
	printf("alignment=%llu,%llu\n", (unsigned long long)threshold,
	       (unsigned long long)alignment);
	printf("mdc=%zu,%zu,%d\n", mdc.initial_size, mdc.max_size,
	       mdc.evictions_enabled);
	printf("cache=%zu,%zu,%g\n", slots, bytes, w0);
	H5Pclose(fapl);
}

static void show_dataset(const char *file, const char *dataset)
{
	hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
	hid_t dxpl = H5Pcreate(H5P_DATASET_XFER);
	H5D_fill_time_t fill;
	hsize_t sides[8] = { 0 };

	printf("failed=%d\n", plan_dataset_create(dcpl, file, dataset));
	printf("failed=%d\n", plan_transfer(dxpl, file, dataset));
	H5Pget_fill_time(dcpl, &fill);
	printf("chunk=%d", H5Pget_layout(dcpl) == H5D_CHUNKED ?
			   H5Pget_chunk(dcpl, 8, sides) : 0);
	printf(",%llu,%llu\n", (unsigned long long)sides[0],
	       (unsigned long long)sides[1]);
	printf("filters=%d\n", H5Pget_nfilters(dcpl));
	printf("fill=%d\n", fill == H5D_FILL_TIME_NEVER);
	printf("buffer=%zu\n", H5Pget_buffer(dxpl, NULL, NULL));
	H5Pclose(dcpl);
	H5Pclose(dxpl);
}

static void show_hints(const char *file)
{
	char key[MPI_MAX_INFO_KEY + 1], value[1025];
	MPI_Info info;
	int count, given;

	MPI_Info_create(&info);
	printf("failed=%d\n", plan_hints(info, file));
	MPI_Info_get_nkeys(info, &count);
	for (int i = 0; i < count; i++) {
		MPI_Info_get_nthkey(info, i, key);
		MPI_Info_get(info, key, 1024, value, &given);
		printf("hint %s=%s\n", key, value);
	}
	MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	printf("failed=%d\n", plan_environment());
	printf("variable=%s\n", getenv("OMPI_MCA_fcoll"));
	MPI_Init(&argc, &argv);
	show_access(argv[1]);
	show_dataset(argv[1], argv[2]);
	show_hints(argv[1]);
	printf("prefix=%s\n", plan_prefix(argv[1]));
	printf("failed=%d\n", plan_stream(stdout, argv[1]));
	MPI_Finalize();
	return 0;
}
