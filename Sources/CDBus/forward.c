// The functions of libdbus-1 that the program uses; each calls the loaded library's.

#include "bus.h"

#include <late_library.h>

// Arguments of the macro: result, name, parameters, arguments.
#define EACH(F)                                                                                                        \
    F(DBusConnection *, dbus_bus_get_private, (DBusBusType type, DBusError *error), (type, error))                     \
    F(dbus_bool_t, dbus_bus_name_has_owner,                                                                            \
      (DBusConnection *connection, const char *name, DBusError *error), (connection, name, error))                     \
    F(void, dbus_bus_add_match,                                                                                        \
      (DBusConnection *connection, const char *rule, DBusError *error), (connection, rule, error))                     \
    F(void, dbus_bus_remove_match,                                                                                     \
      (DBusConnection *connection, const char *rule, DBusError *error), (connection, rule, error))                     \
    F(void, dbus_connection_close, (DBusConnection *connection), (connection))                                         \
    F(void, dbus_connection_unref, (DBusConnection *connection), (connection))                                         \
    F(void, dbus_connection_set_exit_on_disconnect,                                                                    \
      (DBusConnection *connection, dbus_bool_t exits), (connection, exits))                                            \
    F(dbus_bool_t, dbus_connection_get_unix_fd,                                                                        \
      (DBusConnection *connection, int *descriptor), (connection, descriptor))                                         \
    F(dbus_bool_t, dbus_connection_read_write,                                                                         \
      (DBusConnection *connection, int milliseconds), (connection, milliseconds))                                      \
    F(DBusMessage *, dbus_connection_pop_message, (DBusConnection *connection), (connection))                          \
    F(DBusMessage *, dbus_connection_send_with_reply_and_block,                                                        \
      (DBusConnection *connection, DBusMessage *message, int milliseconds, DBusError *error),                          \
      (connection, message, milliseconds, error))                                                                      \
    F(void, dbus_error_init, (DBusError *error), (error))                                                              \
    F(void, dbus_error_free, (DBusError *error), (error))                                                              \
    F(DBusMessage *, dbus_message_new_method_call,                                                                     \
      (const char *service, const char *path, const char *interface, const char *method),                              \
      (service, path, interface, method))                                                                              \
    F(void, dbus_message_unref, (DBusMessage *message), (message))                                                     \
    F(const char *, dbus_message_get_path, (DBusMessage *message), (message))                                          \
    F(const char *, dbus_message_get_interface, (DBusMessage *message), (message))                                     \
    F(const char *, dbus_message_get_member, (DBusMessage *message), (message))                                        \
    F(int, dbus_message_get_type, (DBusMessage *message), (message))                                                   \
    F(void, dbus_message_iter_init_append, (DBusMessage *message, DBusMessageIter *place), (message, place))           \
    F(dbus_bool_t, dbus_message_iter_append_basic,                                                                     \
      (DBusMessageIter *place, int type, const void *value), (place, type, value))                                     \
    F(dbus_bool_t, dbus_message_iter_open_container,                                                                   \
      (DBusMessageIter *place, int type, const char *signature, DBusMessageIter *inner),                               \
      (place, type, signature, inner))                                                                                 \
    F(dbus_bool_t, dbus_message_iter_close_container,                                                                  \
      (DBusMessageIter *place, DBusMessageIter *inner), (place, inner))                                                \
    F(dbus_bool_t, dbus_message_iter_init, (DBusMessage *message, DBusMessageIter *place), (message, place))           \
    F(int, dbus_message_iter_get_arg_type, (DBusMessageIter *place), (place))                                          \
    F(int, dbus_message_iter_get_element_type, (DBusMessageIter *place), (place))                                      \
    F(void, dbus_message_iter_get_basic, (DBusMessageIter *place, void *value), (place, value))                        \
    F(void, dbus_message_iter_recurse, (DBusMessageIter *place, DBusMessageIter *inner), (place, inner))               \
    F(dbus_bool_t, dbus_message_iter_next, (DBusMessageIter *place), (place))

LATE_LIBRARY(EACH, dbus_library_load)
