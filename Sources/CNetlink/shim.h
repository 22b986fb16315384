// The kernel's messages about addresses and routes: rtnetlink(7). In C, since the address of a netlink socket is a
// struct that Swift's Glibc does not import.
#ifndef CNETLINK_SHIM_H
#define CNETLINK_SHIM_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Opens a socket that receives a message whenever an address or a route is added or removed; -1 with errno on failure.
static inline int netlink_open_routes(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

// Returns 1 if one of the messages in these bytes reports an addition, else 0: a removal is no reason to try again.
static inline int netlink_tells_of_arrival(const void *bytes, int count) {
    const struct nlmsghdr *message = (const struct nlmsghdr *)bytes;
    for (; NLMSG_OK(message, count); message = NLMSG_NEXT(message, count)) {
        if (message->nlmsg_type == RTM_NEWADDR || message->nlmsg_type == RTM_NEWROUTE) return 1;
    }
    return 0;
}

#endif
