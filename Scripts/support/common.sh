# shellcheck shell=bash
# Code that the scripts share: messages, steps that clean up after themselves, rights. Sourced, never run.

repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
export PYTHONDONTWRITEBYTECODE=1
PATH="$PATH:/usr/sbin:/sbin"

if [[ -t 1 && -z "${NO_COLOR:-}" ]]; then
    bold=$'\e[1m' red=$'\e[31m' green=$'\e[32m' yellow=$'\e[33m' plain=$'\e[0m'
else
    bold='' red='' green='' yellow='' plain=''
fi

say() { printf '%s==>%s %s\n' "$bold" "$plain" "$*"; }
warn() { printf '%swarning:%s %s\n' "$yellow" "$plain" "$*" >&2; }
die() {
    printf '%serror:%s %s\n' "$red" "$plain" "$*" >&2
    exit 1
}

# Prints the comment block at the top of the calling script, which is its usage text.
usage() {
    sed --quiet '2,/^[^#]/ { /^#/ !d; s/^# \{0,1\}//; p }' "$0"
}

# Runs a command as root: itself, or through sudo.
as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "this needs root, and there is no sudo: run it as root: $*"
    fi
}

# Commands that run when the script ends, the last one first.
undo=()
run_undo() {
    local status=$? index
    trap - EXIT
    for ((index = ${#undo[@]} - 1; index >= 0; index--)); do
        eval "${undo[index]}" || true
    done
    exit "$status"
}
trap run_undo EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# The release binary of a product; builds it unless the variable names a binary.
# Usage: build_product NAME VARIABLE
build_product() {
    local name="$1" variable="$2" path="${!2:-}"
    if [[ -n "$path" ]]; then
        [[ -x "$path" ]] || die "$variable names $path, which cannot be run"
        path="$(realpath "$path")"
    else
        say "Building $name (release; the first time takes some minutes)"
        swift build --package-path "$repository" --configuration release --product "$name" >&2
        path="$repository/.build/release/$name"
    fi
    export "$variable=$path"
}

build_tour_chat() { build_product tour-chat TOURCHAT; }

build_tour_server() { build_product tour-server TOURSERVER; }

# A virtual environment below .build with the packages of a file, pinned there; recreated when the file changes.
# Usage: python_environment NAME FILE. Fails where there are no packages: no network, say.
python_environment() {
    local home="$repository/.build/$1" wanted="$repository/$2"
    cmp --silent "$wanted" "$home/requirements.txt" && return 0
    say "Installing the Python packages of $2"
    if ! { python3 -m venv --clear "$home" && "$home/bin/pip" install --quiet --requirement "$wanted"; }; then
        rm --recursive --force "$home"
        return 1
    fi
    cp "$wanted" "$home/requirements.txt"
}

# A folder for the files of unit tests, until this shell ends: in memory where possible, so that the tests' databases
# wait for no disk. The tests over several hosts use a real disk. Called in a subshell, whose TMPDIR the folder becomes.
scratch_in_memory() {
    local shared=/dev/shm
    [[ -d "$shared" && -w "$shared" ]] || shared="${TMPDIR:-/tmp}"
    TMPDIR="$(mktemp --directory "$shared/tour-chat.XXXXXX")"
    export TMPDIR
    trap 'rm --recursive --force -- "$TMPDIR"' EXIT
}

# Whether these arguments ask for a run of some minutes, or for its continuation: see Scripts/support/long_runs.
is_long_run() { [[ " $* " == *' --minutes '* || " $* " == *' --continue '* ]]; }

# Usage: long_run NAME ARGUMENT…
long_run() { exec python3 "$repository/Scripts/support/long_runs" "$@"; }

# The environment of the node in Tests/PythonNode. Without it the tests that need it are skipped.
python_node_environment() {
    if python_environment python-node Tests/PythonNode/requirements.txt; then
        export PYTHON_NODE="$repository/.build/python-node/bin/python"
    else
        warn "no Python packages here: the tests with the Python node will be skipped"
    fi
}

# The S3-compatible service of Tests/Hosts. Without it the test that needs it is skipped.
s3_service_environment() {
    if python_environment s3-service Tests/Hosts/requirements.txt; then
        export S3_SERVICE="$repository/.build/s3-service/bin/weed"
    else
        warn "no Python packages here: the test with an S3 service will be skipped"
    fi
}

# The environment that drives Chromium in Tests/Browser. Without it those tests are skipped.
browser_environment() {
    if python_environment browser-python Tests/Browser/requirements.txt; then
        export BROWSER_PYTHON="$repository/.build/browser-python/bin/python"
    else
        warn "no Python packages here: the tests of the page will be skipped"
    fi
}
