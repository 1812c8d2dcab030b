# SPDX-License-Identifier: Apache-2.0
# opdiff results for tests: opdiff_meta, and opdiff_item ID BASELINE_MS BACKEND STATUS MS DIFF […]
# where DIFF is a max_abs, a code, or '-' for none.
opdiff_meta() {
	echo '{"type": "meta", "meta": {"format_name": "opdiff_run", "format_version": 1, "created_at": "2026-11-21"}}'
}

opdiff_item() {
	local id=$1 baseline=$2 comma=
	shift 2
	printf '{"type": "item", "id": "%s", "test_type": "single", "cases": [], ' "$id"
	printf '"baseline": {"backend": "torch", "status": "OK", "ms": %s}, "backends": [' "$baseline"
	while [ $# -gt 0 ]; do
		printf '%s{"backend": "%s", "res": [{"status": "%s", "ms": %s}], "times_all": null' \
			"$comma" "$1" "$2" "$3"
		case $4 in
		-) printf '}' ;;
		N*) printf ', "diff_all": [{"ok": false, "code": "%s", "msg": ""}]}' "$4" ;;
		*) printf ', "diff_all": [{"ok": true, "mse": %s, "max_abs": %s, "mean_abs": %s}]}' "$4" "$4" "$4" ;;
		esac
		comma=', '
		shift 4
	done
	printf ']}\n'
}
