#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests what `make dist` made: the static programs, the wheel and what is beside them in build/dist/out. Closes with
# "N passed, N failed, N skipped".
# usage: tests/dist/run.sh BUILD_DIR VERSION [REGEX]     tests whose name has it; BUILD_DIR has the tests' own programs
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
top=$PWD build=$PWD/$1 version=$2 only=${3:-.}
out=$top/build/dist/out
# Debian's python3 has Debian's modules, whatever other one is in front of it.
python=/usr/bin/python3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch/home
mkdir "$HOME"
passed=0 failed=0 skipped=0

# test FUNCTION [ARGUMENT…] runs it in a folder of its own. It ends at the first command that fails, and skips with
# exit code 77.
test() {
	local name=$1 status=0 folder=$scratch/${*//[\/ ]/_}
	shift
	[[ $name\ $* =~ $only ]] || return 0
	mkdir "$folder"
	(
		set -e
		trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
		cd "$folder"
		"$name" "$@"
	) >"$folder.log" 2>&1 &
	wait $! || status=$?
	case $status in
	0) passed=$((passed + 1)) ;;
	77) skipped=$((skipped + 1)) && echo "skip dist/$name $*: $(tail -n 1 "$folder.log")" ;;
	*) failed=$((failed + 1)) && echo "FAIL dist/$name $*" && tail -n 40 "$folder.log" ;;
	esac
}

# Fails unless the command does: under set -e, `!` is never a failure.
refused() {
	! "$@"
}

program() {
	echo "$out/regild-$version-linux-$1"
}

# On a machine of another kind it runs in QEMU.
runnable() {
	if [ "$1" = "$(uname -m)" ]; then
		program "$1"
	else
		# With its path, as a test may have a PATH of its own.
		qemu=$(command -v "qemu-$1-static") || exit 77
		printf '#!/bin/sh\nexec %s %s "$@"\n' "$qemu" "$(program "$1")" >run
		chmod +x run
		echo "$PWD/run"
	fi
}

# One file of at most 8 MiB, with nothing to load and nothing to strip.
one_file() {
	local file
	file=$(program "$1")
	[ "$(stat -c %s "$file")" -le 8388608 ]
	readelf -lSW "$file" >headers
	refused grep -e INTERP -e DYNAMIC -e '\.symtab' -e '\.debug' headers
	refused grep -aqF "$top" "$file"
}

commands() {
	local regild
	regild=$(runnable "$1")
	cd "$top"
	REGILD=$regild bash tests/cli/run.sh "${build#"$top"/}"
}

# A root with git, a shell and certificates, and nothing else.
empty_root() {
	command -v bwrap >/dev/null || exit 77
	local file
	mkdir -p root/bin root/etc/ssl/certs root/tmp
	cp "$(program "$(uname -m)")" root/bin/regild
	cp /etc/ssl/certs/ca-certificates.crt root/etc/ssl/certs
	for file in "$(command -v git)" "$(realpath /bin/sh)" $(ldd "$(command -v git)" "$(realpath /bin/sh)" | grep -o '/[^ :]*' | sort -u); do
		case $file in
		*.so*) install -D "$file" "root$file" ;;
		*) cp "$file" "root/bin" ;;
		esac
	done
	mv "root/bin/$(basename "$(realpath /bin/sh)")" root/bin/sh
	cp -R "$top/fixtures/demo/repository" root/repository
	(
		cd root/repository
		git init -q -b main .
		git remote add origin https://github.com/NVIDIA/Megatron-LM.git
		git add -A
		git -c user.name=test -c user.email=test@example.com commit -q -m goldens
	)
	"$build/hub" --ready ready --log log "$top/fixtures/demo" &
	eventually [ -s ready ]
	inside() {
		bwrap --bind root / --proc /proc --dev /dev --clearenv --setenv PATH /bin --setenv HOME /tmp \
			--setenv GITHUB_API_URL "$(cat ready)" --setenv GITHUB_TOKEN test-token --chdir /repository "$@"
	}
	inside regild --version | grep -q "^regild $version"
	status=0
	inside sh -c 'regild refresh --run 22651183945 --only-failing --markdown /tmp/summary.md && git status --short' || status=$?
	# One artifact of that run has expired.
	[ "$status" = 4 ]
	grep -q 'lm loss' root/tmp/summary.md
}

# Certificates are found where each distribution puts them.
certificates() {
	command -v bwrap >/dev/null && command -v openssl >/dev/null || exit 77
	local place
	openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
		-addext 'subjectAltName=DNS:localhost'
	openssl s_server -accept 127.0.0.1:0 -key key.pem -cert cert.pem -www >server 2>&1 &
	eventually grep -qs '^ACCEPT .*:[0-9]' server
	cp "$(program "$(uname -m)")" regild
	echo '127.0.0.1 localhost' >hosts
	ask() {
		refused bwrap --dev /dev --dir /etc --ro-bind hosts /etc/hosts --ro-bind regild /regild --ro-bind cert.pem "$1" --clearenv \
			--setenv GITHUB_TOKEN t --setenv GITHUB_API_URL "https://localhost:$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' server)" \
			/regild runs --repo o/n 2>said
	}
	for place in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem; do
		ask "$place"
		refused grep 'certificate' said
		grep 'not JSON' said
	done
	ask /nowhere.pem
	grep 'certificate problem' said
}

# A start costs no more than twice git's, which loads libraries.
start() {
	local regild
	regild=$(program "$(uname -m)")
	"$top/build/gcc/bench/measure" 5 "for i in 1 2 3 4 5 6 7 8 9 10; do $regild --version; done >/dev/null" \
		"for i in 1 2 3 4 5 6 7 8 9 10; do git --version; done >/dev/null" | tee measured
	awk 'NR == 1 { regild = $1 } NR == 2 { exit !(regild <= 2 * $1) }' measured
}

# In an environment of its own, with the modules of Debian: what is installed is the wheel, without a compiler.
environment() {
	"$python" -c 'import pytest, venv' || exit 77
	"$python" -m venv --system-site-packages venv
	PATH=/nowhere venv/bin/python -m pip install -q --no-index --no-deps "$out"/regild-*manylinux*"_$(uname -m)".*.whl
	export PATH=$PWD/venv/bin:$PATH
}
wheel() {
	environment
	"$python" -m zipfile -t "$out"/regild-*"_$(uname -m)".*.whl
	cmp venv/lib/python3*/site-packages/regild/bin/regild "$(program "$(uname -m)")"
	venv/bin/python -m pytest -q -p no:cacheprovider "$top/python/tests"
}

# What pip makes of a checkout, as pre-commit does, has the program, with which the hook runs.
hook() {
	"$python" -c 'import pytest, setuptools, venv, wheel, yaml' || exit 77
	git clone -q "$top" checkout
	"$python" -m venv --system-site-packages venv
	export PATH=$PWD/venv/bin:$PATH
	(cd checkout && python -m pip install -q --no-index --no-build-isolation .)
	[ -z "$(git -C checkout status --porcelain)" ]
	python -m pytest -q -p no:cacheprovider checkout/python/tests/test_plugin.py
	mkdir goldens
	echo '{"loss": {"1": NaN}}' >goldens/a.json
	printf '[regild]\n\tlayout = plain\n\troot = goldens\n' >.regild
	git init -q -b main .
	git add .regild
	git -c user.name=test -c user.email=test@example.com commit -q -m settings
	git add goldens
	hook=$("$python" -c "import yaml; print(yaml.safe_load(open('$top/.pre-commit-hooks.yaml'))[0]['entry'])")
	refused $hook >said
	grep 'loss: NaN at 1' said
}

# The README of examples/pytest, command by command.
example() {
	environment
	cp -R "$top/examples/pytest" example
	cd example
	git init -q -b main .
	git remote add origin https://github.com/o/n.git
	git add -A
	git -c user.name=test -c user.email=test@example.com commit -q -m example
	refused env CI=true python -m pytest -q -p no:cacheprovider --golden-out ../goldens-of-this-run
	mkdir -p ../fixture/artifacts ../fixture/runs
	mv ../goldens-of-this-run ../fixture/artifacts/goldens
	echo '{"repository": "o/n", "run": {"id": 2001, "created_at": "2026-03-01T04:00:00Z", "conclusion": "failure", "head_branch": "main"},
		"jobs": [{"name": "test", "conclusion": "failure"}], "artifacts": [{"name": "goldens"}]}' >../fixture/run.json
	"$build/hub" --ready ../ready --log ../log ../fixture &
	eventually [ -s ../ready ]
	export GITHUB_TOKEN=test-token
	GITHUB_API_URL=$(cat ../ready) regild refresh --run 2001 --all
	git status --short -uall | grep -q 'tests/goldens/test_training/test_line.json'
	python -m pytest -q -p no:cacheprovider
	refused env RATE=0.2 python -m pytest -q -p no:cacheprovider
}

# The extension runs the release's program and no other.
gh_extension() {
	mkdir bin
	printf '#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" != --dir ] || to=$2; [ "$1" != --pattern ] || file=$2; shift; done\nmkdir -p "$to" && cp "%s/$file" "$to"\n' \
		"$out" >bin/gh
	chmod +x bin/gh
	export PATH=$PWD/bin:$PATH XDG_DATA_HOME=$PWD/data
	sh "$out/gh-regild" --version | grep "^regild $version"
	rm bin/gh
	sh "$out/gh-regild" --version | grep "^regild $version"
	printf '#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" != --dir ] || to=$2; [ "$1" != --pattern ] || file=$2; shift; done\nmkdir -p "$to" && echo exit >"$to/$file"\n' >bin/gh
	chmod +x bin/gh
	XDG_DATA_HOME=$PWD/other
	refused sh "$out/gh-regild" --version 2>said
	grep 'was not run' said
}

release_texts() {
	(cd "$out" && sha256sum --quiet --check SHA256SUMS)
	grep -q ' third-party-sources.tar$' "$out/SHA256SUMS"
	mkdir sources
	tar xf "$out/third-party-sources.tar" -C sources
	(cd sources && sha256sum --quiet --check "$top/release/sources.sha256")
	"$python" - "$out/regild-$version.spdx.json" <<-'PYTHON'
		import json, sys
		bom = json.load(open(sys.argv[1]))
		assert bom["spdxVersion"] == "SPDX-2.3" and len(bom["packages"]) == len(bom["relationships"]) == 15
		assert all(package["versionInfo"] and package["licenseDeclared"] for package in bom["packages"])
	PYTHON
	refused grep -l '@[A-Z]' "$out"/*.rb "$out"/Containerfile "$out"/gh-regild
	grep -q "^version = \"$version\"$" "$top/pyproject.toml"
	grep -q "^regild ($version)" "$top/debian/changelog"
	for file in $(sed -n 's/^COPY \(--chmod=755 \)*\([^-].*\) [^ ]*$/\2/p' "$out/Containerfile"); do
		[ -s "$out/${file/'${ARCH}'/$(uname -m)}" ]
	done
}

# Built, without errors for lintian, installed over this machine, as a folder of its own sees it, and its own test run there.
debian_package() {
	command -v dh >/dev/null && command -v lintian >/dev/null && [ "$(id -u)" = 0 ] || exit 77
	(cd "$top" && git archive --prefix="regild-$version/" HEAD) | tar x
	(cd "regild-$version" && dpkg-buildpackage -b -us -uc)
	lintian --allow-root --fail-on error regild_*.deb
	mkdir over
	unshare -m --propagation private sh -ec 'mount -t tmpfs tmpfs over && mkdir over/upper over/work over/root
		mount -t overlay overlay -o lowerdir=/,upperdir="$PWD/over/upper",workdir="$PWD/over/work" over/root
		mount --bind /dev over/root/dev && mount -t proc proc over/root/proc
		chroot over/root sh -ec "cd \"$PWD\" && dpkg -i regild_*.deb && cd regild-* && PATH=/usr/bin:/bin:/usr/sbin:/sbin sh debian/tests/refresh"'
}

formula() {
	command -v ruby >/dev/null || exit 77
	ruby -c "$out/regild.rb"
}

for arch in x86_64 aarch64; do
	[ -e "$(program $arch)" ] || continue
	test one_file $arch
	test commands $arch
done
test release_texts
test empty_root
test certificates
test start
test wheel
test hook
test example
test gh_extension
test formula
test debian_package

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
