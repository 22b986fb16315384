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
}

/// Reads one environment variable.
func environmentValue(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}
