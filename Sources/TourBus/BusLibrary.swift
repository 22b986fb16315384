import CDBus

/// The D-Bus library, loaded when the bus is asked first: a machine may lack it.
package enum BusLibrary {
    private static let name = "libdbus-1.so.3"

    package static let isLoaded = dbus_library_load(name)
}
