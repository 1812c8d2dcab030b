# SPDX-License-Identifier: Apache-2.0
# On a terminal: one line that is redrawn in place, never wider than the window, and gone at the end.
needs_terminal
start_hub "$REGILD_TOP/fixtures/demo" --fault store:slow,value=60000 \
	--fault api:secondary,seconds=2,match=/zip,first=1
export GITHUB_REPOSITORY=NVIDIA/Megatron-LM TERM=xterm
script -qec "stty cols 96; regild download --run 22651183945 --only-failing -o staged" typescript \
	</dev/null >/dev/null || true
# Each redraw begins by clearing what is there.
grep -v '^Script' typescript | tr -d '\r' | sed 's/\x1b\[J/\n/g' >lines
drawn=$(grep -c 'of 8 artifacts, .* of 63.0 MiB, ' lines)
echo "redrawn: $([ "$drawn" -ge 3 ] && echo yes || echo "no, $drawn")"
echo "one is named: $(grep -cE '[0-9.]+ [KM]*i*B/s,( .* left,)? logs-' lines | sed 's/[1-9][0-9]*/yes/')"
echo "GitHub's limit$(grep -o ', waiting [0-9.]* m*s:' lines | sed 's|[0-9.]* m*s|TIME|' | sort -u)"
echo "too wide: $(sed 's/…/./' lines | grep ' artifacts, ' | awk 'length > 95' | wc -l)"
echo "what is asked for first: $(grep -o 'waiting for the run.*' lines | sort -u)"
echo "escape sequences elsewhere: $(grep -v -e ' artifacts, ' -e '^waiting for' lines | grep -c "$(printf '\033')")"
echo "left at the end:"
tail -n 5 lines | grep .
