#include <dbus/dbus.h>

// Swift imports no macros that are characters.
static const int bus_type_invalid = DBUS_TYPE_INVALID;
static const int bus_type_string = DBUS_TYPE_STRING;
static const int bus_type_object_path = DBUS_TYPE_OBJECT_PATH;
static const int bus_type_boolean = DBUS_TYPE_BOOLEAN;
static const int bus_type_byte = DBUS_TYPE_BYTE;
static const int bus_type_array = DBUS_TYPE_ARRAY;
static const int bus_type_variant = DBUS_TYPE_VARIANT;
static const int bus_type_struct = DBUS_TYPE_STRUCT;
static const int bus_type_dict_entry = DBUS_TYPE_DICT_ENTRY;
