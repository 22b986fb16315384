import CAvahi
import TourWords

/// Avahi's client library, loaded when a node begins discovery: a machine may lack it.
enum AvahiLibrary {
    static let name = "libavahi-client.so.3"

    /// - Parameter name: the file name for the system's loader.
    /// - Returns: nil when the library is loaded, otherwise what is missing and what to do, in words for a user.
    static func load(_ name: String) -> Phrase? {
        guard !avahi_library_load(name) else { return nil }
        return Phrase(
            """
            \(name) cannot be loaded: install Avahi's client library (Debian: libavahi-client3), then start the \
            node anew
            """)
    }
}
