// The kernel's messages about addresses and routes: rtnetlink(7). In C, since the address of a netlink socket is a
// struct that Swift's Glibc does not import.
#ifndef CNETLINK_SHIM_H
#define CNETLINK_SHIM_H

#include <linux/neighbour.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
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

// An IPv6 address of a local network, and the hardware address behind it.
struct netlink_neighbour {
    uint8_t address[16];
    uint8_t hardware[6];
};

// The number of neighbours that one of these answers names, at most `most`; sets `ended` at the last answer.
static inline int netlink_read_neighbours(void *bytes, int count, struct netlink_neighbour *found, int most,
                                          int *ended) {
    int number = 0;
    struct nlmsghdr *message = (struct nlmsghdr *)bytes;
    for (; NLMSG_OK(message, (unsigned)count); message = NLMSG_NEXT(message, count)) {
        if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR) *ended = 1;
        if (message->nlmsg_type != RTM_NEWNEIGH || message->nlmsg_len < NLMSG_LENGTH(sizeof(struct ndmsg))) continue;
        struct ndmsg *neighbour = (struct ndmsg *)NLMSG_DATA(message);
        int length = (int)(message->nlmsg_len - NLMSG_LENGTH(sizeof *neighbour));
        struct rtattr *attribute = (struct rtattr *)((char *)neighbour + NLMSG_ALIGN(sizeof *neighbour));
        struct netlink_neighbour one;
        int has = 0;
        for (; RTA_OK(attribute, length); attribute = RTA_NEXT(attribute, length)) {
            if (attribute->rta_type == NDA_DST && RTA_PAYLOAD(attribute) == sizeof one.address) {
                memcpy(one.address, RTA_DATA(attribute), sizeof one.address);
                has |= 1;
            } else if (attribute->rta_type == NDA_LLADDR && RTA_PAYLOAD(attribute) == sizeof one.hardware) {
                memcpy(one.hardware, RTA_DATA(attribute), sizeof one.hardware);
                has |= 2;
            }
        }
        if (has == 3 && number < most) found[number++] = one;
    }
    return number;
}

// Fills in the IPv6 neighbours that the kernel knows, at most `most`; returns how many, -1 where it does not say.
static inline int netlink_neighbours(struct netlink_neighbour *found, int most) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    // The kernel answers at once.
    struct timeval patience = {.tv_sec = 0, .tv_usec = 200000};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    struct {
        struct nlmsghdr head;
        struct ndmsg body;
    } request;
    memset(&request, 0, sizeof request);
    request.head.nlmsg_len = NLMSG_LENGTH(sizeof request.body);
    request.head.nlmsg_type = RTM_GETNEIGH;
    request.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.body.ndm_family = AF_INET6;
    int number = send(descriptor, &request, request.head.nlmsg_len, 0) < 0 ? -1 : 0;
    for (int ended = number < 0; !ended;) {
        _Alignas(struct nlmsghdr) char bytes[32768];
        ssize_t count = recv(descriptor, bytes, sizeof bytes, 0);
        if (count <= 0) break;
        number += netlink_read_neighbours(bytes, (int)count, found + number, most - number, &ended);
    }
    close(descriptor);
    return number;
}

#endif
