import Glibc

/// The directory where this user's node keeps everything.
package enum DataDirectory {
    /// `--data-dir`, else `TOUR_CHAT_DATA_DIR`, else `$XDG_DATA_HOME/tour-chat`, else `~/.local/share/tour-chat`.
    /// - Parameter environment: looks up a variable; an empty one counts as not set.
    /// - Returns: nil when none of these is set, not even `HOME`.
    package static func resolve(option: String?, environment: (String) -> String?) -> String? {
        func variable(_ name: String) -> String? {
            guard let value = environment(name), !value.isEmpty else { return nil }
            return value
        }
        if let option, !option.isEmpty { return option }
        if let value = variable("TOUR_CHAT_DATA_DIR") { return value }
        // A relative XDG_DATA_HOME must be ignored. Source: XDG Base Directory Specification 0.8.
        if let base = variable("XDG_DATA_HOME"), base.hasPrefix("/") { return base + "/tour-chat" }
        return variable("HOME").map { $0 + "/.local/share/tour-chat" }
    }

    /// Creates the parent directories of the usual place, which a new account lacks; creates none above other places.
    /// Source: XDG Base Directory Specification 0.8, "Referencing this specification": for the user alone.
    static func makeRoom(for directory: String) {
        let usual = resolve(option: nil) { $0 == "TOUR_CHAT_DATA_DIR" ? nil : environmentValue($0) }
        guard directory == usual else { return }
        for index in directory.indices.dropFirst() where directory[index] == "/" {
            // A failure shows when the data directory itself cannot be created.
            mkdir(String(directory[..<index]), 0o700)
        }
    }
}

/// Reads one environment variable.
package func environmentValue(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}
