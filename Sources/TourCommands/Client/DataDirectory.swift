import Glibc

/// Where the node of this user keeps everything.
package enum DataDirectory {
    /// `--data-dir`, else `TOUR_CHAT_DATA_DIR`, else `$XDG_DATA_HOME/tour-chat`, else `~/.local/share/tour-chat`.
    /// - Parameter environment: looks up a variable; an empty one counts as not set.
    /// - Returns: nil when nothing of these is set, not even `HOME`.
    package static func resolve(option: String?, environment: (String) -> String?) -> String? {
        func variable(_ name: String) -> String? {
            guard let value = environment(name), !value.isEmpty else { return nil }
            return value
        }
        if let option, !option.isEmpty { return option }
        if let value = variable("TOUR_CHAT_DATA_DIR") { return value }
        // A relative XDG_DATA_HOME is to be ignored. Source: XDG Base Directory Specification 0.8.
        if let base = variable("XDG_DATA_HOME"), base.hasPrefix("/") { return base + "/tour-chat" }
        return variable("HOME").map { $0 + "/.local/share/tour-chat" }
    }

    /// Makes the directories above the usual place, which a new account does not have; above others nothing is made.
    /// Source: XDG Base Directory Specification 0.8, "Referencing this specification": for the user alone.
    static func makeRoom(for directory: String) {
        let usual = resolve(option: nil) { $0 == "TOUR_CHAT_DATA_DIR" ? nil : environmentValue($0) }
        guard directory == usual else { return }
        for index in directory.indices.dropFirst() where directory[index] == "/" {
            // What goes wrong here is told of when the data directory itself cannot be made.
            mkdir(String(directory[..<index]), 0o700)
        }
    }
}

/// Reads one environment variable.
func environmentValue(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}
