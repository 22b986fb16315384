import TourModel
import TourWeb
import TourWords

/// Why a command ends with exit status 1: the node's error, or a fault on the way to the node.
package struct CommandFailure: Error, Hashable {
    /// Stable, lower-case words with dashes.
    package let code: String
    /// The words for the user.
    package let message: Phrase
    /// Advice that depends on the command; nil: the advice for the code.
    package let advice: Phrase?

    package init(code: String, message: Phrase, advice: Phrase? = nil) {
        self.code = code
        self.message = message
        self.advice = advice
    }

    /// The error of a local API answer, also of one with an unreadable body.
    package init(answer: JSON?, status: UInt) {
        let error = answer?["error"]
        code = error?["code"]?.text ?? "http-\(status)"
        // The node's words are in the language that the request asked for.
        message =
            error?["message"]?.text.map { Phrase(verbatim: $0) } ?? Phrase("the node answered with status \(status)")
        advice = nil
    }

    /// One line for standard error: `{"error":{"code":…,"message":…}}`, for programs in English.
    package func json(in language: Language = .english) -> JSON {
        ["error": ["code": .text(code), "message": .text(message.said(in: language))]]
    }
}

/// The reader of our standard output has gone: the command ends silently.
struct ClosedOutput: Error {}

extension CommandFailure {
    static let noNode = CommandFailure(
        code: "no-node", message: Phrase("no node is running on this data directory"))
    static func nothingYet(_ dataDirectory: String) -> CommandFailure {
        CommandFailure(
            code: "nothing-yet",
            message: Phrase(
                """
                There is nothing in \(dataDirectory) yet: 'tour-chat run', 'tour-chat tour create' and \
                'tour-chat join' begin there.
                """))

    }

    static let nodeGone = CommandFailure(
        code: "node-gone", message: Phrase("the node ended before it had answered"))
    /// A command that follows waits for no answer: only the news has ended.
    static let nodeEnded = CommandFailure(code: nodeGone.code, message: Phrase("the node ended"))
    /// The node's own words, for refusals that need no request.
    package static let emptyText = CommandFailure(code: "empty-text", message: Phrase("There is nothing to send."))
    /// The node's own words, for refusals that need no request.
    package static let textTooLong = CommandFailure(
        code: "text-too-long",
        message: Phrase("A message is at most \(Limits.textBytesMax) bytes long; send it in parts."))
    static let badAnswer = CommandFailure(
        code: "bad-answer", message: Phrase("the node's answer could not be read"))

    /// A system call on a file or the terminal failed.
    static func system(_ what: Phrase, errno code: Int32) -> CommandFailure {
        CommandFailure(code: "system", message: Phrase("\(what): \(SystemError.words(code))"))
    }
}
