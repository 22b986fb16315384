import CDBus

/// The D-Bus library, loaded at the first use of the bus: a machine may lack it.
package enum BusLibrary {
    private static let name = "libdbus-1.so.3"

    /// Whether the library is installed.
    package static let isLoaded = dbus_library_load(name)
}
