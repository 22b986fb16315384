import CProcess
import Glibc
import TourModel
import TourPresentation
import TourWords

/// The user's own editor, in this terminal.
enum TextEditor {
    static var isPossible: Bool { isatty(0) == 1 && StandardStream.output.isTerminal }

    /// Opens the text in `$VISUAL`, else `$EDITOR`, else vi, and waits until the editor ends. Only this user can read
    /// the file.
    /// - Returns: the text, and the file that still holds it.
    /// - Throws: when the editor fails, or leaves a text that is no note.
    static func edit(_ text: String) throws(CommandFailure) -> (text: String, path: String) {
        let path = try makeFile(text)
        let chosen = ["VISUAL", "EDITOR"].lazy.compactMap { environmentValue($0) }.first { !$0.isEmpty } ?? "vi"
        // Through a shell, as other programs do: the variable may contain options.
        let status = try run(["sh", "-c", "\(chosen) \"$1\"", chosen, path])
        guard status == 0 else {
            unlink(path)
            throw CommandFailure(
                code: "no-editor", message: Phrase("the editor '\(chosen)' failed"),
                advice: .nameEditor)
        }
        return (try read(path), path)
    }

    private static func makeFile(_ text: String) throws(CommandFailure) -> String {
        let directory = environmentValue("XDG_RUNTIME_DIR") ?? environmentValue("TMPDIR") ?? "/tmp"
        var template = Array("\(directory)/tour-chat-note-XXXXXX.txt".utf8CString)
        let descriptor = mkstemps(&template, 4)
        guard descriptor >= 0 else { throw .system(Phrase("cannot make a file in \(directory)"), errno: errno) }
        defer { close(descriptor) }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do { try FileOutput.write(Array(text.utf8), to: descriptor) } catch {
            unlink(path)
            throw error as? CommandFailure ?? .system(Phrase("cannot write \(path)"), errno: errno)
        }
        return path
    }

    private static func read(_ path: String) throws(CommandFailure) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(Phrase("cannot read \(path)"), errno: errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Limits.notebookTextBytesMax + 1)
        var count = 0
        while count < bytes.count {
            let room = bytes.count - count
            let more = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), room)
            }
            guard more > 0 else { break }
            count += more
        }
        guard count <= Limits.notebookTextBytesMax,
            let text = String(validating: bytes.prefix(count), as: UTF8.self)
        else {
            throw CommandFailure(
                code: "bad-text", message: Phrase("that is no text of at most \(Limits.notebookTextBytesMax) bytes"),
                advice: .findDraft(at: path))
        }
        // Editors add the line break at the end.
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// - Returns: its exit status.
    private static func run(_ words: [String]) throws(CommandFailure) -> Int32 {
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else {
            throw .system(Phrase("cannot start the editor"), errno: errno)
        }
        defer { posix_spawnattr_destroy(&attributes) }
        // The editor must not inherit the signals that we ignore.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        // Ctrl-C on the terminal is for the editor while it runs.
        let before = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in before { signal(number, handler) } }
        var child: pid_t = 0
        let result = posix_spawnp(&child, words[0], nil, &attributes, &arguments, process_environment())
        guard result == 0 else { throw .system(Phrase("cannot start the editor"), errno: result) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        // The low seven bits say how a process ended; its exit status is above them.
        return status & 0x7f == 0 ? status >> 8 & 0xff : -1
    }
}
