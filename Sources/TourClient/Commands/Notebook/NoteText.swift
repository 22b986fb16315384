import ArgumentParser
import Glibc
import TourModel
import TourPresentation
import TourWords

/// The text of a note: from the command line, from standard input, or written in an editor.
struct NoteText {
    let text: String
    /// The editor's file; nil where no editor was used.
    private let file: String?

    /// - Throws: `ValidationError` where there is no source of a text.
    static func validate(_ text: String?, json: Bool) throws {
        guard text == nil, !TextEditor.isPossible || json else { return }
        throw ValidationError(Phrase("Give the text, or - for standard input."))
    }

    /// - Parameters:
    ///   - given: `-`: standard input; nil: an editor opens.
    ///   - before: the text to edit.
    static func read(_ given: String?, before: String) async throws -> NoteText {
        if let given, given != "-" { return NoteText(text: given, file: nil) }
        if given == "-" {
            let bytes = try await WholeInput.read(InputReader(), bytesMax: Limits.notebookTextBytesMax)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw CommandFailure(code: "bad-text", message: Phrase("the text is not UTF-8"))
            }
            return NoteText(text: text, file: nil)
        }
        let file = try TextEditor.edit(before)
        return NoteText(text: file.text, file: file.path)
    }

    /// The text is stored, so the editor's file can be deleted.
    func discard() {
        if let file { unlink(file) }
    }

    /// The same failure, with the place where the text is still kept.
    func kept(_ error: any Error) -> any Error {
        guard let file, let failure = error as? CommandFailure else { return error }
        return CommandFailure(
            code: failure.code, message: failure.message, advice: .findDraft(at: file))
    }
}

/// Reads a whole input, up to a limit.
enum WholeInput {
    /// - Throws: `file-too-large`.
    static func read(_ reader: InputReader, bytesMax: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try await reader.read()
            guard !piece.isEmpty else { return bytes }
            bytes += piece
            guard bytes.count <= bytesMax else {
                throw CommandFailure(
                    code: "file-too-large",
                    message: Phrase("that is too long: at most \(ByteCount.shown(UInt64(bytesMax)))"))
            }
        }
    }

    /// Reads a file, or with `-` standard input.
    static func read(path: String, bytesMax: Int) async throws -> [UInt8] {
        guard path != "-" else { return try await read(InputReader(), bytesMax: bytesMax) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw CommandFailure.system(Phrase("cannot read \(path)"), errno: errno) }
        defer { close(descriptor) }
        return try await read(InputReader(descriptor: descriptor), bytesMax: bytesMax)
    }
}
