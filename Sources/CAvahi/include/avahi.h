// Avahi's client library, loaded at run time: only a node uses it, and a node also runs without it.

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/address.h>
#include <avahi-common/error.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>
#include <avahi-common/watch.h>
#include <stdbool.h>
// The loop of libavahi is woken by these two, which the Glibc module leaves out.
#include <sys/eventfd.h>
#include <sys/timerfd.h>

/// Loads the library of this file name and finds every function that the program uses. No other function of Avahi may
/// be called before this has returned true. Any thread may call it, more than once.
bool avahi_library_load(const char *name);
