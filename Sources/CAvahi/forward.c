// The functions of libavahi-client and libavahi-common that the program uses; each calls the loaded library's.

#include "avahi.h"

#include <late_library.h>

// Arguments of the macro: result, name, parameters, arguments.
#define EACH(F)                                                                                                        \
    F(const AvahiPoll *, avahi_threaded_poll_get, (AvahiThreadedPoll * poll), (poll))                                  \
    F(AvahiThreadedPoll *, avahi_threaded_poll_new, (void), ())                                                        \
    F(void, avahi_threaded_poll_free, (AvahiThreadedPoll * poll), (poll))                                              \
    F(int, avahi_threaded_poll_start, (AvahiThreadedPoll * poll), (poll))                                              \
    F(int, avahi_threaded_poll_stop, (AvahiThreadedPoll * poll), (poll))                                               \
    F(AvahiClient *, avahi_client_new,                                                                                 \
      (const AvahiPoll *poll, AvahiClientFlags flags, AvahiClientCallback callback, void *userdata, int *error),       \
      (poll, flags, callback, userdata, error))                                                                        \
    F(void, avahi_client_free, (AvahiClient * client), (client))                                                       \
    F(int, avahi_client_errno, (AvahiClient * client), (client))                                                       \
    F(const char *, avahi_strerror, (int error), (error))                                                              \
    F(AvahiServiceBrowser *, avahi_service_browser_new,                                                                \
      (AvahiClient * client, AvahiIfIndex interface, AvahiProtocol protocol, const char *type, const char *domain,     \
       AvahiLookupFlags flags, AvahiServiceBrowserCallback callback, void *userdata),                                  \
      (client, interface, protocol, type, domain, flags, callback, userdata))                                          \
    F(int, avahi_service_browser_free, (AvahiServiceBrowser * browser), (browser))                                     \
    F(AvahiServiceResolver *, avahi_service_resolver_new,                                                              \
      (AvahiClient * client, AvahiIfIndex interface, AvahiProtocol protocol, const char *name, const char *type,       \
       const char *domain, AvahiProtocol family, AvahiLookupFlags flags, AvahiServiceResolverCallback callback,        \
       void *userdata),                                                                                                \
      (client, interface, protocol, name, type, domain, family, flags, callback, userdata))                            \
    F(int, avahi_service_resolver_free, (AvahiServiceResolver * resolver), (resolver))                                 \
    F(AvahiEntryGroup *, avahi_entry_group_new,                                                                        \
      (AvahiClient * client, AvahiEntryGroupCallback callback, void *userdata), (client, callback, userdata))          \
    F(int, avahi_entry_group_free, (AvahiEntryGroup * group), (group))                                                 \
    F(int, avahi_entry_group_commit, (AvahiEntryGroup * group), (group))                                               \
    F(int, avahi_entry_group_add_address,                                                                              \
      (AvahiEntryGroup * group, AvahiIfIndex interface, AvahiProtocol protocol, AvahiPublishFlags flags,               \
       const char *name, const AvahiAddress *address),                                                                 \
      (group, interface, protocol, flags, name, address))                                                              \
    F(int, avahi_entry_group_add_service_strlst,                                                                       \
      (AvahiEntryGroup * group, AvahiIfIndex interface, AvahiProtocol protocol, AvahiPublishFlags flags,               \
       const char *name, const char *type, const char *domain, const char *host, uint16_t port,                        \
       AvahiStringList *text),                                                                                         \
      (group, interface, protocol, flags, name, type, domain, host, port, text))                                       \
    F(int, avahi_entry_group_update_service_txt_strlst,                                                                \
      (AvahiEntryGroup * group, AvahiIfIndex interface, AvahiProtocol protocol, AvahiPublishFlags flags,               \
       const char *name, const char *type, const char *domain, AvahiStringList *text),                                 \
      (group, interface, protocol, flags, name, type, domain, text))                                                   \
    F(AvahiAddress *, avahi_address_parse, (const char *text, AvahiProtocol protocol, AvahiAddress *address),          \
      (text, protocol, address))                                                                                       \
    F(AvahiStringList *, avahi_string_list_add_arbitrary,                                                              \
      (AvahiStringList * list, const uint8_t *text, size_t size), (list, text, size))                                  \
    F(AvahiStringList *, avahi_string_list_get_next, (AvahiStringList * list), (list))                                 \
    F(uint8_t *, avahi_string_list_get_text, (AvahiStringList * list), (list))                                         \
    F(size_t, avahi_string_list_get_size, (AvahiStringList * list), (list))                                            \
    F(void, avahi_string_list_free, (AvahiStringList * list), (list))

LATE_LIBRARY(EACH, avahi_library_load)
