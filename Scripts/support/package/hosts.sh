# shellcheck shell=bash
# Two hosts for installed.sh, copies of one system that lie below `hosts`, on a network with nobody else, and the people
# on them. The second one has a network, a host name, D-Bus and Avahi of its own. Sourced after common.sh.

# The host of commands that name no person.
host=first
second=''
declare -A nodes=() elsewhere=([carla]=second)

# The command prefix that runs something in the system and on the network of the host.
place() {
    words=(chroot "$hosts/$host")
    [[ "$host" != second ]] || words=(nsenter "--net=/proc/$second/ns/net" "--uts=/proc/$second/ns/uts" "${words[@]}")
}

# The command prefix that runs something as a person.
person() {
    local host="${elsewhere[$1]:-first}"
    place
    words+=(env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 "HOME=/home/$1" setpriv "--reuid=$1" "--regid=$1" --init-groups)
    [[ "$1" != tour-chat ]] || words+=(env HOME=/ TOUR_CHAT_DATA_DIR=/var/lib/tour-chat)
}

# The command prefix that runs something as root.
administrator() {
    place
    words+=(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive)
}

inside() {
    local words
    administrator
    "${words[@]}" "$@"
}

as() {
    local words
    person "$1"
    "${words[@]}" "${@:2}"
}

# Usage: on HOST COMMAND… : one of these functions, there.
on() {
    local host="$1"
    "${@:2}"
}

# Without network: the system has all packages in apt's store.
apt_options=(--quiet=2 --yes --no-install-recommends)
apt() { inside apt-get "${apt_options[@]}" "$@" >"$work/apt.log" 2>&1 || {
    cat "$work/apt.log" >&2
    die "apt-get $*"
}; }

installed_version() { inside dpkg-query --show --showformat='${Version}' tour-chat; }

# Usage: eventually WHAT COMMAND… : until it succeeds.
eventually() {
    local what="$1" tries
    shift
    for ((tries = 0; tries < 300; tries++)); do
        if "$@"; then return; fi
        sleep 0.2
    done
    tail --lines=5 "$work"/*.node >&2 || true
    die "in vain waited for: $what"
}

# Usage: says TEXT COMMAND… : reads the command to its end, so that it never fails by a closed pipe.
says() {
    local text="$1"
    shift
    "$@" 2>&1 | grep --fixed-strings -- "$text" >/dev/null
}

# The string with this name in one line of JSON, the last one if there are several.
field() { sed --quiet "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# Usage: launch NAME USER PROGRAM ARGUMENT… : a node under a name, until it is ready.
launch() {
    local words
    person "$2"
    : >"$work/$1.node"
    (exec "${words[@]}" "$3" run --json "${@:4}") >"$work/$1.node" 2>&1 &
    nodes[$1]=$!
    eventually "the node of $1" grep --quiet '"event":"ready"' "$work/$1.node"
}

start() { launch "$1" "$1" tour-chat "${@:2}"; }

stop() {
    local name
    for name in "$@"; do
        kill "${nodes[$name]}"
        wait "${nodes[$name]}" || die "the node of $name ended with $?: $(tail --lines=3 "$work/$name.node")"
    done
}

is_gone() { [[ ! -e "/proc/$1" ]]; }

# Usage: talk FROM TO TEXT : a message reaches the other.
talk() {
    as "$1" tour-chat send "$3" --json >/dev/null || die "$1 cannot send '$3'"
    eventually "'$3' at $2" says "$3" as "$2" tour-chat messages
}

# Usage: hand_file FROM TO NAME : a file reaches the other whole. Sets the file's id and hash: file, hash.
hand_file() {
    as "$1" sh -c "head --bytes=400000 /dev/urandom >\"\$HOME/$3\""
    hash="$(as "$1" sh -c "sha256sum <\"\$HOME/$3\"")"
    file="$(as "$1" tour-chat send --file "/home/$1/$3" --json | field id)"
    [[ -n "$file" ]] || die "$1 cannot send a file"
    eventually "the file $3 at $2" has_file "$2" "$file"
    saves "$2" "$file" "$hash"
}

has_file() { as "$1" tour-chat files --json | grep --fixed-strings "\"id\":\"$2\"" | says '"complete":true' cat; }

# Usage: saves USER FILE HASH
saves() {
    local folder
    folder="$(as "$1" mktemp --directory)"
    as "$1" tour-chat save "$2" "$folder" --json >/dev/null || die "$1 cannot save the file"
    [[ "$(as "$1" sh -c "cat \"$folder\"/* | sha256sum")" == "$3" ]] || die "$1 saved something else than was sent"
}

# Usage: refuse_second USER : the packaged program refuses data that another node uses, and says which. Sets its
# process: other.
refuse_second() {
    local said
    said="$(as "$1" tour-chat run 2>&1)" && die "a second node of $1 runs on the same data"
    [[ "$said" =~ "a node is running on /home/$1/.local/share/tour-chat already (process "([0-9]+)\) ]] ||
        die "a second node of $1 says: $said"
    other="${BASH_REMATCH[1]}"
    said="$(as "$1" tour-chat run --json 2>&1)" && die "a second node of $1 runs on the same data"
    says '"code":"data-directory-in-use"' echo "$said" || die "a second node of $1 says: $said"
}

# Usage: get PORT PATH [TOKEN] : an answer of the page's port on the first host.
get() {
    local key=''
    [[ -z "${3:-}" ]] || key="Authorization: Bearer $3"$'\r\n'
    exec 9<>"/dev/tcp/127.0.0.1/$1"
    printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n%sConnection: close\r\n\r\n' "$2" "$1" "$key" >&9
    tr --delete '\0' <&9
    exec 9>&-
}

# The packages, proc and devices in a system.
equip() {
    local device
    mount --bind "$work/packages" "$1/srv"
    mount -t proc proc "$1/proc"
    for device in null zero full random urandom tty; do
        rm --force "$1/dev/$device"
        touch "$1/dev/$device"
        mount --bind "/dev/$device" "$1/dev/$device"
    done
    mkdir --parents "$1/dev/pts"
    mount -t devpts -o newinstance,ptmxmode=666 devpts "$1/dev/pts"
    ln --symbolic --force pts/ptmx "$1/dev/ptmx"
}

# The first host, from the packed system. Usage: unpack FILE
unpack() {
    mount --make-rprivate /
    mkdir "$hosts"
    mount -t tmpfs -o mode=755 tmpfs "$hosts"
    mkdir "$root"
    tar --extract --directory "$root" --file "$1"
    equip "$root"
    hostname first
    ip link set lo up
}

# The second host, a copy of the first one, and the cable between them.
copy_host() {
    inside apt-get clean
    mkdir "$hosts/second"
    tar --create --one-file-system --directory "$root" . | tar --extract --directory "$hosts/second"
    equip "$hosts/second"
    # Not the same machine to the programs.
    on second inside sh -c \
        'rm --force /var/lib/dbus/machine-id /etc/machine-id && dbus-uuidgen --ensure=/etc/machine-id'
}

other_network() { [[ "$(readlink "/proc/$second/ns/net")" != "$(readlink /proc/self/ns/net)" ]]; }

cable() {
    unshare --net --uts sleep infinity &
    second=$!
    eventually "a second network" other_network
    ip link add lan0 type veth peer name lan0 netns "$second"
    ip address add 10.77.0.1/24 brd + dev lan0
    ip link set lan0 up
    ip route add default dev lan0
    nsenter "--net=/proc/$second/ns/net" "--uts=/proc/$second/ns/uts" sh -c 'hostname second && ip link set lo up &&
        ip address add 10.77.0.2/24 brd + dev lan0 && ip link set lan0 up && ip route add default dev lan0'
}

# D-Bus and Avahi, which no service manager starts here. The two hosts' Avahis are one user to the kernel, whose limit
# of processes is for one of them.
start_daemons() {
    inside mkdir --parents /run/dbus
    inside dbus-daemon --system --fork
    inside avahi-daemon --daemonize --no-rlimits
}
