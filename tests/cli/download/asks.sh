# On a terminal the scope is asked for.
script --version >/dev/null 2>&1 || skip "needs script(1) of util-linux"
export GITHUB_TOKEN=t GITHUB_REPOSITORY=o/n GITHUB_API_URL=http://127.0.0.1:1

# answer KEYS: types them once the first question stands there, then closes the input.
answer() {
	: >typescript
	{
		for _ in $(seq 1 100); do
			! grep -q 'y/N' typescript || break
			sleep 0.05
		done
		printf "$1"
		sleep 1
	} | script -qefc 'regild download --run 5 -o out' typescript >/dev/null && status=0 || status=$?
	tr -d '\r' <typescript | grep -v -e '^Script' -e '^$'
	echo "exit code $status"
}

echo '== neither'
answer 'n\n'
echo '== Ctrl-C ends it at the first question'
answer '\003'
[ ! -e out ] && echo "nothing was made"
