# shellcheck shell=bash
# D-Bus and avahi-daemon for this machine: starts those that do not run, and at the end of the script stops those that
# it started and nothing else. Sourced after common.sh.

# Asks the system bus; prints the reply.
ask_bus() {
    dbus-send --system --print-reply --reply-timeout=2000 --dest=org.freedesktop.DBus \
        /org/freedesktop/DBus "org.freedesktop.DBus.$1" "${@:2}" 2>/dev/null
}
bus_runs() { ask_bus GetId >/dev/null; }
avahi_runs() { ask_bus NameHasOwner string:org.freedesktop.Avahi | grep --quiet 'boolean true'; }

# Waits until a check succeeds, at most ten seconds.
wait_for() {
    local tries
    for ((tries = 0; tries < 100; tries++)); do
        if "$@"; then return 0; fi
        sleep 0.1
    done
    return 1
}

stop_process() {
    local pid="$1" tries
    as_root kill -TERM "$pid" 2>/dev/null || return 0
    for ((tries = 0; tries < 50; tries++)); do
        [[ -d "/proc/$pid" ]] || return 0
        sleep 0.1
    done
    as_root kill -KILL "$pid" 2>/dev/null || true
}

start_unit() {
    say "Starting $1 (systemd)"
    as_root systemctl start "$1" || return 1
    undo+=("as_root systemctl stop '$1' '$1.socket'")
}

start_bus() {
    local pid
    say "Starting D-Bus for this machine, until this script ends"
    as_root mkdir --parents /run/dbus
    as_root dbus-uuidgen --ensure
    pid="$(as_root dbus-daemon --system --fork --nopidfile --print-pid)" || return 1
    undo+=("stop_process $pid")
    wait_for bus_runs
}

start_avahi() {
    local flags
    say "Starting avahi-daemon for this machine, until this script ends"
    # A container may forbid chroot; avahi-daemon also runs without it.
    for flags in '' --no-chroot; do
        # shellcheck disable=SC2086 # no flag is no argument
        if as_root avahi-daemon --daemonize --no-rlimits $flags; then
            undo+=("stop_process $(</run/avahi-daemon/pid)")
            wait_for avahi_runs
            return
        fi
    done
    return 1
}

# Makes sure that both run. Fails when one cannot be started.
ensure_daemons() {
    local systemd=''
    [[ -d /run/systemd/system ]] && systemd=1
    if ! bus_runs; then
        if [[ -n "$systemd" ]]; then start_unit dbus; else start_bus; fi || return 1
    fi
    if ! avahi_runs; then
        if [[ -n "$systemd" ]]; then start_unit avahi-daemon && wait_for avahi_runs; else start_avahi; fi || return 1
    fi
}
