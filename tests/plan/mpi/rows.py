# SPDX-License-Identifier: BSD-3-Clause
"""What each setting of an MPI does to the calls below it: a row each.

Two ranks write and read 4096 blocks of 64 bytes that lie in turns (PARTS), a
range of 512 KiB, unless a row says otherwise. What is seen is, of each rank,
how many reads, writes and locks there were, by size. `beside` are settings that
the run without the setting has, too: the calls must differ from that run's if
`same` is not said.
"""
from dataclasses import dataclass, field

PARTS = "view:64:4096:2"
GAPS = "view:64:4096:4"  # half of the range is nobody's
ROMIO, OMPIO, HIDDEN = "mpich", "openmpi", "romio321"
WHOLE, HALF = {524288: 1}, {262144: 1}
# ROMIO without locks and gaps in between; what sieving leaves out at the end
SIEVED = 524288 - 64


@dataclass
class Row:
    name: str
    value: str
    words: str
    sees: dict
    verdict: str = "took"
    effective: str = ""  # "": the value
    beside: dict = field(default_factory=dict)
    same: bool = False
    ranks: int = 2

    def all_words(self):
        words = self.words.split()
        return words if "open" in words else ["open", *words]


def each(one, ranks=2):
    return [one] * ranks


ALL = {"cb_config_list": "*:*"}
VULCAN = {"fcoll": "vulcan"}
SPREAD = "view:4194304:1:4"  # enough for more than one aggregator of OMPIO's

OF_ROMIO = [
    Row("cb_nodes", "2", f"{PARTS} write_all", {"writes": [WHOLE, {}]},
        "changed", "1", same=True),
    Row("cb_nodes", "1", f"{PARTS} write_all", {"writes": [WHOLE, {}]},
        beside=ALL),
    Row("cb_config_list", "*:*", f"{PARTS} write_all",
        {"writes": each(HALF)}),
    Row("cb_buffer_size", "64K", f"{PARTS} write_all",
        {"writes": [{65536: 8}, {}]}, effective="65536"),
    Row("romio_cb_write", "disable", f"{PARTS} write_all",
        {"writes": each({SIEVED: 1})}),
    Row("romio_cb_write", "enable", "view:65536:1:2 write_all",
        {"writes": [{131072: 1}, {}]}),
    Row("romio_cb_read", "disable", f"{PARTS} write_all read_all",
        {"reads": each({SIEVED: 1})}),
    Row("romio_ds_write", "disable", f"{PARTS} write",
        {"writes": each({64: 4096}), "reads": each({}), "locks": each(0)}),
    Row("romio_ds_read", "disable", f"{PARTS} write_all read",
        {"reads": each({64: 4096})}),
    Row("ind_wr_buffer_size", "64K", f"{PARTS} write",
        {"writes": each({65536: 7, 65472: 1})}, effective="65536"),
    Row("ind_rd_buffer_size", "32K", f"{PARTS} write_all read",
        {"reads": each({32768: 15, 32704: 1})}, effective="32768"),
    Row("romio_min_fdomain_size", "1M", f"{PARTS} write_all",
        {"writes": [WHOLE, {}]}, effective="1048576", beside=ALL),
    Row("striping_unit", "200000", f"{PARTS} write_all",
        {"writes": [{200000: 1}, {324288: 1}]}, beside=ALL),
    Row("romio_cb_alltoall", "disable", f"{PARTS} write_all",
        {"writes": [WHOLE, {}]}, same=True),
    Row("ROMIO_FSTYPE_FORCE", "nfs:", f"{PARTS} write_all",
        {"locks": [2, 0]}, "given", "handed over"),
    Row("ROMIO_TUNEGATHER", "0", f"{PARTS} write_all",
        {"writes": [WHOLE, {}]}, "given", "handed over", same=True),
    # as many as there are without sieving, by four ranks
    Row("romio_ds_write", "disable", "view:64:16384:4 write",
        {"writes": each({64: 16384}, 4), "locks": each(0, 4)}, ranks=4),
    *[Row(name, value, f"{GAPS} write_all", {"writes": [{1048448: 1}, {}]},
          "inert", "ROMIO uses it only with romio_cb_pfr", same=True)
      for name, value in (("romio_cb_fr_type", "65536"),
                          ("romio_cb_fr_alignment", "4096"),
                          ("romio_cb_ds_threshold", "1"))],
    Row("collective_buffering", "true", f"{PARTS} write_all",
        {"writes": [WHOLE, {}]}, "ignored", "ROMIO does not know it",
        same=True),
    Row("IBM_lockless_io", "true", f"{PARTS} write_all",
        {"writes": [WHOLE, {}]}, "refused", "this ROMIO has no such driver",
        same=True),
    Row("IBM_lockless_io", "true", f"fatal open {PARTS} write_all",
        {"writes": [WHOLE, {}]}, "refused",
        "the program does not let an error return", same=True),
    Row("striping_factor", "4", f"{PARTS} write_all",
        {"writes": [WHOLE, {}]}, "ignored", "ROMIO reads it only on lustre",
        same=True),
]

OF_OMPIO = [
    Row("cb_nodes", "2", f"{PARTS} write_all", {"writes": each(HALF)},
        beside=VULCAN),
    Row("cb_buffer_size", "64K", f"{PARTS} write_all",
        {"later": [{32768: 16}, {}]}, effective="65536", beside=VULCAN),
    Row("collective_buffering", "true", "view:64:1024:4 write_all",
        {"writes": each({64: 1024}, 4)}, "changed",
        "OMPIO buffers nothing then", ranks=4),
    Row("collective_buffering", "false", "view:64:1024:4 write_all",
        {"writes": [HALF, {}, {}, {}]}, "inert",
        "OMPIO does nothing for false", ranks=4, same=True),
    Row("io", "romio321", f"{PARTS} write",
        {"writes": each({SIEVED: 1})}),
    *[Row("fcoll", name, f"{PARTS} write_all", {"writes": writes},
          beside={"fcoll": "individual"})
      for name, writes in (("two_phase", [WHOLE, {}]),
                           ("dynamic", [WHOLE, {}]),
                           ("dynamic_gen2", [{65536: 8}, {}]),
                           ("vulcan", [WHOLE, {}]))],
    Row("fcoll", "individual", f"{PARTS} write_all",
        {"writes": each({64: 4096})}, beside=VULCAN),
    Row("io_ompio_num_aggregators", "2", f"{PARTS} write_all",
        {"writes": each(HALF)}, beside=VULCAN),
    Row("io_ompio_bytes_per_agg", "64K", f"{PARTS} write_all",
        {"later": [{32768: 16}, {}]}, effective="65536", beside=VULCAN),
    Row("io_ompio_grouping_option", "6", f"{PARTS} write_all",
        {"writes": each(HALF)}, beside=VULCAN),
    Row("io_ompio_max_aggregators_ratio", "1", f"{SPREAD} write_all",
        {"writes": each({4194304: 1}, 4)}, beside=VULCAN, ranks=4),
    Row("io_ompio_aggregators_cutoff_threshold", "1000",
        f"{SPREAD} write_all", {"writes": [{16777216: 1}, {}, {}, {}]},
        beside={**VULCAN, "io_ompio_max_aggregators_ratio": "1"}, ranks=4),
    Row("io_ompio_cycle_buffer_size", "64K", "view:262144:1:2 write",
        {"writes": each({65536: 4})}, effective="65536"),
    Row("fbtl_posix_write_datasieving", "0", f"{GAPS} write_all",
        {"writes": [{128: 4096}, {}], "reads": each({})}, beside=VULCAN),
    Row("fbtl_posix_read_datasieving", "0", f"{PARTS} write read",
        {"reads": each({64: 4096})}),
    Row("fbtl_posix_max_block_size", "32", f"{PARTS} write read",
        {"reads": each({64: 4096})}),
    Row("fbtl_posix_max_gap_size", "16", f"{PARTS} write read",
        {"reads": each({64: 4096})}),
    Row("fbtl_posix_max_tmpbuf_size", "64K", f"{PARTS} write read",
        {"reads": each({65472: 8})}, effective="65536"),
    Row("fs_ufs_lock_algorithm", "3", f"{PARTS} write",
        {"locks": each(2 * 4096 + 1)}),
    Row("fs_ufs_lock_algorithm", "2", f"{PARTS} write",
        {"locks": each(2 * 4096 + 1)}),
    Row("fcoll_vulcan_async_io", "1", f"{PARTS} write_all",
        {"later": [WHOLE, {}], "writes": each({})}, beside=VULCAN),
    *[Row(name, value, f"{PARTS} write_all", {"writes": [writes, {}]},
          "inert", "Open MPI does nothing with it",
          beside={"fcoll": fcoll}, same=True)
      for fcoll, name, value, writes in (
          ("vulcan", "fcoll_vulcan_num_groups", "2", WHOLE),
          ("vulcan", "fcoll_vulcan_write_chunksize", "65536", WHOLE),
          ("dynamic_gen2", "fcoll_dynamic_gen2_num_groups", "2",
           {65536: 8}))],
    Row("fcoll_vulcan_async_io", "1", f"{PARTS} write_all",
        {"writes": [WHOLE, {}]}, "ignored",
        "Open MPI has no such variable in use",
        beside={"fcoll": "two_phase"}, same=True),
    Row("ROMIO_TUNEGATHER", "0", f"{PARTS} write_all",
        {"writes": [WHOLE, {}]}, "ignored", "OMPIO does not read it",
        beside=VULCAN, same=True),
    Row("IBM_lockless_io", "true", f"{PARTS} write_all",
        {"writes": [WHOLE, {}]}, "refused", "Open MPI has no such driver",
        beside=VULCAN, same=True),
]

UNTOLD = ("given", "Open MPI does not tell what ROMIO made of it")
BEHIND = {"io": "romio321"}
OF_HIDDEN_ROMIO = [
    Row("romio_ds_write", "disable", f"{PARTS} write",
        {"writes": each({64: 4096})}, *UNTOLD, beside=BEHIND),
    Row("cb_config_list", "*:*", f"{PARTS} write_all",
        {"writes": each(HALF)}, *UNTOLD, beside=BEHIND),
    Row("cb_buffer_size", "64K", f"{PARTS} write_all",
        {"writes": [{65536: 8}, {}]}, *UNTOLD, beside=BEHIND),
    Row("ind_rd_buffer_size", "32K", f"{PARTS} write_all read",
        {"reads": each({32768: 15, 32704: 1})}, *UNTOLD, beside=BEHIND),
    Row("striping_factor", "4", f"{PARTS} write_all",
        {"writes": [WHOLE, {}]}, "ignored", "ROMIO reads it only on lustre",
        beside=BEHIND, same=True),
    Row("io_ompio_num_aggregators", "2", f"{PARTS} write_all",
        {"writes": [WHOLE, {}]}, "ignored",
        "Open MPI has no such variable in use", beside=BEHIND, same=True),
]

ROWS = {"mpich": OF_ROMIO, "openmpi": OF_OMPIO + OF_HIDDEN_ROMIO}
