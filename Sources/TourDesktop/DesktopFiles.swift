import Glibc
import TourModel

/// The files by which the user's desktop knows this program: its entry and its icon.
/// Source: XDG Base Directory Specification 0.8; Icon Theme Specification 0.13.
package struct DesktopFiles: Sendable {
    /// Of both files, without their endings.
    static let name = "tour-chat"
    /// This program opens links of this scheme.
    private static let linkType = "x-scheme-handler/tour-chat"

    private let dataHome: String

    /// - Parameter dataHome: the user's data directory, such as `~/.local/share`.
    package init(dataHome: String) { self.dataHome = dataHome }

    /// The files of the current user.
    /// - Throws: `noHome`.
    package static func ofUser() throws(DesktopError) -> DesktopFiles {
        guard let home = userDataHome else { throw .noHome }
        return DesktopFiles(dataHome: home)
    }

    private static var userDataHome: String? {
        if let own = getenv("XDG_DATA_HOME").map({ String(cString: $0) }), own.hasPrefix("/") { return own }
        guard let home = getenv("HOME").map({ String(cString: $0) }), home.hasPrefix("/") else { return nil }
        return home + "/.local/share"
    }

    private var applications: String { dataHome + "/applications" }

    /// The path of the entry.
    package var entry: String { "\(applications)/\(Self.name).desktop" }

    /// The path of the icon.
    package var icon: String { "\(dataHome)/icons/hicolor/scalable/apps/\(Self.name).svg" }

    /// The icon's name if the icon is installed; a server shows a broken picture for a missing one.
    static var shownIcon: String {
        guard let home = userDataHome, access(DesktopFiles(dataHome: home).icon, R_OK) == 0 else { return "" }
        return name
    }

    /// Writes both files, and makes this program the one that opens links.
    /// - Returns: whether the desktop's own programs registered it; without them the desktop may or may not find it
    ///   by itself.
    package func install(_ entry: DesktopEntry) async throws -> Bool {
        try write(entry)
        let isListed = try await Desktop.run(["update-desktop-database", applications])
        let isDefault = try await Desktop.run(["xdg-mime", "default", "\(Self.name).desktop", Self.linkType])
        return isListed && isDefault
    }

    /// Writes both files alone; the desktop may not read them yet.
    package func write(_ entry: DesktopEntry) throws(DesktopError) {
        try write(Self.iconText, to: icon)
        try write(entry.text, to: self.entry)
    }

    /// Removes both files; a missing one is no error.
    /// - Returns: whether one was there.
    package func remove() async throws -> Bool {
        let removed = try [entry, icon].map(remove)
        _ = try await Desktop.run(["update-desktop-database", applications])
        return removed.contains(true)
    }

    private func write(_ text: String, to path: String) throws(DesktopError) {
        let code = SmallFile.replace(path, with: Array(text.utf8))
        guard code == 0 else { throw .failed(path: path, reason: String(cString: strerror(code))) }
    }

    private func remove(_ path: String) throws(DesktopError) -> Bool {
        guard unlink(path) != 0 else { return true }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw .failed(path: path, reason: String(cString: strerror(errno)))
        }
        return false
    }

    /// The picture: two people talking, and the path between them.
    private static let iconText = """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
        <rect width="64" height="64" rx="14" fill="#17836f"/>
        <path d="M12 18a4 4 0 0 1 4-4h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H24l-8 7v-7a4 4 0 0 1-4-4z" fill="#fff"/>
        <path d="M46 24h2a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4v7l-8-7H30a4 4 0 0 1-4-4v-1" fill="none" stroke="#fff" \
        stroke-width="3" stroke-linejoin="round" stroke-linecap="round"/>
        </svg>

        """
}
