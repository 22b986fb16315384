import CPostgres
import ServerBase

/// Where a PostgreSQL database is, and how to log in to it.
/// Source: PostgreSQL 15, "libpq", "Database Connection Control Functions".
package struct PostgresAddress: Hashable, Sendable {
    /// A URI, or settings such as `host=/run/postgresql dbname=tours`; what it leaves out comes from PGHOST and the
    /// other variables of libpq.
    let text: String
    /// A file whose first line is the password; nil: libpq finds one itself (PGPASSFILE, `~/.pgpass`, PGPASSWORD), or
    /// needs none.
    let passwordFile: String?

    /// - Returns: nil for a text that names no PostgreSQL database, such as the path of a file.
    package init?(_ text: String, passwordFile: String? = nil) {
        let names = /\s*(?:host|hostaddr|port|dbname|user|service|passfile|password|options|ssl\w+)\s*=/
        let isSettings = text.prefixMatch(of: names)
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") || isSettings != nil else { return nil }
        self.text = text
        self.passwordFile = passwordFile
    }

    private static let isLoaded = postgres_library_load("libpq.so.5")

    /// Loads the client library, and reads the text.
    /// - Throws: `unavailable` without the library, and for a text that it does not understand or that has a password
    ///   in it.
    func check() throws(Failure) {
        guard Self.isLoaded else {
            throw Failure(
                .unavailable, cause: "libpq.so.5 of PostgreSQL 14 or newer is missing: install the package libpq5")
        }
        var error: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &error) else {
            let said = error.map { String(cString: $0) } ?? "no memory"
            PQfreemem(error)
            throw Failure(.unavailable, cause: "--database cannot be read: \(Self.line(said))")
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            let isSecret = option.pointee.dispchar.map { String(cString: $0) } == "*"
            if isSecret, option.pointee.val != nil {
                throw Failure(
                    .unavailable,
                    cause: "--database holds a secret (\(String(cString: keyword))), and everybody on this machine can "
                        + "read a command line: put it into a file of mode 0600 and name that by "
                        + "--database-password-file")
            }
            option += 1
        }
    }

    /// The settings in the order in which later ones count.
    /// - Throws: `unavailable` when the file of the password cannot be read or others may read it.
    func settings() throws(Failure) -> [(name: String, value: String)] {
        var settings = [
            ("connect_timeout", "5"), ("application_name", "tour-server"), ("keepalives_idle", "30"),
            ("keepalives_interval", "10"), ("keepalives_count", "3"), ("tcp_user_timeout", "30000"),
            ("dbname", text), ("client_encoding", "UTF8"),
        ]
        if let passwordFile { settings.append(("password", try Self.password(in: passwordFile))) }
        return settings
    }

    private static let passwordBytesMax = 1_024

    private static func password(in path: String) throws(Failure) -> String {
        String(try PrivateFile.text(path, "password", bytesMax: passwordBytesMax).prefix { $0 != "\n" })
    }

    /// One line of a text with several.
    static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" || $0 == " " } }.joined(separator: " ")
    }
}
