import Glibc

/// A line that a person types and nobody reads on the screen.
enum HiddenLine {
    /// Whether a person can be asked: questions go to standard error, so that the output stays clean.
    static var isPossible: Bool { isatty(0) == 1 && StandardStream.error.isTerminal }

    /// - Throws: when the input ends, the line is empty, or Ctrl-C is in it.
    static func read(_ question: String) throws(CommandFailure) -> [UInt8] {
        var before = termios()
        guard tcgetattr(0, &before) == 0 else { throw .system("cannot set up the terminal", errno: errno) }
        var silent = before
        // No signals either: a process that ended here would leave the terminal without an echo.
        silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
        tcsetattr(0, TCSAFLUSH, &silent)
        try? StandardStream.error.write(question.utf8)
        let typed = readLine()
        tcsetattr(0, TCSAFLUSH, &before)
        try? StandardStream.error.write("\n".utf8)
        guard let line = typed, !line.contains("\u{3}") else { throw .interrupted }
        guard !line.isEmpty else {
            throw CommandFailure(code: "passphrase-empty", message: "a passphrase has at least one character")
        }
        return Array(line.utf8)
    }

    /// Asked for twice: a slip would lock its writer out.
    static func readNew(_ question: String) throws(CommandFailure) -> [UInt8] {
        let first = try read("\(question): ")
        guard try read("Once more: ") == first else {
            throw CommandFailure(code: "passphrases-differ", message: "the two are not the same: nothing changed")
        }
        return first
    }
}
