import Glibc
import TourPresentation
import TourWords

/// A line that the user types while the screen does not show it.
package enum HiddenLine {
    /// Whether the user can be asked: questions go to standard error, so that the output stays clean.
    package static var isPossible: Bool { isatty(0) == 1 && StandardStream.error.isTerminal }

    /// - Throws: when there is no line (Ctrl-D, the end of the input), it is empty, or the user gives up (Ctrl-C).
    /// - Parameter question: the name of what is asked for, without a colon.
    static func read(_ question: Phrase) throws(CommandFailure) -> [UInt8] {
        guard let line = try readOrNone(question) else {
            throw CommandFailure(
                code: "passphrase-needed", message: Phrase("no passphrase was given"), advice: .givePassphrase)
        }
        guard !line.isEmpty else {
            throw CommandFailure(
                code: "passphrase-empty", message: Phrase("a passphrase has at least one character"),
                advice: .givePassphrase)
        }
        return line
    }

    /// Asks twice: a slip would lock its writer out.
    static func readNew(_ question: Phrase) throws(CommandFailure) -> [UInt8] {
        try repeated(try read(question))
    }

    /// The same where the user may enter none.
    /// - Returns: nil for Ctrl-D and for an empty line.
    package static func readNewOrNone(_ question: Phrase) throws(CommandFailure) -> [UInt8]? {
        guard let first = try readOrNone(question), !first.isEmpty else { return nil }
        return try repeated(first)
    }

    private static func repeated(_ first: [UInt8]) throws(CommandFailure) -> [UInt8] {
        guard try read(Phrase("Once more")) == first else {
            throw CommandFailure(
                code: "passphrases-differ", message: Phrase("the two are not the same: nothing changed"))
        }
        return first
    }

    /// - Returns: nil when there is none.
    private static func readOrNone(_ question: Phrase) throws(CommandFailure) -> [UInt8]? {
        let prompt = Phrase("\(question):").text + " "
        var before = termios()
        guard tcgetattr(0, &before) == 0 else { throw .system(Phrase("cannot set up the terminal"), errno: errno) }
        var silent = before
        // Reads key by key, without signals: a process that ended here would leave the terminal without an echo. The
        // keys that mean signals take effect once the terminal is restored.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(0, TCSAFLUSH, &silent)
        defer {
            tcsetattr(0, TCSAFLUSH, &before)
            try? StandardStream.error.write("\n".utf8)
        }
        try? StandardStream.error.write(prompt.utf8)
        var editor = HiddenLineEditor()
        while let byte = nextByte() {
            switch editor.receive(byte) {
            case .typing: continue
            case .line(let bytes): return bytes
            case .nothing: return nil
            case .interrupted: throw .interrupted
            case .suspended:
                tcsetattr(0, TCSAFLUSH, &before)
                raise(SIGTSTP)
                // Again when the user comes back (`fg`).
                tcsetattr(0, TCSAFLUSH, &silent)
                try? StandardStream.error.write(prompt.utf8)
            }
        }
        return nil
    }

    /// - Returns: nil at the end of the input.
    private static func nextByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(0, &byte, 1)
            if count == 1 { return byte }
            guard count < 0, errno == EINTR else { return nil }
        }
    }
}
