import Synchronization
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `send -`: one line in, one answer out, as fast as the node stores them.
struct LineSender: Sendable {
    let replyTo: String?
    /// The tour's name, if answers must mention it.
    let tour: String?

    /// - Throws: `CommandFailure`; refused lines make it throw only after all lines have their answer.
    func run(_ client: LocalClient, _ path: String, _ output: Output) async throws {
        let order = SharedOrder()
        let input = InputReader()
        var lines = WholeLines()
        var failures = 0
        do {
            try await client.converse(path) { write in
                try await pump(input, order, write)
            } receive: { chunk in
                failures += try print(lines.add(chunk), order, output)
            }
        } catch let failure as CommandFailure where failure == .nodeGone {
            throw CommandFailure(
                code: failure.code,
                message: Phrase("the node ended before it had answered; lines without an answer: \(order.waiting)"))
        }
        failures += try flush(order, output)
        if order.waiting > 0 {
            throw CommandFailure(code: "node-gone", message: Phrase("lines without an answer: \(order.waiting)"))
        }
        if failures > 0 {
            throw CommandFailure(
                code: "lines-refused", message: Phrase("the node did not take \(failures) of the lines"))
        }
    }

    /// From standard input to the node: all lines of one read are sent in one write.
    private func pump(
        _ input: InputReader, _ order: SharedOrder, _ write: ([UInt8]) async throws -> Void
    ) async throws {
        var splitter = LineSplitter(bytesMax: Limits.textBytesMax)
        while true {
            // A terminal that has gone ends the input.
            let bytes = (try? await input.read()) ?? []
            let lines = bytes.isEmpty ? [splitter.end()].compactMap(\.self) : splitter.add(bytes)
            let request = order.with { order in
                lines.reduce(into: [UInt8]()) { $0 += encode($1, &order) }
            }
            if !request.isEmpty { try await write(request) }
            if bytes.isEmpty { return }
        }
    }

    private func encode(_ line: LineSplitter.Line, _ order: inout AnswerOrder) -> [UInt8] {
        switch line {
        case .tooLong:
            order.refuse(CommandFailure.textTooLong.json(in: .ofUser).encoded)
            return []
        case .line(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                order.refuse(refusal("text-not-utf8", Phrase("the line is not valid UTF-8")))
                return []
            }
            // Nothing to send, so nothing to answer.
            guard !text.isBlank else { return [] }
            order.send()
            return Draft(text: text, replyTo: replyTo).json.encoded + [0x0A]
        }
    }

    private func refusal(_ code: String, _ message: Phrase) -> [UInt8] {
        CommandFailure(code: code, message: message).json(in: .ofUser).encoded
    }

    /// Prints the node's whole lines, with our own refusals in their places.
    /// - Returns: how many of them were refusals.
    private func print(_ answers: [UInt8], _ order: SharedOrder, _ output: Output) throws -> Int {
        var text = [UInt8]()
        var failures = 0
        for answer in answers.split(separator: 0x0A) {
            for refusal in order.with({ order in order.due() }) {
                text += shown(refusal[...], output)
                failures += 1
            }
            order.with { $0.pass() }
            text += shown(answer, output)
            if Self.isError(answer) { failures += 1 }
        }
        try StandardStream.output.write(text)
        return failures + (try flush(order, output))
    }

    private func flush(_ order: SharedOrder, _ output: Output) throws -> Int {
        let refusals = order.with { $0.due() }
        for refusal in refusals { try StandardStream.output.write(shown(refusal[...], output)) }
        return refusals.count
    }

    private func shown(_ answer: ArraySlice<UInt8>, _ output: Output) -> [UInt8] {
        guard !output.json, let value = try? JSON(parsing: answer) else { return answer + [0x0A] }
        if let error = try? Refusal.read(value).error {
            let text = Phrase("refused: \(error.message) (\(error.code))").text
            return Array((output.foreign(text, .red) + "\n").utf8)
        }
        guard let sent = try? SentMessage.read(value) else { return answer + [0x0A] }
        return Array((SendingWords(sent).line(in: tour).text + "\n").utf8)
    }

    /// Whether an answer is a refusal: only those begin with the key `error`.
    private static func isError(_ answer: ArraySlice<UInt8>) -> Bool {
        answer.prefix(16).filter { $0 != 0x20 }.starts(with: "{\"error\"".utf8)
    }
}

/// The order of answers, shared by the task that reads lines and the one that prints answers.
private final class SharedOrder: Sendable {
    private let order = Mutex(AnswerOrder())

    var waiting: Int { order.withLock { $0.waiting } }

    func with<Result>(_ body: (inout AnswerOrder) -> Result) -> Result {
        order.withLock { body(&$0) }
    }
}
