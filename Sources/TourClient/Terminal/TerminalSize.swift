import Glibc

/// The size of a terminal in characters.
package struct TerminalSize: Hashable, Sendable {
    /// The width.
    package var columns: Int
    var rows: Int

    /// Of standard output; 80 by 24 where that is no terminal or does not report its size.
    package static var current: TerminalSize { of(.output) }

    /// The same for either stream.
    static func of(_ stream: StandardStream) -> TerminalSize {
        var size = winsize()
        guard ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
