import TourAPI
import TourJSON
import TourModel
import TourPresentation
import TourWords

/// Why a command ends with exit status 1: the node's error, or a fault on the way to the node.
package struct CommandFailure: Error, Hashable {
    /// Stable, lower-case words with dashes.
    package let code: String
    /// The words for the user.
    package let message: Phrase
    /// What to do, where the words do not say it.
    package let advice: Phrase?

    package init(code: String, message: Phrase, advice: Advice? = nil) {
        self.code = code
        self.message = message
        self.advice = advice?.phrase(on: TerminalSurface())
    }

    /// A fault of a module below, in a terminal's words.
    package init(_ fault: any Fault) {
        code = fault.code
        message = fault.words(on: TerminalSurface())
        advice = fault.advice(on: TerminalSurface())
    }

    /// A problem as an answer of the node has it, in the language that the request asked for.
    package init(_ problem: Problem) {
        code = problem.code
        message = Phrase(verbatim: problem.message)
        advice = problem.advice.map { Phrase(verbatim: $0) }
    }

    /// The error of a local API answer, also of one with an unreadable body.
    package init(answer: JSON?, status: UInt) {
        let reason = answer.flatMap { try? Refusal.read($0) }?.error
        code = reason?.code ?? "http-\(status)"
        message = reason.map { Phrase(verbatim: $0.message) } ?? Phrase("the node answered with status \(status)")
        advice = reason?.advice.map { Phrase(verbatim: $0) }
    }

    /// One line for standard error: `{"error":{"code":…,"message":…}}`, for programs in English.
    package func json(in language: Language = .english) -> JSON {
        ["error": ["code": .text(code), "message": .text(message.said(in: language))]]
    }
}

/// The reader of our standard output has gone: the command ends silently.
package struct ClosedOutput: Error {}

extension CommandFailure {
    /// SIGINT or SIGTERM, or the end of the input at a question.
    package static let interrupted = CommandFailure(code: "interrupted", message: Phrase("ended by a signal"))
    /// The command makes sense only beside a running node.
    package static let noNode = CommandFailure(
        code: "no-node", message: Phrase("no node is running on this data directory"), advice: .startNode)
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

    static func badAnswer(_ error: ContractError) -> CommandFailure {
        guard !error.member.isEmpty else { return badAnswer }
        let member = Phrase(verbatim: "(\(error.member))")
        return CommandFailure(code: badAnswer.code, message: Phrase([badAnswer.message, member], separator: " "))
    }

    /// A system call on a file or the terminal failed.
    static func system(_ what: Phrase, errno code: Int32) -> CommandFailure {
        CommandFailure(code: "system", message: Phrase("\(what): \(SystemError.words(code))"))
    }
}

extension StreamLine {
    /// - Throws: `bad-answer` for a line that is neither a message nor a note.
    init(answer line: ArraySlice<UInt8>) throws(CommandFailure) {
        do { try self.init(line) } catch { throw .badAnswer(error) }
    }
}

extension JSONReadable {
    /// - Throws: `bad-answer`, which names the member that is not what the contract says.
    init(answer: JSON) throws(CommandFailure) {
        do { self = try Self.read(answer) } catch { throw .badAnswer(error) }
    }
}
