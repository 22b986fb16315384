import CAvahi
import TourWords

/// Avahi's client library, which is loaded when a node begins to look for others: a machine may lack it.
enum AvahiLibrary {
    static let name = "libavahi-client.so.3"

    /// - Parameter name: the file name that the system's loader looks for.
    /// - Returns: nil when it is loaded, else in words for a user what is missing and what to do.
    static func load(_ name: String) -> Phrase? {
        guard !avahi_library_load(name) else { return nil }
        return Phrase(
            """
            \(name) cannot be loaded: install Avahi's client library (Debian: libavahi-client3), then start the \
            node anew
            """)
    }
}
