# SPDX-License-Identifier: Apache-2.0
# Loaded by what needs ClickHouse: two servers on loopback, the shards of the cluster "pair", with their own
# configuration, ports and data in $CLUSTER. With two more, which a test starts, they are the cluster "copies", of two
# shards with two replicas each. They are stopped when the script ends.

CLUSTER_USER=regild CLUSTER_PASSWORD="it's a \\secret"
http=() https=()

# Ports that nobody listens on, seventeen in a row for four servers and what coordinates them.
free_ports() {
	local first port
	for ((first = 21000 + $$ % 5000; first < 32000; first += 17)); do
		for ((port = first; port < first + 17; port++)); do
			! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || continue 2
		done
		echo "$first"
		return
	done
	return 1
}

# XML's text of a shell's word.
xml() {
	sed 's/&/\&amp;/g; s/</\&lt;/g' <<<"$1"
}

# A certificate for localhost, and no other name, of an authority of its own: $CLUSTER/ca.pem.
certify() (
	mkdir -p "$CLUSTER"
	cd "$CLUSTER" || return
	printf 'subjectAltName=DNS:localhost\n' >names
	{
		openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority &&
			openssl req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=localhost &&
			openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names \
				-out cert.pem
	} 2>/dev/null
)

# recipe TAG: what the manual has in that tag, of an operator's configuration.
recipe() {
	sed -n "/^ *<$1>\$/,/^ *<\/$1>\$/p" "$REGILD_TOP/man/regild-history.7" | sed '1d;$d'
}

configure() {
	local n port pair= copies own users password
	password=$(xml "$CLUSTER_PASSWORD")
	copies=$(recipe ci)
	for n in 1 2 3 4; do
		own="<host>127.0.0.1</host><port>$((first + n * 4 - 3))</port><user>$CLUSTER_USER</user>
			<password>$password</password>"
		[ "$n" -gt 2 ] || pair+="<shard><replica>$own</replica></shard>"
		copies=${copies/"<host>ch$n</host><port>9000</port>"/"$own"}
	done
	users=$(recipe users)
	users=${users//PASSWORD/"$password"}
	users=${users//::\/0/127.0.0.1}
	for n in 1 2 3 4; do
		port=$((first + n * 4 - 4))
		mkdir -p "$CLUSTER/$n/data" "$CLUSTER/$n/tmp"
		cat >"$CLUSTER/$n/users.xml" <<-XML
			<yandex>
			<profiles><default><max_memory_usage>1000000000</max_memory_usage></default>
			<limited><max_result_rows>1500</max_result_rows><max_block_size>100</max_block_size></limited>
			$(recipe profiles)</profiles>
			<quotas><default/></quotas>
			<users><$CLUSTER_USER><password>$password</password><networks><ip>127.0.0.1</ip></networks>
			<profile>default</profile><quota>default</quota></$CLUSTER_USER>
			<limited><password>$password</password><networks><ip>127.0.0.1</ip></networks>
			<profile>limited</profile><quota>default</quota></limited>
			$users</users>
			</yandex>
		XML
		cat >"$CLUSTER/$n/config.xml" <<-XML
			<yandex>
			<logger><level>warning</level><log>$CLUSTER/$n/log</log><errorlog>$CLUSTER/$n/errors</errorlog></logger>
			<listen_host>127.0.0.1</listen_host>
			<http_port>$port</http_port>
			<tcp_port>$((port + 1))</tcp_port>
			<interserver_http_port>$((port + 2))</interserver_http_port>
			<https_port>$((port + 3))</https_port>
			<openSSL><server><certificateFile>$CLUSTER/cert.pem</certificateFile>
			<privateKeyFile>$CLUSTER/key.pem</privateKeyFile><verificationMode>none</verificationMode></server></openSSL>
			<path>$CLUSTER/$n/data/</path>
			<tmp_path>$CLUSTER/$n/tmp/</tmp_path>
			<users_config>$CLUSTER/$n/users.xml</users_config>
			<default_profile>default</default_profile>
			<default_database>default</default_database>
			<mark_cache_size>16777216</mark_cache_size>
			<timezone>UTC</timezone>
			<remote_servers><pair>$pair</pair><copies>$copies</copies></remote_servers>
			<zookeeper><node><host>127.0.0.1</host><port>$((first + 16))</port></node></zookeeper>
			<interserver_http_host>127.0.0.1</interserver_http_host>
			<macros><shard>$(((n + 1) / 2))</shard><replica>$n</replica></macros>
			</yandex>
		XML
		http[n]=127.0.0.1:$port https[n]=localhost:$((port + 3))
	done
}

answers() {
	curl -sf -o /dev/null --max-time 2 "http://${http[$1]}/ping"
}

start_server() {
	clickhouse-server --config-file="$CLUSTER/$1/config.xml" >"$CLUSTER/$1/out" 2>&1 &
	echo $! >"$CLUSTER/$1/pid"
	eventually answers "$1" || {
		tail -n 20 "$CLUSTER/$1/out" "$CLUSTER/$1/errors"
		return 1
	}
}

signal_server() {
	kill "-$2" "$(cat "$CLUSTER/$1/pid")"
}

is_gone() {
	! kill -0 "$(cat "$CLUSTER/$1/pid")" 2>/dev/null || grep -q '^State:.Z' "/proc/$(cat "$CLUSTER/$1/pid")/status"
}

# As a power cut does it.
kill_server() {
	signal_server "$1" KILL
	eventually is_gone "$1"
}

zookeeper_is_there() {
	[ -e /usr/share/java/zookeeper.jar ] && command -v java >/dev/null
}

zookeeper_answers() {
	sql 1 "SELECT count() FROM system.zookeeper WHERE path = '/'" >/dev/null 2>&1
}

# Coordinates the replicas.
start_zookeeper() {
	mkdir -p "$CLUSTER/zookeeper"
	printf '%s\n' tickTime=500 "dataDir=$CLUSTER/zookeeper" clientPortAddress=127.0.0.1 "clientPort=$((first + 16))" \
		admin.enableServer=false >"$CLUSTER/zookeeper.cfg"
	java -Xmx128m -cp "/etc/zookeeper/conf_example:/usr/share/java/*" org.apache.zookeeper.server.quorum.QuorumPeerMain \
		"$CLUSTER/zookeeper.cfg" >"$CLUSTER/zookeeper.log" 2>&1 &
	echo $! >"$CLUSTER/zookeeper_pid"
	eventually zookeeper_answers
}

end_zookeeper() {
	[ ! -e "$CLUSTER/zookeeper_pid" ] || kill "$(cat "$CLUSTER/zookeeper_pid")"
	rm -f "$CLUSTER/zookeeper_pid"
}

stop_cluster() {
	local n
	end_slow_way
	end_zookeeper
	for n in 1 2 3 4; do
		[ ! -e "$CLUSTER/$n/pid" ] || is_gone "$n" || kill_server "$n"
	done
}

start_cluster() {
	first=$(free_ports) || return 1
	certify && configure || return 1
	start_server 1 && start_server 2
}

# sql N STATEMENT: at the server's own HTTP, without regild.
sql() {
	curl -sS --fail-with-body --max-time 60 -u "$CLUSTER_USER:$CLUSTER_PASSWORD" "http://${http[$1]}/" --data-binary "$2"
}

# carry_out N…: each of these servers does what the statements on stdin say, which regild prints.
carry_out() {
	local n statement
	awk 'BEGIN { RS = ";\n+" } NF { printf "%s%c", $0, 0 }' >"$CLUSTER/statements"
	for n; do
		while IFS= read -rd '' statement; do sql "$n" "$statement" || return; done <"$CLUSTER/statements"
	done
}

# slow_way N: the server is reached from $slow, too, with 25 ms of network each way.
# slow_way N REQUESTS: without these, and only for so many requests.
slow_way() {
	rm -f "$CLUSTER/slow"
	python3 "$REGILD_TOP/tests/cluster/slow_way.py" "${http[$1]}" ${2:+"$2"} >"$CLUSTER/slow" 2>/dev/null &
	echo $! >"$CLUSTER/slow_pid"
	eventually test -s "$CLUSTER/slow"
	slow=127.0.0.1:$(cat "$CLUSTER/slow")
}

end_slow_way() {
	[ ! -e "$CLUSTER/slow_pid" ] || kill "$(cat "$CLUSTER/slow_pid")" 2>/dev/null || true
	rm -f "$CLUSTER/slow_pid"
}
