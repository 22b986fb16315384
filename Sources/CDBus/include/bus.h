// The D-Bus library, loaded at run time: a node uses it for the keyring and notifications of a desktop session, and to
// hear when the machine sleeps.
//
// Its types and functions are declared here as far as the program uses them, since the library's own headers would
// require linking it.
// Source: libdbus-1.so.3, whose interface has not changed since D-Bus 1.0.

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t dbus_bool_t;
typedef struct DBusConnection DBusConnection;
typedef struct DBusMessage DBusMessage;

typedef enum { DBUS_BUS_SESSION, DBUS_BUS_SYSTEM, DBUS_BUS_STARTER } DBusBusType;

typedef struct {
    const char *name;
    const char *message;
    unsigned int flags;
    void *padding;
} DBusError;

/// A place in a message; the caller provides its memory.
typedef struct {
    void *hidden1[2];
    int hidden2[10];
    void *hidden3[2];
} DBusMessageIter;

_Static_assert(sizeof(DBusMessageIter) == 10 * sizeof(int) + 4 * sizeof(void *), "as the library has it");

static const int bus_message_type_signal = 4;

static const int bus_type_invalid = 0;
static const int bus_type_string = 's';
static const int bus_type_object_path = 'o';
static const int bus_type_boolean = 'b';
static const int bus_type_byte = 'y';
static const int bus_type_int32 = 'i';
static const int bus_type_uint32 = 'u';
static const int bus_type_array = 'a';
static const int bus_type_unix_fd = 'h';
static const int bus_type_variant = 'v';
static const int bus_type_struct = 'r';
static const int bus_type_dict_entry = 'e';

/// Loads the library of this file name and finds every function that the program uses. None of the functions below may
/// be called before this has returned true. Any thread may call it, more than once.
bool dbus_library_load(const char *name);

DBusConnection *dbus_bus_get_private(DBusBusType type, DBusError *error);
dbus_bool_t dbus_bus_name_has_owner(DBusConnection *connection, const char *name, DBusError *error);
void dbus_bus_add_match(DBusConnection *connection, const char *rule, DBusError *error);
void dbus_bus_remove_match(DBusConnection *connection, const char *rule, DBusError *error);
void dbus_connection_close(DBusConnection *connection);
void dbus_connection_unref(DBusConnection *connection);
void dbus_connection_set_exit_on_disconnect(DBusConnection *connection, dbus_bool_t exits);
dbus_bool_t dbus_connection_get_unix_fd(DBusConnection *connection, int *descriptor);
dbus_bool_t dbus_connection_read_write(DBusConnection *connection, int milliseconds);
DBusMessage *dbus_connection_pop_message(DBusConnection *connection);
DBusMessage *dbus_connection_send_with_reply_and_block(
    DBusConnection *connection, DBusMessage *message, int milliseconds, DBusError *error);
void dbus_error_init(DBusError *error);
void dbus_error_free(DBusError *error);
DBusMessage *dbus_message_new_method_call(
    const char *service, const char *path, const char *interface, const char *method);
void dbus_message_unref(DBusMessage *message);
const char *dbus_message_get_path(DBusMessage *message);
const char *dbus_message_get_interface(DBusMessage *message);
const char *dbus_message_get_member(DBusMessage *message);
int dbus_message_get_type(DBusMessage *message);
void dbus_message_iter_init_append(DBusMessage *message, DBusMessageIter *place);
dbus_bool_t dbus_message_iter_append_basic(DBusMessageIter *place, int type, const void *value);
dbus_bool_t dbus_message_iter_open_container(
    DBusMessageIter *place, int type, const char *signature, DBusMessageIter *inner);
dbus_bool_t dbus_message_iter_close_container(DBusMessageIter *place, DBusMessageIter *inner);
dbus_bool_t dbus_message_iter_init(DBusMessage *message, DBusMessageIter *place);
int dbus_message_iter_get_arg_type(DBusMessageIter *place);
int dbus_message_iter_get_element_type(DBusMessageIter *place);
void dbus_message_iter_get_basic(DBusMessageIter *place, void *value);
void dbus_message_iter_recurse(DBusMessageIter *place, DBusMessageIter *inner);
dbus_bool_t dbus_message_iter_next(DBusMessageIter *place);
