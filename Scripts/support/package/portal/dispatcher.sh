#!/bin/sh
# NetworkManager calls this as root after each change of a network: see NetworkManager-dispatcher(8).
#
# While this machine serves the network of 'tour-chat hotspot on' and has no way to the internet itself, it answers
# for the names that phones ask to learn whether there is internet, and leads these questions to the node's page for
# guests. Whether anybody answers there is the node's affair: without seats it is as without this file.
#
# Where that page is served by https, too, phones in this network find its name here, with internet and without: the
# network's profile has it.
set -eu

# As Hotspot.profileID says it.
profile=6f0c1f5e-52a8-4c1b-9d57-0a4f2f6b7c11
# Belongs to nobody (RFC 5737), and is public in form: some Androids look no further where a name has a private one.
address=203.0.113.80
port=8480
state=/run/tour-chat-portal
names='connectivitycheck.gstatic.com connectivitycheck.android.com clients3.google.com play.googleapis.com
    www.gstatic.com connectivitycheck.platform.hicloud.com connect.rom.miui.com conn1.oppomobile.com wifi.vivo.com.cn
    captive.apple.com www.msftconnecttest.com www.msftncsi.com detectportal.firefox.com nmcheck.gnome.org
    network-test.debian.org connectivity-check.ubuntu.com spectrum.s3.amazonaws.com'

has_uplink() { [ -n "$(ip -4 route show default)$(ip -6 route show default)" ]; }

# Names come last, and go first: they lead to the rule.
open() {
    nft -f - <<TEXT
table inet tour_chat_portal
delete table inet tour_chat_portal
table inet tour_chat_portal {
    chain prerouting {
        type nat hook prerouting priority dstnat
        iifname "$1" ip daddr $address tcp dport 80 redirect to :$port
    }
}
TEXT
    # shellcheck disable=SC2086 # one word per name
    echo $address $names >"$state/names.new"
    mv "$state/names.new" "$state/names/names"
}

close() {
    rm -f "$state/names/names"
    nft delete table inet tour_chat_portal 2>/dev/null || true
}

# The name as the profile's file has it; nothing that is no name gets into a list of hosts.
page_name() {
    name="$(sed -n '/^\[user\]$/,/^\[/ s/^tour-chat\.page=//p' "${CONNECTION_FILENAME:-/dev/null}" 2>/dev/null |
        head -n 1)"
    case "$name" in
        '' | .* | *..* | *[!a-z0-9.-]*) ;;
        *.*) echo "$name" ;;
    esac
}

name_page() {
    name="$(page_name)"
    own="$(ip -4 -oneline address show dev "$1" | sed -n 's/.* inet \([0-9.]*\).*/\1/p' | head -n 1)"
    if [ -n "$name" ] && [ -n "$own" ]; then
        echo "$own $name" >"$state/page.new"
        mv "$state/page.new" "$state/names/page"
    else
        rm -f "$state/names/page"
    fi
}

[ -d "$state/names" ] && command -v nft >/dev/null && command -v ip >/dev/null || exit 0
if [ "${CONNECTION_UUID:-}" = "$profile" ]; then
    case "${2:-}" in
        up)
            echo "$1" >"$state/interface"
            name_page "$1"
            ;;
        down) rm -f "$state/interface" "$state/names/page" ;;
    esac
fi
interface="$(cat "$state/interface" 2>/dev/null || true)"
case "$interface" in
    '' | *[!A-Za-z0-9._-]*) close ;;
    *) if has_uplink; then close; else open "$interface"; fi ;;
esac
