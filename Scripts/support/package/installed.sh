#!/usr/bin/env bash
# Usage: installed.sh BASE WORK VERSION NEXT
#
# The part of Scripts/support/package_test that runs as the first process of namespaces of its own: BASE is the packed
# system, WORK has the packages of two versions (first, next) and the repository (apt).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../common.sh
source "$(dirname "$0")/../common.sh"

base="$1" work="$2" version="$3" next="$4"
root="$work/root"
architecture="$(dpkg --print-architecture)"
declare -A nodes=()

check() { printf '  %s\n' "$*"; }

inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive "$@"
}

# The command prefix that runs something as a user in the system.
person() {
    words=(env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 "HOME=/home/$1" setpriv "--reuid=$1" "--regid=$1" --init-groups)
    [[ "$1" != tour-chat ]] || words+=(env HOME=/ TOUR_CHAT_DATA_DIR=/var/lib/tour-chat)
}

as() {
    local words
    person "$1"
    chroot "$root" "${words[@]}" "${@:2}"
}

apt() { inside apt-get --quiet=2 --yes --no-install-recommends "$@" >"$work/apt.log" 2>&1 || {
    cat "$work/apt.log" >&2
    die "apt-get $*"
}; }

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

says() {
    local text="$1"
    shift
    "$@" 2>&1 | grep --quiet --fixed-strings -- "$text"
}

# Usage: start USER ARGUMENT… : a node, until it is ready.
start() {
    local words
    person "$1"
    : >"$work/$1.node"
    (exec chroot "$root" "${words[@]}" tour-chat run --json "${@:2}") >"$work/$1.node" 2>&1 &
    nodes[$1]=$!
    eventually "the node of $1" grep --quiet '"event":"ready"' "$work/$1.node"
}

stop() {
    local user
    for user in "$@"; do
        kill "${nodes[$user]}"
        wait "${nodes[$user]}" || die "the node of $user ended with $?: $(tail --lines=3 "$work/$user.node")"
    done
}

unpack() {
    mount --make-rprivate /
    mkdir "$root"
    mount -t tmpfs -o mode=755 tmpfs "$root"
    tar --extract --directory "$root" --file "$base"
    mount -t proc proc "$root/proc"
    local device
    for device in null zero full random urandom tty; do
        rm --force "$root/dev/$device"
        touch "$root/dev/$device"
        mount --bind "/dev/$device" "$root/dev/$device"
    done
    cp --recursive "$work/first" "$work/next" "$work/apt" "$root/srv"
    mkdir --parents "$root/dev/pts"
    mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
    ln --symbolic --force pts/ptmx "$root/dev/ptmx"
    # A network with nobody else on it.
    ip link set lo up
    ip link add lan0 type veth peer name lan1
    ip address add 10.77.0.1/24 dev lan0
    ip link set lan0 up
    ip link set lan1 up
    ip route add default dev lan0
}

install_first() {
    apt install "/srv/first/tour-chat_${version}_$architecture.deb"
    says "tour-chat $version" inside tour-chat --version
    inside getent passwd tour-chat >/dev/null
    [[ -L "$root/etc/systemd/system/multi-user.target.wants/tour-chat.service" ]] ||
        die "the unit for a device is not enabled"
    check "apt installs it; $(inside tour-chat --version)"
    apt install avahi-daemon dbus
    # On systems where no service manager started them.
    inside sh -c 'mkdir --parents /run/dbus && dbus-daemon --system --fork 2>/dev/null; avahi-daemon --daemonize' || true
    inside adduser --quiet --disabled-password --gecos '' anna
    inside adduser --quiet --disabled-password --gecos '' ben
}

two_people() {
    start anna --name Anna
    start ben --name Ben
    eventually "Avahi" says '"state":"running"' as anna tour-chat status --json
    local code
    code="$(as anna tour-chat tour create Museum --json | sed 's/.*"joinCode":"\([^"]*\)".*/\1/')"
    as ben tour-chat join "$code" --timeout 60 --json >/dev/null || die "Ben cannot join"
    as anna tour-chat send "Hello Ben" --json >/dev/null
    eventually "a message" says "Hello Ben" as ben tour-chat messages
    as anna tour-chat doctor >"$work/doctor" 2>&1 || true
    grep --quiet "Avahi is running" "$work/doctor" || die "doctor says: $(cat "$work/doctor")"
    # A packaged node refuses data that another node uses, as a cloned one does.
    local second
    second="$(as anna tour-chat run 2>&1)" && die "a second node runs on the same data"
    says data-directory-in-use echo "$second"
    check "two people on one machine, found by Avahi: they chat"
}

# As the units do: the node runs as its own user, and another user opens the file for it.
device() {
    local file="$root/boot/firmware/tour-chat.toml" code status=0 before after
    install --directory --mode=700 --owner="$(inside id --user tour-chat)" --group="$(inside id --group tour-chat)" \
        "$root/var/lib/tour-chat"
    mkdir --parents "$root/boot/firmware"
    start tour-chat --web off --notify off --files always
    write_settings() { printf '\xef\xbb\xbfname = "Bus 1"\r\ncode = "%s"\r\nrole = "bridge"\r\ncolour = "red"\r\n' "$1" >"$file"; }
    write_settings ABCD-EFGH
    as tour-chat tour-chat setup 0<>"$file" 1>&0 2>"$work/setup" || status=$?
    [[ "$status" == 78 ]] || die "a wrong code: status $status, $(cat "$work/setup")"
    says 'colour' cat "$work/setup"
    says 'Correct the code in the file' cat "$work/setup"
    says 'ABCD-EFGH' cat "$file"
    code="$(as anna tour-chat tour invite --json | sed 's/.*"joinCode":"\([^"]*\)".*/\1/')"
    [[ "$code" =~ ^[A-Z0-9-]+$ ]] || die "the code is $code"
    write_settings "$code"
    before="$(stat --format=%s "$file")"
    as tour-chat tour-chat setup 0<>"$file" 1>&0 2>"$work/setup" || die "setup: $(cat "$work/setup")"
    after="$(stat --format=%s "$file")"
    [[ "$before" == "$after" ]] || die "the settings file is $after bytes instead of $before"
    ! grep --quiet --fixed-strings "$code" "$file" || die "the code is still in the file"
    says 'name = "Bus 1"' cat "$file"
    eventually "the device among the members" says "Bus 1" as anna tour-chat members
    # The next start has nothing left to do.
    as tour-chat tour-chat setup 0<>"$file" 1>&0 2>"$work/setup" || die "setup: $(cat "$work/setup")"
    check "a device joins by its file; a wrong code is told of, and a right one is wiped"
}

upgrade() {
    apt install "/srv/next/tour-chat_${next}_$architecture.deb"
    [[ "$(inside dpkg-query --show --showformat='${Version}' tour-chat)" == "$next" ]]
    as anna tour-chat send "Upgraded" --json >/dev/null
    eventually "a message of a running node" says "Upgraded" as ben tour-chat messages
    stop anna ben tour-chat
    start anna
    start ben
    says "Hello Ben" as ben tour-chat messages
    as ben tour-chat send "Here again" --json >/dev/null
    eventually "a message after the upgrade" says "Here again" as anna tour-chat messages
    stop anna ben
    check "upgraded under running nodes: nothing is lost"
}

# Usage: fetch COMMAND… : apt, with this repository as its only source.
fetch() {
    inside apt-get --quiet=2 --yes --no-install-recommends -o Dir::Etc::sourcelist=/etc/apt/tour-chat.list \
        -o Dir::Etc::sourceparts=- -o APT::Get::List-Cleanup=0 -o APT::Update::Error-Mode=any "$@" >"$work/apt.log" 2>&1
}

removed_and_fetched() {
    apt remove tour-chat
    [[ ! -e "$root/usr/bin/tour-chat" ]] || die "the program is still there"
    [[ -f "$root/home/anna/.local/share/tour-chat/tour.sqlite" && -f "$root/var/lib/tour-chat/tour.sqlite" ]] ||
        die "removing it took data away"
    check "removed: data stays"
    cp "$work/apt/tour-chat-archive-keyring.gpg" "$root/usr/share/keyrings"
    echo 'deb [signed-by=/usr/share/keyrings/tour-chat-archive-keyring.gpg] file:/srv/apt stable main' \
        >"$root/etc/apt/tour-chat.list"
    fetch update || die "the repository: $(cat "$work/apt.log")"
    fetch install tour-chat tour-server || die "from the repository: $(cat "$work/apt.log")"
    says "Hello Ben" as anna tour-chat messages
    sed --in-place 's/^Origin: .*/Origin: Somebody/' "$root/srv/apt/dists/stable/InRelease"
    ! fetch update || die "apt took a repository that was changed"
    check "fetched from the signed repository; a changed one is refused"
}

server() {
    : >"$work/server.node"
    (exec chroot "$root" env -i PATH=/usr/bin:/bin TOUR_SERVER_DATA_DIR=/var/lib/tour-server setpriv \
        --reuid=tour-server --regid=tour-server --init-groups tour-server serve --listen 127.0.0.1:8080) \
        >"$work/server.node" 2>&1 &
    nodes[server]=$!
    eventually "the server" grep --quiet '"event":"ready"' "$work/server.node"
    exec 9<>/dev/tcp/127.0.0.1/8080
    printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&9
    grep --quiet '"status":"ok"' <&9
    exec 9>&-
    stop server
    check "the server answers"
}

purged() {
    apt purge tour-chat tour-server
    local left
    left="$(find "$root" -xdev \( -path "$root/home" -o -path "$root/srv" -o -path "$root/proc" \
        -o -path "$root/var/log" -o -path "$root/boot" -o -name 'tour-chat-archive-keyring.gpg' \
        -o -path "$root/etc/apt/tour-chat.list" -o -path "$root/var/lib/apt/lists" \) -prune \
        -o \( -name '*tour*chat*' -o -name '*tour*server*' -o -nouser -o -nogroup \) -print)"
    [[ -z "$left" ]] || die "purging left $left"
    ! inside getent passwd tour-chat tour-server || die "purging left a user"
    ! inside dpkg --list tour-chat tour-server 2>/dev/null | grep '^[a-z][a-z] *tour' || die "dpkg knows it still"
    [[ -f "$root/home/anna/.local/share/tour-chat/tour.sqlite" ]] || die "purging took what is Anna's"
    check "purged: nothing is left but what is in people's homes"
}

unpack
install_first
two_people
device
upgrade
removed_and_fetched
install --directory --mode=700 --owner="$(inside id --user tour-server)" "$root/var/lib/tour-server"
server
purged
