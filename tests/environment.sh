# An environment without the caller's settings: loaded by every script that runs tests, in front of its
# own settings.

for name in $(compgen -e); do
	case $name in
	GITHUB_* | GH_* | GIT_* | REGILD_* | XDG_* | *_proxy | *_PROXY | NO_COLOR | COLUMNS) unset "$name" ;;
	esac
done
unset name
export GIT_CONFIG_NOSYSTEM=1

# Only what is found beside others' leaks is printed.
LSAN_OPTIONS=print_suppressions=0:suppressions=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/support/leaks
export LSAN_OPTIONS
