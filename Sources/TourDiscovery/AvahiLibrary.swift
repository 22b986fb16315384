import CAvahi

/// Avahi's client library, loaded when a node begins discovery: a machine may lack it.
enum AvahiLibrary {
    static let name = "libavahi-client.so.3"

    /// - Parameter name: the file name for the system's loader.
    /// - Returns: nil when the library is loaded, otherwise what is missing.
    static func load(_ name: String) -> DiscoveryTrouble? {
        avahi_library_load(name) ? nil : .noLibrary(name)
    }
}
