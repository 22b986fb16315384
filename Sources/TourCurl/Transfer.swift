import CCurl
import NIOHTTP1
import Synchronization
import TourModel

/// One exchange: the rest of its request, and the answer so far. The loop's thread writes, the task that asked reads;
/// the lock protects everything that both use.
final class Transfer: Sendable {
    typealias Outcome = Result<Reply, TransferError>

    /// A longer head is no answer of our server.
    private static let headBytesMax = 64 * 1024
    /// How many bytes of a streamed body may wait for their reader.
    private static let waitingBytesMax = 256 * 1024

    private struct State {
        var headers = HTTPHeaders()
        var headBytes = 0
        /// A whole body, or the part that its reader has not read yet.
        var body = [UInt8]()
        /// Whether the body goes to a reader: known with the status.
        var streams = false
        /// Why we end the transfer ourselves: the library reports that as an error of its own.
        var verdict: TransferError?
        /// The connection is paused until the reader has read everything.
        var isHeld = false
        var reader: CheckedContinuation<Void, Never>?
        var ended: Outcome?
        var asker: CheckedContinuation<Outcome, Never>?

        /// The piece being sent, and how much of it has been sent; nil: there is none yet.
        var piece: [UInt8]?
        var sent = 0
        /// Over all pieces.
        var sentInAll: Int64 = 0
        var isLastFed = false
        /// The connection waits for a piece.
        var isHungry = false
        var feeder: CheckedContinuation<Void, Never>?

        /// A mail server has said that it takes addresses beyond ASCII.
        var takesUTF8 = false
    }

    /// The request or message to be sent.
    enum Content: Sendable {
        case request(OutgoingRequest)
        case mail(OutgoingMail)
    }

    let content: Content
    private let mayStream: Bool
    private let state: Mutex<State>

    /// - Parameter streams: whether a reader gets the body of an answer with status 200 as it arrives.
    init(_ outgoing: OutgoingRequest, streams: Bool) {
        content = .request(outgoing)
        mayStream = streams
        state = Mutex(State())
    }

    init(_ mail: OutgoingMail) {
        content = .mail(mail)
        mayStream = false
        state = Mutex(State(piece: mail.message, isLastFed: true))
    }

    /// For the whole exchange.
    var timeout: Duration {
        switch content {
        case .request(let outgoing): outgoing.timeout
        case .mail(let mail): mail.timeout
        }
    }

    /// A body that is read while it is sent.
    var pieces: BodyPieces? {
        guard case .request(let outgoing) = content else { return nil }
        return outgoing.pieces
    }

    private var answerMax: Int {
        guard case .request(let outgoing) = content else { return 0 }
        return outgoing.answerMax
    }

    // MARK: The task that asked

    /// The next part of a streamed body; nil at its end, and for any other answer.
    func part(_ loop: TransferLoop) async -> [UInt8]? {
        while true {
            let (part, isEnd, wasHeld) = state.withLock { state in
                guard state.streams, !state.body.isEmpty else { return ([UInt8]?.none, state.ended != nil, false) }
                defer { (state.body, state.isHeld) = ([], false) }
                return (state.body, false, state.isHeld)
            }
            if wasHeld { loop.resume(self) }
            if part != nil || isEnd { return part }
            await withCheckedContinuation { reader in
                let isReady = state.withLock { state in
                    if state.ended != nil || (state.streams && !state.body.isEmpty) { return true }
                    state.reader = reader
                    return false
                }
                if isReady { reader.resume() }
            }
        }
    }

    func outcome() async -> Outcome {
        await withCheckedContinuation { asker in
            let now = state.withLock { state in
                if state.ended == nil { state.asker = asker }
                return state.ended
            }
            if let now { asker.resume(returning: now) }
        }
    }

    /// Gives the next piece of the request's body, nil after the last, and waits until it was sent or is not needed
    /// any more.
    func feed(_ piece: [UInt8]?, _ loop: TransferLoop) async {
        let wasHungry = state.withLock { state in
            if let piece { (state.piece, state.sent) = (piece, 0) } else { state.isLastFed = true }
            defer { state.isHungry = false }
            return state.isHungry
        }
        if wasHungry { loop.resume(self) }
        guard piece != nil else { return }
        await withCheckedContinuation { feeder in
            let isGone = state.withLock { state in
                if state.piece == nil || state.ended != nil { return true }
                state.feeder = feeder
                return false
            }
            if isGone { feeder.resume() }
        }
    }

    // MARK: The loop's thread

    /// One line of a head, or of a mail server's answer, with its line break. False ends the transfer.
    func head(_ line: UnsafeRawBufferPointer) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        if case .mail(let mail) = content { mail.heard?(Self.trimmed(text[...])) }
        return state.withLock { state in
            state.headBytes += line.count
            guard state.headBytes <= Self.headBytesMax else { return false }
            if case .mail(let mail) = content {
                return Self.goesOn(mail, behind: Self.trimmed(text[...]).uppercased(), &state)
            }
            if text.hasPrefix("HTTP/") {
                // The lines before belonged to an interim answer.
                state.headers = HTTPHeaders()
            } else if let colon = text.firstIndex(of: ":") {
                let value = text[text.index(after: colon)...]
                state.headers.add(name: String(text[..<colon]), value: Self.trimmed(value))
            }
            return true
        }
    }

    /// Whether a mail may go on. The library sends an address beyond ASCII to any server.
    private static func goesOn(_ mail: OutgoingMail, behind line: String, _ state: inout State) -> Bool {
        // The greeting, and the beginning of TLS: offers before it do not count.
        if line.hasPrefix("220") { state.takesUTF8 = false }
        if ["250-SMTPUTF8", "250 SMTPUTF8"].contains(line) { state.takesUTF8 = true }
        guard line.hasPrefix("354"), mail.needsUTF8, !state.takesUTF8 else { return true }
        state.verdict = TransferError(
            .broken, "the mail server takes no address beyond ASCII", isRefusal: true)
        return false
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    enum Taken { case all, later, no }

    /// A part of the body.
    func receive(_ bytes: UnsafeRawBufferPointer, status: Int) -> Taken {
        let (taken, reader) = state.withLock { state -> (Taken, CheckedContinuation<Void, Never>?) in
            state.streams = mayStream && status == 200
            if state.streams {
                guard state.body.count <= Self.waitingBytesMax else {
                    state.isHeld = true
                    return (.later, nil)
                }
            } else if state.body.count + bytes.count > answerMax {
                state.verdict = TransferError(.tooLong)
                return (.no, nil)
            }
            state.body.append(contentsOf: bytes)
            defer { if state.streams { state.reader = nil } }
            return (.all, state.streams ? state.reader : nil)
        }
        reader?.resume()
        return taken
    }

    enum Filled {
        /// 0 at the body's end.
        case bytes(Int)
        /// The next piece is not there yet.
        case later
        /// The body ended before its announced length.
        case cutShort
    }

    /// Writes the next part of the request's body into `room`.
    func fill(_ room: UnsafeMutableRawBufferPointer) -> Filled {
        let (filled, feeder) = state.withLock { state -> (Filled, CheckedContinuation<Void, Never>?) in
            let left = (state.piece?.count ?? 0) - state.sent
            let count = min(room.count, left)
            state.piece?[state.sent..<state.sent + count].withUnsafeBytes { room.copyMemory(from: $0) }
            state.sent += count
            state.sentInAll += Int64(count)
            var feeder: CheckedContinuation<Void, Never>?
            if count == left, state.piece != nil {
                (state.piece, state.sent) = (nil, 0)
                swap(&feeder, &state.feeder)
            }
            if count > 0 { return (.bytes(count), feeder) }
            // An empty piece is not the end.
            state.isHungry = !state.isLastFed
            let isShort = state.sentInAll < pieces?.length ?? 0
            return (state.isHungry ? .later : isShort ? .cutShort : .bytes(0), feeder)
        }
        feeder?.resume()
        return filled
    }

    /// Whether the connection waits for its reader here, or for the next piece of its body.
    var waitsForUs: Bool { state.withLock { $0.isHeld || $0.isHungry } }

    /// Whether a part of the body, or of the mail, was sent.
    var hasSent: Bool { state.withLock { $0.sentInAll > 0 } }

    var hasEnded: Bool { state.withLock { $0.ended != nil } }

    /// Ends the transfer; everything later is ignored.
    func finish(_ problem: TransferError?, status: Int) {
        let waiting = state.withLock { state -> State? in
            guard state.ended == nil else { return nil }
            if let problem {
                state.ended = .failure(state.verdict ?? problem)
            } else {
                let body = state.streams ? [] : state.body
                state.ended = .success(Reply(status: status, headers: state.headers, body: body))
            }
            defer { (state.reader, state.asker, state.feeder) = (nil, nil, nil) }
            return state
        }
        guard let waiting else { return }
        waiting.reader?.resume()
        waiting.feeder?.resume()
        if let ended = waiting.ended { waiting.asker?.resume(returning: ended) }
    }
}
