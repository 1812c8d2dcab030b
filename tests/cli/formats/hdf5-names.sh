# SPDX-License-Identifier: Apache-2.0
# Columns of a pandas frame that have one name are told apart by their place, and each is compared.
needs_binary HDF5
/usr/bin/python3 - <<'end' || skip "needs h5py"
import h5py, numpy as np
for name, more in ("old", 0), ("new", 1):
    values = np.arange(6.0).reshape(2, 3) + np.array([0, 0, more])
    with h5py.File(name + ".h5", "w") as f:
        fixed = f.create_group("fixed")
        fixed.attrs["pandas_type"] = np.bytes_("frame")
        fixed["axis0"] = fixed["block0_items"] = np.array([b"a", b"b", b"a"])
        fixed["axis1"] = np.array([10, 20])
        fixed["block0_values"] = values
        table = f.create_group("table")
        table.attrs["pandas_type"] = np.bytes_("frame_table")
        rows = np.zeros(2, [("index", "i8"), ("values_block_0", "f8", 3)])
        rows["index"], rows["values_block_0"] = [10, 20], values
        table["table"] = rows
        table["table"].attrs["values_block_0_kind"] = np.bytes_(b"(lp0\nVa\np1\naVb\np2\nag1\na.")
end
regild textconv old.h5
regild compare --top 0 old.h5 new.h5
