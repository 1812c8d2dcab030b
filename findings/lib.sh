# SPDX-License-Identifier: Apache-2.0
# What the findings share: pinned packages in a folder that is gone afterwards, and output that must
# stay the same.
set -euo pipefail
export LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# debian PACKAGE=VERSION...: downloads them, with what they need and this machine lacks, and unpacks
# all. Nothing is installed.
debian() {
	local needed
	needed=$(apt-get -s --no-install-recommends install "$@" | sed -n 's/^Inst \([^ ]*\) .*(\([^ ]*\) .*/\1=\2/p')
	# shellcheck disable=SC2086 # a list
	apt-get -qq download "$@" $needed 2>apt.err || { cat apt.err >&2; exit 2; }
	for package in *.deb; do
		dpkg-deb -x "$package" unpacked
	done
	export PATH=$folder/unpacked/usr/bin:$PATH
	LD_LIBRARY_PATH=$(find unpacked -name '*.so*' -printf "$folder/%h\n" | sort -u | paste -sd:)
	export LD_LIBRARY_PATH
	echo "Debian $(cat /etc/debian_version): $*"
}

# npm_packages NAME@VERSION...
npm_packages() {
	npm install --prefix "$folder" --silent --no-audit --no-fund "$@" >npm.out 2>&1 || { cat npm.out >&2; exit 2; }
	echo "node $(node --version): $*"
}

# expect OUTPUT COMMAND...: runs it, and fails if it prints anything else, or has another exit code
# than 0 (else "… exit N").
expect() {
	local expected=$1 printed status=0
	shift
	printed=$("$@" 2>&1) || status=$?
	[ $status = 0 ] || printed="$printed exit $status"
	printf '$ %s\n%s\n' "$*" "$printed"
	[ "$printed" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
}
