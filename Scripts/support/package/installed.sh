#!/usr/bin/env bash
# Usage: installed.sh BASE WORK VERSION NEXT
#
# The part of Scripts/support/package_test that runs as the first process of namespaces of its own: BASE is the packed
# system, WORK/packages has the packages of two versions (first, next) and the repository (apt).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../common.sh
source "$(dirname "$0")/../common.sh"

# A command that fails says nothing of where it stands.
set -o errtrace
trap 'warn "installed.sh: line $LINENO (called from ${BASH_LINENO[0]:-0}): $BASH_COMMAND"' ERR

base="$1" work="$2" version="$3" next="$4"
hosts="$work/hosts"
root="$hosts/first"
architecture="$(dpkg --print-architecture)"
apt_source=/etc/apt/sources.list.d/tour-chat.list
first_package="/srv/first/tour-chat_${version}_$architecture.deb"
next_package="/srv/next/tour-chat_${next}_$architecture.deb"
# Anna's last file: its id, and its hash.
file='' hash=''
other=''
# shellcheck source-path=SCRIPTDIR source=hosts.sh
source "$(dirname "$0")/hosts.sh"

# Says what has been shown, and how long that took.
checked=$SECONDS
check() {
    printf '  %s (%d s)\n' "$*" $((SECONDS - checked))
    checked=$SECONDS
}

install_first() {
    apt install "$first_package"
    says "tour-chat $version" inside tour-chat --version
    inside getent passwd tour-chat >/dev/null
    [[ -L "$root/etc/systemd/system/multi-user.target.wants/tour-chat.service" ]] ||
        die "the unit for a device is not enabled"
    [[ -x "$root/usr/lib/NetworkManager/dispatcher.d/90-tour-chat-portal" &&
        -f "$root/etc/NetworkManager/dnsmasq-shared.d/tour-chat.conf" ]] || die "phones in a hotspot are led nowhere"
    check "apt installs it; $(inside tour-chat --version)"
    # Nothing else starts by being installed: each host starts its own.
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
    # And what the server wants, while the store has it: later packages come from the repository alone.
    apt install avahi-daemon dbus stunnel4
    # NetworkManager, as it is played below.
    cat >"$root/etc/dbus-1/system.d/played.conf" <<'TEXT'
<busconfig>
  <policy user="root"><allow own="org.freedesktop.NetworkManager"/></policy>
  <policy context="default"><allow send_destination="org.freedesktop.NetworkManager"/></policy>
</busconfig>
TEXT
    local user
    for user in anna ben carla; do inside adduser --quiet --disabled-password --gecos '' "$user"; done
}

make_second() {
    cable
    copy_host
    start_daemons
    on second start_daemons
    check "a second host, with a network, D-Bus and Avahi of its own"
}

# Starts the node as the entry in the program menu does. Without a desktop the program prints the address that a
# browser would open.
first_start() {
    local address port token
    address="$(as anna tour-chat page --start --json | field address)"
    [[ "$address" =~ ^http://127\.0\.0\.1:([0-9]+)/#token=([0-9a-f]{64})$ ]] || die "the page's address is '$address'"
    port="${BASH_REMATCH[1]}" token="${BASH_REMATCH[2]}"
    says '<title>tour-chat</title>' get "$port" / || die "the page does not answer"
    says 'HTTP/1.1 200' get "$port" /start.js || die "the page has no first screen"
    says '"tours":[]' get "$port" /v1/nearby "$token" || die "the page cannot ask what is near"
    says 'HTTP/1.1 401' get "$port" /v1/nearby || die "the page's port answers without the key"
    # The node goes on when the command has ended.
    refuse_second anna
    kill "$other"
    eventually "the end of the node" is_gone "$other"
    check "started as the program menu does: the page's first screen answers"
}

two_people() {
    start anna --name Anna
    start ben --name Ben
    eventually "Avahi" says '"state":"running"' as anna tour-chat status --json
    local code
    code="$(as anna tour-chat tour create Museum --json | field joinCode)"
    as ben tour-chat join "$code" --timeout 60 --json >/dev/null || die "Ben cannot join"
    talk anna ben "Hello Ben"
    as anna tour-chat doctor >"$work/doctor" 2>&1 || true
    grep --quiet "Devices near are looked for" "$work/doctor" || die "doctor says: $(cat "$work/doctor")"
    refuse_second anna
    check "two people on one machine, found by Avahi: they chat"
}

four_words() { sed --quiet 's/.*"words":\["\([^]]*\)"\].*/\1/p' | sed 's/","/ /g' | tail --lines=1; }

is_asked() { says '"words":[' as anna tour-chat tour asks --json && grep --quiet '"words":\[' "$work/carla.join"; }

# The newcomer on the other host has no code: two people compare what their screens show.
by_asking() {
    local newcomer shown theirs
    start carla --name Carla
    as carla tour-chat join --nearby --yes --json --timeout 60 >"$work/carla.join" 2>&1 &
    newcomer=$!
    eventually "somebody who asks" is_asked
    says '"name":"Carla"' as anna tour-chat tour asks --json || die "the guide is not told who asks"
    shown="$(as anna tour-chat tour asks --json | four_words)"
    theirs="$(four_words <"$work/carla.join")"
    [[ "$(wc --words <<<"$shown")" == 4 && "$shown" == "$theirs" ]] || die "the guide sees '$shown', Carla '$theirs'"
    ! says Carla as anna tour-chat members || die "she is a member before anybody let her in"
    # shellcheck disable=SC2086 # four words
    as anna tour-chat tour admit $shown --json >/dev/null || die "the guide cannot let her in"
    wait "$newcomer" || die "Carla cannot join: $(cat "$work/carla.join")"
    [[ "$(four_words <"$work/carla.join")" == "$shown" ]] || die "Carla's words changed: $(cat "$work/carla.join")"
    talk anna carla "Welcome Carla"
    talk carla anna "Thank you"
    talk carla ben "And you are Ben"
    hand_file carla anna map.bin
    hand_file anna carla tickets.bin
    check "a newcomer on the second host asks; the words agree; they chat, and exchange files"
}

network_of_ones_own() {
    local status name manager
    status="$(as anna tour-chat hotspot status --json)"
    says '"code":"hotspot-no-manager"' echo "$status" || die "without NetworkManager: $status"
    DBUS_SYSTEM_BUS_ADDRESS="unix:path=$root/run/dbus/system_bus_socket" PYTHONUNBUFFERED=1 \
        /usr/bin/python3 -m dbusmock --system --template "$repository/Tests/Hosts/networkmanager_mock.py" \
        --parameters '{"cards": [{"interface": "wlan0", "network": "Hotel"}]}' >"$work/manager" 2>&1 &
    manager=$!
    eventually "NetworkManager" grep --quiet '^ready$' "$work/manager"
    status="$(as anna tour-chat hotspot on --json)" || die "hotspot on: $status"
    says '"state":"on"' echo "$status" && says '"replaces":"Hotel"' echo "$status" || die "hotspot on: $status"
    grep --quiet ' AddAndActivateConnection ' "$work/manager" || die "nobody asked NetworkManager for a network"
    name="$(field name <<<"$status")"
    as anna tour-chat hotspot status >"$work/hotspot" || die "hotspot status: $(cat "$work/hotspot")"
    grep --quiet --fixed-strings "$name" "$work/hotspot" && grep --quiet '█' "$work/hotspot" ||
        die "hotspot status shows no '$name' with its code: $(cat "$work/hotspot")"
    says '"state":"off"' as anna tour-chat hotspot off --json || die "hotspot off"
    grep --quiet ' DeactivateConnection ' "$work/manager" || die "nobody asked NetworkManager to end the network"
    says '"state":"off"' as anna tour-chat hotspot status --json || die "after hotspot off it is not off"
    kill "$manager"
    check "a network of one's own, by NetworkManager as it is played: on, shown, off"
}

# As the units do: the node runs as its own user, and another user opens the file for it.
device() {
    local file="$root/boot/firmware/tour-chat.toml" code status=0 before after
    install --directory --mode=700 --owner="$(inside id --user tour-chat)" --group="$(inside id --group tour-chat)" \
        "$root/var/lib/tour-chat"
    mkdir --parents "$root/boot/firmware"
    start tour-chat --web off --notify off --files always
    # As an editor of another system leaves it.
    write_settings() {
        printf '\xef\xbb\xbfname = "Bus 1"\r\ncode = "%s"\r\nrole = "bridge"\r\ncolour = "red"\r\n' "$1" >"$file"
    }
    write_settings ABCD-EFGH
    as tour-chat tour-chat setup 0<>"$file" 1>&0 2>"$work/setup" || status=$?
    [[ "$status" == 78 ]] || die "a wrong code: status $status, $(cat "$work/setup")"
    says 'colour' cat "$work/setup"
    says 'Correct the code in the file' cat "$work/setup"
    says 'ABCD-EFGH' cat "$file"
    code="$(as anna tour-chat tour invite --json | field joinCode)"
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

# Carla still has what she had before the upgrade. Usage: nothing_is_lost WHEN
nothing_is_lost() {
    says "Welcome Carla" as carla tour-chat messages || die "a message is lost $1"
    saves carla "$file" "$hash"
}

upgrade() {
    apt install "$next_package"
    [[ "$(installed_version)" == "$next" ]]
    talk anna ben "Upgraded"
    talk carla anna "I still have the old one"
    stop anna ben tour-chat
    start anna
    start ben
    says "Hello Ben" as ben tour-chat messages
    saves anna "$file" "$hash"
    talk ben anna "Here again"
    talk anna carla "The new one to the old one"
    talk carla ben "The old one to the new one"
    check "upgraded under running nodes: nothing is lost, and both versions chat"
}

is_unpacking() { [[ -e "$1.dpkg-new" ]]; }
is_replaced() { [[ ! "$1" -ef "$work/hosts/before" ]]; }

# Usage: power_cut CONDITION FILE : begins the upgrade of this host under Carla's node, and ends all of both at once
# when that becomes true of the file. Then she starts her node again, and the system is repaired as dpkg says: it
# configures what was unpacked, and wants a package again whose files it is not sure of.
power_cut() {
    local words process inner tries state=installed
    administrator
    # A busy machine may see it too late, or not at all: the files are there for a moment, and apt is through already.
    for ((tries = 0; tries < 25; tries++)); do
        [[ "$state" == installed ]] || break
        ln --force "$2" "$hosts/before"
        # With the first process of a namespace all others end. From the beginning again, wherever the last one ended.
        unshare --pid --fork --kill-child "${words[@]}" apt-get "${apt_options[@]}" --reinstall install \
            "$next_package" >"$work/apt.log" 2>&1 &
        process=$!
        until "$1" "$2" || [[ ! -e "/proc/$process" ]]; do :; done
        inner="$(cat "/proc/$process/task/$process/children" 2>/dev/null || true)"
        [[ -z "$inner" ]] || kill -KILL "${inner% }" 2>/dev/null || true
        kill -KILL "${nodes[carla]}"
        wait "$process" "${nodes[carla]}" 2>/dev/null || true
        state="$(inside dpkg-query --show --showformat='${db:Status-Status}' tour-chat)"
        start carla
        nothing_is_lost "after a power cut"
    done
    [[ "$state" != installed ]] || die "no power cut came in time"
    inside dpkg --configure --pending >"$work/apt.log" 2>&1 && return
    [[ "$(inside dpkg-query --show --showformat='${db:Status-Eflag}' tour-chat)" == reinstreq ]] ||
        die "dpkg: $(cat "$work/apt.log")"
    inside dpkg --install "$next_package" >"$work/apt.log" 2>&1 || die "dpkg, again: $(cat "$work/apt.log")"
}

interrupted_upgrade() {
    local program="$hosts/second/usr/bin/tour-chat" script="$hosts/second/var/lib/dpkg/info/tour-chat.postinst"
    power_cut is_unpacking "$program"
    power_cut is_replaced "$program"
    power_cut is_replaced "$script"
    apt install "$next_package"
    [[ "$(installed_version)" == "$next" ]] || die "after power cuts $(installed_version) is installed"
    says "tour-chat" inside tour-chat --version
    stop carla
    start carla
    nothing_is_lost "after the upgrade"
    talk anna carla "Upgraded at last"
    talk carla anna "At last"
    stop anna ben carla
    check "three power cuts in one upgrade: nothing is lost, and apt ends it"
}

# Fetches the lists of this repository alone: Debian's stay as they are, since there is no network.
update_from_repository() {
    inside apt-get "${apt_options[@]}" -o "Dir::Etc::sourcelist=$apt_source" -o Dir::Etc::sourceparts=- \
        -o APT::Get::List-Cleanup=0 -o APT::Update::Error-Mode=any update >"$work/apt.log" 2>&1
}

removed_and_fetched() {
    local clone=/home/anna/clone/.build/release/tour-chat
    install -D "$root/usr/bin/tour-chat" "$root$clone"
    apt remove tour-chat
    [[ ! -e "$root/usr/bin/tour-chat" ]] || die "the program is still there"
    [[ -f "$root/home/anna/.local/share/tour-chat/tour.sqlite" && -f "$root/var/lib/tour-chat/tour.sqlite" ]] ||
        die "removing it took data away"
    check "removed: data stays"
    cp "$work/packages/apt/tour-chat-archive-keyring.gpg" "$root/usr/share/keyrings"
    echo 'deb [signed-by=/usr/share/keyrings/tour-chat-archive-keyring.gpg] file:/srv/apt stable main' \
        >"$root$apt_source"
    launch anna anna "$clone"
    update_from_repository || die "the repository: $(cat "$work/apt.log")"
    apt install tour-chat tour-server
    says "Hello Ben" as anna tour-chat messages
    refuse_second anna
    [[ "$other" == "${nodes[anna]}" ]] || die "it is not the clone's node that has the data"
    launch beside anna tour-chat --data-dir /home/anna/beside --name Beside
    says '"tours":[]' as anna tour-chat --data-dir /home/anna/beside tour list --json || true
    says "Hello Ben" as anna tour-chat messages
    stop beside anna
    start anna
    says "Hello Ben" as anna tour-chat messages
    stop anna
    check "installed beside a running clone: refused on its data, and at home on its own"
    sed --in-place 's/^Origin: .*/Origin: Somebody/' "$root/srv/apt/dists/stable/InRelease"
    ! update_from_repository || die "apt took a repository that was changed"
    check "fetched from the signed repository; a changed one is refused"
}

server() {
    : >"$work/server.node"
    (exec chroot "$root" env -i PATH=/usr/bin:/bin TOUR_SERVER_DATA_DIR=/var/lib/tour-server setpriv \
        --reuid=tour-server --regid=tour-server --init-groups tour-server serve --listen 127.0.0.1:8080) \
        >"$work/server.node" 2>&1 &
    nodes[server]=$!
    eventually "the server" grep --quiet '"event":"ready"' "$work/server.node"
    says '"status":"ok"' get 8080 /healthz
    stop server
    says tour_server_ready cat "$root/usr/share/doc/tour-server/operations/prometheus-rules.yml"
    says tour_server_requests_total cat "$root/usr/share/doc/tour-server/operations/grafana.json"
    check "the server answers"
}

purged() {
    apt purge tour-chat tour-server
    local left
    left="$(find "$root" -xdev \( -path "$root/home" -o -path "$root/srv" -o -path "$root/proc" \
        -o -path "$root/var/log" -o -path "$root/boot" -o -name 'tour-chat-archive-keyring.gpg' \
        -o -path "$root$apt_source" -o -path "$root/var/lib/apt/lists" \) -prune \
        -o \( -name '*tour*chat*' -o -name '*tour*server*' -o -nouser -o -nogroup \) -print)"
    [[ -z "$left" ]] || die "purging left $left"
    ! inside getent passwd tour-chat tour-server || die "purging left a user"
    ! inside dpkg --list tour-chat tour-server 2>/dev/null | grep '^[a-z][a-z] *tour' || die "dpkg knows it still"
    [[ -f "$root/home/anna/.local/share/tour-chat/tour.sqlite" ]] || die "purging took what is Anna's"
    check "purged: nothing is left but what is in people's homes"
}

unpack "$base"
install_first
make_second
first_start
two_people
by_asking
network_of_ones_own
device
upgrade
on second interrupted_upgrade
removed_and_fetched
install --directory --mode=700 --owner="$(inside id --user tour-server)" "$root/var/lib/tour-server"
server
purged
