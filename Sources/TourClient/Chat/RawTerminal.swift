import Glibc
import TourWords

/// The terminal with its line editing and echo switched off, until `restore`.
struct RawTerminal {
    private let before: termios

    /// - Throws: when standard input or output is no terminal.
    init() throws(CommandFailure) {
        var settings = termios()
        guard StandardStream.output.isTerminal, tcgetattr(0, &settings) == 0 else {
            throw CommandFailure(
                code: "no-terminal",
                message: Phrase(
                    "chat needs a terminal; in scripts use 'tour-chat send -' and 'tour-chat messages --follow'"))
        }
        before = settings
        cfmakeraw(&settings)
        guard tcsetattr(0, TCSANOW, &settings) == 0 else {
            throw .system(Phrase("cannot set up the terminal"), errno: errno)
        }
    }

    func restore() {
        var settings = before
        tcsetattr(0, TCSANOW, &settings)
    }
}
