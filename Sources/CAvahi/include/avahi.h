// Avahi's client library, loaded at run time: only a node needs it, and a node runs without it too.

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/address.h>
#include <avahi-common/error.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>
#include <avahi-common/watch.h>
#include <stdbool.h>
// What the loop of libavahi is woken with; the Glibc module leaves these two out.
#include <sys/eventfd.h>
#include <sys/timerfd.h>

/// Loads the library of this file name with all that is used of it. Until it has returned true once, no other function
/// of Avahi may be called. Any thread may call it, and again.
bool avahi_library_load(const char *name);
