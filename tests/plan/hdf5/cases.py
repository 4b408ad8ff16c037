# SPDX-License-Identifier: BSD-3-Clause
"""What each parameter of HDF5 does: a scene of the program, settings, what is
told of each, and what is different for it."""

SERIAL, MPICH, OPENMPI = ("serial",), ("mpich",), ("openmpi",)
RANKS = MPICH + OPENMPI
ALL = SERIAL + RANKS


class Case:
    def __init__(self, name, scene, settings, verdicts, checks=None,
                 flavours=SERIAL, ranks=2, start=None, versus=None):
        self.versus = versus  # what the run to compare with has
        self.name, self.scene, self.settings = name, scene, settings
        self.flavours, self.ranks, self.start = flavours, ranks, start
        self.checks = checks or {}
        # setting: verdict, or verdict and what the words look like; None:
        # a call that fails with and without tells nothing
        self.verdicts = {key: value if isinstance(value, tuple)
                         else (value, "") for key, value in verdicts.items()}


def apart(outcome):
    """Distances between small datasets."""
    at = outcome.facts["address"]
    return {b - a for a, b in zip(at, at[1:])}


def damaged(runner):
    """A file whose only chunk is not what its checksum says."""
    made = runner.run("check")
    path = made.folder / "x.h5"
    data = bytearray(path.read_bytes())
    at = data.index((1001).to_bytes(4, "little"))
    data[at] ^= 0xFF
    path.write_bytes(data)
    return made


LATEST = {"libver_bounds": "latest,latest"}

FILE_ACCESS = [
    Case("datasets are aligned", "field", {"alignment": "1,4096"},
         {"alignment": ("took", "^1,4096$")},
         {"it begins at a multiple": lambda b, p:
          b.fact("offset") % 4096 and p.fact("offset") % 4096 == 0},
         ALL),
    Case("metadata lie together", "small", {"meta_block_size": "64K"},
         {"meta_block_size": "took"},
         {"the file has room for them": lambda b, p:
          p.size["x.h5"] > b.size["x.h5"] + 32768}, ALL),
    Case("small data lie together", "small", {"small_data_block_size": "64K"},
         {"small_data_block_size": "took"},
         {"one behind the other": lambda b, p:
          len(apart(b)) > 1 and apart(p) == {400}}, ALL),
    Case("a column is read at once", "sieve", {"sieve_buf_size": "2M"},
         {"sieve_buf_size": "took"},
         {"fewer reads": lambda b, p: b.reads() - p.reads() > 8}),
    Case("a chunk is read once, by the file's cache", "rows",
         {"file_chunk_cache": "521,8M"},
         {"file_chunk_cache": ("took", "^521,8388608,0.75$")},
         {"ten times fewer bytes": lambda b, p:
          b.bytes_read() >= 10 * p.bytes_read()}),
    Case("a chunk is read once, by the dataset's cache", "rows",
         {"chunk_cache": ("521,8M,0.5", 'dataset="/field"')},
         {"chunk_cache": ("took", "^521,8388608,0.5$")},
         {"ten times fewer bytes": lambda b, p:
          b.bytes_read() >= 10 * p.bytes_read()}),
    Case("a larger cache writes less before the end", "many",
         {"mdc_initial_size": "32M"}, {"mdc_initial_size": "took"},
         {"fewer writes": lambda b, p:
          b.writes("H5Fclose") > 2 * p.writes("H5Fclose")}),
    Case("a cache that cannot be small, the same", "many",
         {"mdc_min_size": "32M"}, {"mdc_min_size": "took"},
         {"fewer writes": lambda b, p:
          b.writes("H5Fclose") > 2 * p.writes("H5Fclose")}),
    Case("a cache that cannot grow writes more", "several",
         {"mdc_max_size": "1M"}, {"mdc_max_size": "took"},
         {"more writes": lambda b, p:
          p.writes("H5Fclose") > b.writes("H5Fclose")}),
    Case("a cache that lets nothing go writes nothing", "many",
         {"mdc_evictions": "false"}, {"mdc_evictions": "took"},
         {"no writes before": lambda b, p:
          b.writes("H5Fclose") > 10 > p.writes("H5Fclose")}),
    Case("ranks agree more often", "several",
         {"mdc_max_size": "1M", "mdc_dirty_bytes_threshold": "4K"},
         {"mdc_max_size": "took", "mdc_dirty_bytes_threshold": "took"},
         {"more writes before the end": lambda b, p:
          p.writes("H5Fclose") > b.writes("H5Fclose") + 100}, RANKS,
         versus={"mdc_max_size": "1M"}),
    Case("the first rank writes metadata", "many",
         {"mdc_metadata_write_strategy": "process_0_only"},
         {"mdc_metadata_write_strategy": ("took", "^process_0_only$")},
         {"one process": lambda b, p:
          len(b.by_process(WRITES)) == 2 and
          len(p.by_process(WRITES)) == 1}, RANKS),
    Case("metadata are written together", "many",
         {"coll_metadata_write": "true"}, {"coll_metadata_write": "took"},
         {"by a collective call": lambda b, p:
          b.count("MPI_File_write_at_all") == 0 <
          p.count("MPI_File_write_at_all")}, RANKS),
    Case("the file has the newest format", "field", LATEST,
         {"libver_bounds": ("took", "^v1")},
         {"its first block says so": lambda b, p:
          b.fact("superblock") == 0 and p.fact("superblock") >= 3}, ALL),
    Case("pages are buffered", "small",
         {"file_space_strategy": "page", "page_buffer_size": "1M,0,0"},
         {"file_space_strategy": ("took", "^page"),
          "page_buffer_size": ("took", "^1048576,0,0$")},
         {"whole pages are written": lambda b, p:
          {e["ret"] % 4096 for e in p.on_disk(WRITES)
           if e["args"]["off"]} == {0},
          "and were not": lambda b, p:
          {e["ret"] % 4096 for e in b.on_disk(WRITES)} != {0}}),
    Case("metadata are read again", "outside", {"evict_on_close": "true"},
         {"evict_on_close": "given"},
         {"more reads": lambda b, p: p.reads() > b.reads()}),
    Case("files behind links stay open", "outside",
         {"elink_file_cache_size": "8"}, {"elink_file_cache_size": "took"},
         {"they are opened once": lambda b, p:
          opens(b, "other.h5") > opens(p, "other.h5") + 3}),
    Case("files are not locked", "field", {"file_locking": "off"},
         {"file_locking": ("given", "^off$")},
         {"no locks": lambda b, p:
          b.count("flock") > 0 == p.count("flock")}),
    Case("a file is in memory until it is closed", "field",
         {"driver": "core"}, {"driver": ("took", "^core$")},
         {"no write before": lambda b, p:
          b.count("pwrite", "H5Dwrite") > 0 == p.count("pwrite", "H5Dwrite"),
          "all then": lambda b, p: p.count("pwrite", "H5Fclose") > 0}),
    Case("and grows in large steps", "field",
         {"driver": "core", "core_increment": "512M"},
         {"driver": "took", "core_increment": ("took", "^536870912$")},
         {"it has a step": lambda b, p:
          p.fact("memory") > b.fact("memory") + 500000}),
]

WRITES = {"pwrite", "pwritev", "write", "writev", "pwrite64"}


def opens(outcome, name):
    return sum(1 for e in outcome.events if e["call"] in ("open", "openat")
               and e.get("file", "").endswith(name) and e["ret"] >= 0)


FILE_CREATE = [
    Case("a file has pages", "small",
         {"file_space_strategy": "page,true,64",
          "file_space_page_size": "16K"},
         {"file_space_strategy": ("took", "^page,true,64$"),
          "file_space_page_size": ("took", "^16384$")},
         {"it has whole ones": lambda b, p:
          b.size["x.h5"] % 16384 and p.size["x.h5"] % 16384 == 0}),
    Case("a file has pages, in ranks", "small",
         {"file_space_strategy": "page", "file_space_page_size": "16K"},
         {"file_space_strategy": ("took", "^page,false,1$"),
          "file_space_page_size": ("took", "^16384$")},
         {"it has whole ones": lambda b, p:
          b.size["x.h5"] % 16384 and p.size["x.h5"] % 16384 == 0}, RANKS),
    Case("nodes of a chunk index are larger", "own", {"istore_k": "512"},
         {"istore_k": ("took", "^512$")},
         {"the file is larger": lambda b, p:
          p.size["x.h5"] > b.size["x.h5"] + 8192}, ALL),
    Case("nodes of a group's index are larger", "links", {"sym_k": "512,512"},
         {"sym_k": ("took", "^512,512$")},
         {"the file is larger": lambda b, p:
          p.size["x.h5"] > b.size["x.h5"] + 8192}, ALL),
    Case("links stay in the header", "links",
         {**LATEST, "link_phase_change": "40,20"},
         {"libver_bounds": "took", "link_phase_change": ("took", "^40,20$")},
         {"it is a compact group": lambda b, p:
          p.fact("storage_type") == 1}, ALL),
    Case("and go to an index by themselves", "links", LATEST,
         {"libver_bounds": "took"},
         {"it is a dense group": lambda b, p:
          p.fact("storage_type") == 2}),
    Case("the root group has room for links", "links",
         {**LATEST, "est_link_info": "200,40"},
         {"libver_bounds": "took", "est_link_info": ("took", "^200,40$")},
         {"its header is larger": lambda b, p:
          p.fact("root_header") > 1024 > b.fact("root_header")}, ALL),
    Case("groups of the oldest format know neither", "links",
         {"est_link_info": "200,40", "link_phase_change": "40,20",
          "attr_phase_change": "20,10"},
         {name: ("inert", "oldest format") for name in
          ("est_link_info", "link_phase_change", "attr_phase_change")},
         {"nothing is different": lambda b, p: b.facts == p.facts}, ALL),
]

DATASET_CREATE = [
    Case("a dataset is in chunks", "field", {"chunk": "64,128"},
         {"chunk": ("took", "^64,128$")},
         {"so the file says": lambda b, p: b.fact("layout") == 1 and
          (p.fact("layout"), p.fact("chunk_rows"), p.fact("chunk_columns"))
          == (2, 64, 128)}, ALL),
    Case("a dataset is in its header", "sets", {"layout": "compact"},
         {"layout": ("took", "^compact$")},
         {"so the file says": lambda b, p: b.facts["layout"] == [1, 1, 1] and
          p.facts["layout"] == [0, 0, 0]}),
    Case("ranks have a header each", "sets", {"layout": "compact"},
         {"layout": ("unsafe", "header of its own")},
         {"so it stays": lambda b, p: p.facts["layout"] == [1, 1, 1]}, RANKS),
    Case("fill values are written", "field",
         {"chunk": "64,64", "fill_time": "alloc", "alloc_time": "early"},
         {"chunk": "took", "fill_time": ("took", "^alloc$"),
          "alloc_time": ("took", "^early$")},
         {"twice the bytes": lambda b, p:
          p.bytes_written() > 262144 + b.bytes_written(),
          "it has room before": lambda b, p:
          b.fact("early") == 0 and p.fact("early") == 262144}),
    Case("fill values are not written", "columns",
         {"chunk": "256,128", "fill_time": "never"},
         {"chunk": "took", "fill_time": ("took", "^never$")}, None, RANKS),
    Case("chunks are packed", "field",
         {"chunk": "64,64", "deflate": "6", "shuffle": "true",
          "fletcher32": "true"},
         {"chunk": "took", "deflate": ("took", "^6$"),
          "shuffle": ("took", "^true$"), "fletcher32": ("took", "^true$")},
         {"in this order": lambda b, p: p.facts["filter"] == [2, 1, 3],
          "it is smaller": lambda b, p:
          4 * p.fact("storage") < b.fact("storage")}),
    Case("chunks are packed by szip", "field",
         {"chunk": "64,64", "szip": "nn,16"},
         {"chunk": "took", "szip": ("took", "^nn,16$")},
         {"by this filter": lambda b, p: p.facts["filter"] == [4],
          "it is smaller": lambda b, p:
          2 * p.fact("storage") < b.fact("storage")}),
    Case("attributes stay in the header", "links",
         {**LATEST, "attr_phase_change": "20,10"},
         {"libver_bounds": "took", "attr_phase_change": ("took", "^20,10$")},
         {"there is no index": lambda b, p:
          p.fact("attribute_index") == 0}, ALL),
    Case("or go to an index, and have times", "links", LATEST,
         {"libver_bounds": "took"},
         {"there is one": lambda b, p: p.fact("attribute_index") > 0,
          "there are times": lambda b, p: p.fact("has_times") == 1}),
    Case("datasets have no times", "links",
         {**LATEST, "obj_track_times": "false"},
         {"libver_bounds": "took", "obj_track_times": ("took", "^false$")},
         {"none": lambda b, p: p.fact("has_times") == 0}, ALL),
]

TRANSFER = [
    Case("data are converted in smaller pieces", "convert",
         {"buffer": "128K"}, {"buffer": ("took", "^131072$")},
         {"more writes": lambda b, p: p.writes() > b.writes() + 8}),
    Case("more pieces are gathered", "convert",
         {"hyper_vector_size": "4194304"},
         {"hyper_vector_size": ("took", "^4194304$")},
         {"they need memory": lambda b, p:
          p.fact("peak") > b.fact("peak") + 60000}),
    Case("checksums are not looked at", "recheck", {"edc_check": "false"},
         {"edc_check": ("took", "^false$")},
         {"it can be read": lambda b, p: p.fact("read") == 0}, SERIAL,
         start=damaged),
    Case("checksums are looked at", "recheck", {"edc_check": "true"},
         {"edc_check": None},
         {"it cannot be read": lambda b, p: p.fact("read") < 0}, SERIAL,
         start=damaged),
    Case("ranks write each for itself", "together",
         {"transfer_mode": ("independent", 'force="yes"')},
         {"transfer_mode": ("took", "^independent$")},
         {"no collective write below": lambda b, p:
          b.count("MPI_File_write_at_all", "H5Dwrite") == 2 and
          p.count("MPI_File_write_at_all", "H5Dwrite") == 0,
          "many others": lambda b, p:
          p.count("MPI_File_write_at", "H5Dwrite") >= 256}, RANKS),
    Case("collective without two phases", "together",
         {"collective_opt": "individual"},
         {"collective_opt": ("took", "^individual$")},
         {"independent calls below": lambda b, p:
          b.count("MPI_File_write_at_all", "H5Dwrite") == 2 and
          p.count("MPI_File_write_at_all", "H5Dwrite") == 0 and
          p.count("MPI_File_write_at", "H5Dwrite") == 2}, RANKS),
    Case("one call a chunk", "chunks", {"chunk_opt": "multi_io"},
         {"chunk_opt": ("took", "^multi_io$")},
         {"more calls": lambda b, p: writes_below(p) > writes_below(b)},
         RANKS),
    Case("one call from many chunks on", "chunks",
         {"chunk_opt_num": "1000", "chunk_opt_ratio": "100"},
         {"chunk_opt_num": ("took", "^1000$"),
          "chunk_opt_ratio": ("took", "^100$")},
         {"more calls": lambda b, p: writes_below(p) > writes_below(b)},
         RANKS),
]


def writes_below(outcome):
    return sum(outcome.count(call, "H5Dwrite") for call in
               ("MPI_File_write_at", "MPI_File_write_at_all"))


SHARED = "not open by MPI-IO"
INERT = [
    Case("what ranks do together is nothing for one", "field",
         {"mdc_dirty_bytes_threshold": "1M",
          "mdc_metadata_write_strategy": "process_0_only",
          "coll_metadata_write": "true", "all_coll_metadata_ops": "true",
          "transfer_mode": "independent", "collective_opt": "individual",
          "chunk_opt": "one_io", "chunk_opt_num": "4",
          "chunk_opt_ratio": "40"},
         {name: ("inert", SHARED) for name in
          ("mdc_dirty_bytes_threshold", "mdc_metadata_write_strategy",
           "coll_metadata_write", "all_coll_metadata_ops", "transfer_mode",
           "collective_opt", "chunk_opt", "chunk_opt_num",
           "chunk_opt_ratio")}),
    Case("what needs something else", "field",
         {"core_increment": "1M", "page_buffer_size": "1M",
          "file_space_page_size": "16K", "deflate": "6", "shuffle": "true",
          "fletcher32": "true", "szip": "ec,8"},
         {"core_increment": ("inert", "driver is not core"),
          "page_buffer_size": ("inert|refused", "no paged space|failed"),
          "file_space_page_size": ("inert", "no paged space"),
          "deflate": ("inert", "not chunked"),
          "shuffle": ("inert", "not chunked"),
          "szip": ("inert", "not chunked"),
          "fletcher32": ("inert", "not chunked")}),
    Case("what ranks cannot have", "columns",
         {"sieve_buf_size": "1M", "page_buffer_size": "1M",
          "evict_on_close": "true", "file_locking": "off", "driver": "core",
          "chunk": "256,128", "alloc_time": "late", "deflate": "6",
          "shuffle": "true", "collective_opt": "individual",
          "chunk_opt": "one_io", "all_coll_metadata_ops": "true"},
         {"sieve_buf_size": ("inert", "does not sieve under MPI-IO"),
          "page_buffer_size": ("inert", "MPI-IO"),
          "evict_on_close": ("inert", "MPI-IO"),
          "file_locking": ("inert", "MPI-IO"),
          "driver": ("refused", "stay so"), "chunk": "took",
          "alloc_time": ("inert", "always early"),
          "deflate": ("unsafe", "alone"), "shuffle": ("unsafe", "alone"),
          "collective_opt": ("inert", "independent"),
          "chunk_opt": ("inert", "independent"),
          "all_coll_metadata_ops": ("inert", "1.10.5 to 1.10.8")},
         None, RANKS),
]


def lists_of(outcome):
    """What the program finds in its own lists after they were used."""
    return {key: value for key, value in outcome.facts.items()
            if key.startswith("list_")}


SAME_LISTS = {"its lists are as they were": lambda b, p:
              lists_of(b) == lists_of(p) and len(lists_of(p)) == 5}
SAME = {"the program sees nothing of it": lambda b, p:
        {**b.facts, "memory": 0} == {**p.facts, "memory": 0}}
COMMON = {"alignment": "1,4096", "file_chunk_cache": "1009,2M"}

MANNERS = [
    Case("what the program has set is kept", "own",
         {**COMMON, "chunk": "64,64", "buffer": "2M", "fletcher32": "true"},
         {"alignment": ("kept|took", "^1,512$|^1,4096$"),
          "chunk": ("kept", "^16,16$"), "buffer": ("took", "^2097152$"),
          "file_chunk_cache": "took", "fletcher32": "took"},
         {**SAME_LISTS, "its chunks too": lambda b, p:
          p.fact("chunk_rows") == 16,
          "alignment is kept where it was set": lambda b, p:
          p.effects("alignment")[0][0] == "kept"}),
    Case("what is forced is not", "own",
         {"alignment": ("1,4096", 'force="yes"'),
          "chunk": ("64,64", 'force="yes"')},
         {"alignment": ("took", "^1,4096$"), "chunk": ("took", "^64,64$")},
         {**SAME_LISTS, "the file has other chunks": lambda b, p:
          p.fact("chunk_rows") == 64}, ALL),
    Case("a file that must be new", "once",
         {**COMMON, "page_buffer_size": "1M", "file_space_strategy": "page",
          "driver": "core"},
         {"alignment": ("inert", "paged space"), "file_chunk_cache": "took",
          "page_buffer_size": ("refused", "but once"),
          "driver": ("refused", "but once"),
          "file_space_strategy": "took"}, SAME),
    Case("a file that must be new, in ranks", "once", {"alignment": "1,8192"},
         {"alignment": "took"}, SAME, MPICH),
    Case("calls that fail by themselves", "fails",
         {**COMMON, "chunk_cache": "1009,2M"},
         {"alignment": "took", "file_chunk_cache": "took",
          "chunk_cache": None},
         {**SAME, "errors are printed as often": lambda b, p:
          b.stderr.count("HDF5-DIAG") == p.stderr.count("HDF5-DIAG") == 2}),
    Case("an open that the plan makes fail", "field",
         {"meta_block_size": "8K", "page_buffer_size": "1M"},
         {"meta_block_size": "took",
          "page_buffer_size": ("inert|refused", "paged|failed")},
         {"it is refused there": lambda b, p:
          ("refused", "the call failed with the plan") in
          p.effects("page_buffer_size"),
          "nothing is printed": lambda b, p: "HDF5-DIAG" not in p.stderr}),
    Case("a chunk larger than the dataset", "field", {"chunk": "512,64"},
         {"chunk": ("refused", "longer")}, SAME, ALL),
    Case("a chunk of another rank", "field", {"chunk": "4,4,4"},
         {"chunk": ("refused", "number of sides")}, SAME, ALL),
    Case("calls that take fewer lists", "old",
         {"chunk": "8,8", "chunk_cache": "1009,2M"},
         {"chunk": "took", "chunk_cache": ("refused", "no access list")},
         {"it has chunks": lambda b, p: p.fact("chunk_rows") == 8}),
    Case("only what the patterns say", "sets",
         {"chunk": ("8,8", 'file="*.h5" dataset="/group/*"'),
          "alignment": ("1,4096", 'file="*.nc"'),
          "meta_block_size": ("4K", 'FileName="x"')},
         {"chunk": "took", "alignment": None, "meta_block_size": "took"},
         {"one of three": lambda b, p: p.facts["layout"] == [1, 2, 1],
          "told once a rank": lambda b, p:
          len(p.effects("chunk")) == len({e["proc"] for e in p.events
                                          if e["call"] == "H5Fcreate"})},
         ALL),
    Case("a transfer is told once", "idle", {"buffer": "2M"},
         {"buffer": "took"},
         {"once": lambda b, p: len(p.effects("buffer")) == 1 and
          p.count("H5Dwrite") == 100}),
]

EVERY = (FILE_ACCESS + FILE_CREATE + DATASET_CREATE + TRANSFER + INERT +
         MANNERS)
