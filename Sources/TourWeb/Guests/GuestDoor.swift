import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TourAPI
import TourCrypto
import TourJSON
import TourModel
import TourNode
import TourPresentation
import TourWords

/// What guests' phones ask for at the door, from the sealed request to the sealed answer.
/// Source: `Protocol/15-seats.md`.
final class GuestDoor: Sendable {
    typealias Sessions = GuestSessions<SeatTicket>

    private struct State {
        var sessions = Sessions()
        var portal = CaptivePortal()
        var bodies = GuestBodies()
        var newcomers = GuestNewcomers()
        /// Seats that had ended when that was last looked at: their phones hear it before they are closed.
        var ending: Set<String> = []
        /// `NAME:PORT`, where the page is by https.
        var https: String?
    }

    let slot: NodeSlot
    let watch = GuestWatch()
    let uploads: GuestUploads
    private let shares = GuestShares()
    /// Whose an address is.
    private let parties: GuestParty
    private let state = Mutex(State())
    private let start = ContinuousClock.now

    init(slot: NodeSlot) {
        self.slot = slot
        uploads = GuestUploads(directory: slot.settings.dataDirectory)
        let neighbours = GuestNeighbours()
        parties = GuestParty { neighbours.card(of: $0) }
    }

    private var now: Instant { Instant(microseconds: (ContinuousClock.now - start).microseconds) }

    /// - Throws: `seats-off` while no node runs.
    var node: TourNode {
        get throws {
            do { return try slot.node } catch { throw NodeError.seat(.off) }
        }
    }

    private func sessions<Result: Sendable>(_ work: (inout Sessions) -> Result) -> Result {
        state.withLock { work(&$0.sessions) }
    }

    /// The captive portal's answer; nil where the request is for the page.
    func captive(_ question: CaptivePortal.Question) -> CaptivePortal.Answer? {
        state.withLock { $0.portal.answer(question, now: .now) }
    }

    /// `NAME:PORT`, where the page is by https; nil: by http alone.
    var https: String? {
        get { state.withLock { $0.https } }
        set { state.withLock { $0.https = newValue } }
    }

    /// Whether the certificate is for the name of a `Host` field; a port that leads here may be another one.
    func isNamed(_ host: String?) -> Bool {
        guard let certificate = slot.certificate, let name = host?.prefix(while: { $0 != ":" }) else { return false }
        return certificate.covers(name)
    }

    /// Whose a connection is before it has shown a seat.
    func party(of connection: any Channel) -> String {
        parties.name(of: GuestAddress.host(of: connection.remoteAddress))
    }

    /// Whether a guest has a seat from this address.
    func hasGuest(at address: String) -> Bool { sessions { $0.hasGuest(at: address) } }

    // MARK: - Rooms for requests

    /// Makes room for a request.
    /// - Returns: false where too many are in memory.
    func reserve(_ bytes: Int, for owner: GuestBodies.Owner) -> Bool {
        state.withLock { $0.bodies.reserve(bytes, for: owner) }
    }

    func free(_ bytes: Int, for owner: GuestBodies.Owner) { state.withLock { $0.bodies.free(bytes, for: owner) } }

    // MARK: - The channel

    /// Answers a hello.
    /// - Parameter isKeyless: whether the phone has no key of ours yet, as behind an address that somebody typed: it
    ///   gets one that is used once, since the key in the code would show whose device this is.
    func greet(_ hello: [UInt8], from address: String, isKeyless: Bool = false) async throws -> Greeting {
        guard sessions({ $0.mayGreet(from: address, now: now) }) else { return .tooMany }
        guard hello.count == SeatChannel.helloBytes else { return .malformed }
        let name = Randomness.bytes(SeatChannel.sessionBytes)
        let key = isKeyless ? LinkKeyPair() : try await node.seats.channelKey()
        guard let (answer, channel) = SeatChannel.accept(hello: hello, key: key, session: name) else {
            return .malformed
        }
        sessions { $0.open(name, channel, from: address, isKeyless: isKeyless, now: now) }
        return .answered(isKeyless ? key.publicKey.bytes + answer : answer)
    }

    enum Greeting {
        case answered([UInt8])
        case malformed
        case tooMany
    }

    /// For whom a request of this channel counts; nil: there is no such channel.
    func owner(of session: Sessions.Name) -> GuestBodies.Owner? { sessions { $0.owner(of: session) } }

    /// Opens a request; its number counts as used.
    func open(_ sealed: SealedRequest) -> (plaintext: [UInt8], channel: SeatChannel)? {
        sessions { $0.open(sealed.box, number: sealed.number, of: sealed.session, now: now) }
    }

    /// Who reads the answer to a request of this channel.
    func reader(of session: Sessions.Name, or language: Language) -> Reader {
        Reader(sessions { $0.language(of: session) } ?? language, on: PlainSurface())
    }

    /// - Parameters:
    ///   - asked: what was sealed.
    ///   - channel: as `open` has both.
    /// - Returns: the sealed answer; nil where the node stops.
    func answer(
        _ asked: [UInt8], _ channel: SeatChannel, to sealed: SealedRequest, from address: String, language: Language
    ) async -> [UInt8]? {
        let answer = await reader(of: sealed.session, or: language).answered {
            do {
                if case .tooMuch(let seconds) = sessions({ $0.begin(sealed.session, now: now) }) {
                    throw NodeError.seat(.slowDown(seconds))
                }
                defer { sessions { $0.end(sealed.session, now: now) } }
                let request = try await Self.request(asked)
                return try await perform(request, of: sealed.session, from: address)
            } catch {
                return GuestAnswer(refusal: error)
            }
        }
        let plaintext = answer.plaintext
        let seal = { channel.seal(answer: plaintext, number: sealed.number) }
        // Pictures and many messages take longer to seal than links may wait.
        return plaintext.count > GuestLimits.jsonBytesMax ? try? await besideTheLoop(seal) : seal()
    }

    /// - Throws: `bad-request`, `unknown-op`.
    private static func request(_ plaintext: [UInt8]) async throws -> GuestRequest {
        guard let (text, bytes) = GuestPlaintext.parts(plaintext) else { throw GuestFields.wrong("op") }
        let read = {
            let request = try GuestRequest(JSON(parsing: text), bytes: Array(bytes))
            guard text.count <= GuestLimits.jsonBytesMax || request.isLong else { throw GuestFields.wrong("op") }
            return request
        }
        do {
            // A phone's tail takes longer to read than links may wait.
            return try await text.count > GuestLimits.jsonBytesMax ? besideTheLoop(read) : read()
        } catch is JSONError {
            throw GuestFields.wrong("op")
        }
    }

    private func perform(
        _ request: GuestRequest, of session: Sessions.Name, from address: String
    ) async throws -> GuestAnswer {
        switch request {
        case .digits(let digits, let language):
            sessions { $0.read(language, at: session) }
            return try await entry(by: digits, from: address)
        // Before a phone shows what only the code says, it learns neither a name nor whose device this is.
        case _ where sessions({ $0.isKeyless(session) }): throw NodeError.seat(.gone)
        case .hello(let language):
            sessions { $0.read(language, at: session) }
            return try GuestAnswer(Hello(door: await node.seats.door()))
        case .enter(let pass, let name, let secret):
            let standing = try await comesAnew(secret.hashValue, at: session, from: address) {
                try await $0.seats.enter(pass: pass, name: name, secret: secret)
            }
            return try GuestAnswer(standing.map { Standing($0, showsTail: true) })
        case .resume(let member, let secret, let head, let tail):
            let verdict = sessions { $0.mayShow(from: address, now: now) }
            let standing = try await comesIn(verdict, at: session, from: address) {
                try await $0.seats.resume(member: member, secret: secret, head: head, tail: tail)
            }
            return try GuestAnswer(standing.map { Standing($0, showsTail: false) })
        default:
            guard let ticket = sessions({ $0.ticket(of: session) }) else {
                throw WebError("no-seat", Phrase("Your phone has to say first who you are. Load the page again."))
            }
            return try await perform(request, as: ticket)
        }
    }

    /// What makes this device read a lot waits for the seat's turn.
    private func perform(_ request: GuestRequest, as ticket: SeatTicket) async throws -> GuestAnswer {
        let acts = GuestActs(node: try node, uploads: uploads, ticket: ticket)
        guard let kind = request.share else { return try await acts.perform(request) }
        let seat = ticket.member.hex
        if let seconds = shares.begin(kind, of: seat, now: now) { throw NodeError.seat(.slowDown(seconds)) }
        defer { shares.end(kind, of: seat) }
        return try await acts.perform(request)
    }

    /// What the code says, for somebody who typed the digits beside it.
    private func entry(by digits: SpokenDigits, from address: String) async throws -> GuestAnswer {
        if case .tooMuch(let seconds) = sessions({ $0.mayShow(from: address, now: now) }) {
            throw NodeError.seat(.slowDown(seconds))
        }
        do {
            return try GuestAnswer(["entry": try await node.seats.entry(by: digits)])
        } catch {
            switch error {
            case NodeError.seat(.wrongDigits), NodeError.seat(.digitsSpent):
                sessions { $0.mistook(at: address, now: now) }
            default: break
            }
            throw error
        }
    }

    /// Gives the channel a new seat, as far as its address may have one more.
    /// - Parameter phone: tells phones apart.
    private func comesAnew(
        _ phone: Int, at session: Sessions.Name, from address: String, _ work: (TourNode) async throws -> SeatStanding
    ) async throws -> SeatStanding? {
        let verdict = sessions { $0.mayEnter(from: address, now: now) }
        // A program on this machine may bring the phones of many.
        guard verdict == .goesOn, !GuestAddress.isThisMachine(address) else {
            return try await comesIn(verdict, at: session, from: address, work)
        }
        let newcomer = state.withLock { $0.newcomers.begin(phone, at: address, now: now) }
        if case .tooMany(let seconds) = newcomer { throw NodeError.seat(.slowDown(seconds)) }
        do {
            return try await comesIn(.goesOn, at: session, from: address, work)
        } catch {
            if newcomer == .counted { state.withLock { $0.newcomers.giveBack(phone, at: address) } }
            throw error
        }
    }

    /// Gives the channel its seat, and counts a wrong pass or secret.
    /// - Returns: nil while a part of the seat's log is missing here.
    private func comesIn(
        _ verdict: Sessions.Verdict, at session: Sessions.Name, from address: String,
        _ work: (TourNode) async throws -> SeatStanding
    ) async throws -> SeatStanding? {
        if case .tooMuch(let seconds) = verdict { throw NodeError.seat(.slowDown(seconds)) }
        do {
            let standing = try await work(node)
            let ticket = standing.ticket
            await release(sessions { $0.seat(ticket, named: ticket.member.hex, at: session, now: now) })
            return standing
        } catch NodeError.seat(.behind) {
            return nil
        } catch let error as NodeError {
            if [.seat(.badPass), .seat(.wrongSecret), .seat(.unknownSeat)].contains(error) {
                sessions { $0.mistook(at: address, now: now) }
            }
            throw error
        }
    }

    // MARK: - News

    /// Begins a stream of news, which counts as a request of the seat until it is open: `newsAreOpen` follows.
    /// - Throws: `no-seat`, `slow-down`.
    func beginNews(_ sealed: SealedRequest) throws -> (stream: UInt64, ticket: SeatTicket) {
        if case .tooMuch(let seconds) = sessions({ $0.begin(sealed.session, now: now) }) {
            throw NodeError.seat(.slowDown(seconds))
        }
        let begun = sessions { sessions -> (UInt64, SeatTicket)? in
            guard let ticket = sessions.ticket(of: sealed.session),
                let stream = sessions.openStream(of: sealed.session)
            else { return nil }
            return (stream, ticket)
        }
        guard let begun else {
            newsAreOpen(sealed.session)
            throw WebError("no-seat", Phrase("Your phone has to say first who you are. Load the page again."))
        }
        return begun
    }

    func newsAreOpen(_ session: Sessions.Name) { sessions { $0.end(session, now: now) } }

    func goesOn(_ stream: UInt64, of session: Sessions.Name) -> Bool { sessions { $0.goesOn(stream, of: session) } }

    func endNews(_ stream: UInt64, of session: Sessions.Name) {
        sessions { $0.closeStream(stream, of: session, now: now) }
    }

    var openStreams: Int { sessions { $0.openStreams } }

    // MARK: - Time

    /// Ends what nobody uses any more, and what lets us wait.
    /// - Returns: the seats that have ended: what they hold at the ports is to be closed.
    func sweep() async -> Set<String> {
        watch.sweep()
        uploads.expire()
        await release(sessions { $0.expire(now: now) })
        let tickets = sessions { $0.tickets }
        let ended = await (try? node)?.seats.ended(among: tickets) ?? []
        let gone = state.withLock { state in
            defer { state.ending = ended }
            return state.ending.intersection(ended)
        }
        if !gone.isEmpty { await release(sessions { $0.end(seats: gone) }) }
        return gone
    }

    /// The door closes. When it opens again, for another tour or because the owner lets guests in anew, each address
    /// may bring newcomers as at first.
    func close() async {
        state.withLock { $0.newcomers = GuestNewcomers() }
        watch.closeAll()
        await release(sessions { $0.endAll() })
        uploads.removeAll()
    }

    private func release(_ tickets: [SeatTicket]) async {
        for ticket in tickets {
            let seat = ticket.member.hex
            if !sessions({ $0.has(seat: seat) }) { uploads.remove(of: seat) }
            await (try? node)?.seats.release(ticket)
        }
    }
}

extension GuestRequest {
    /// Whether its JSON may be longer than that of others.
    fileprivate var isLong: Bool {
        guard case .resume = self else { return false }
        return true
    }
}

/// A request as it comes: the channel's name, the request's number, and the box.
package struct SealedRequest: Sendable {
    /// The channel's name.
    package let session: [UInt8]
    /// The request's number in the channel.
    package let number: UInt64
    /// What is sealed.
    package let box: [UInt8]

    /// What precedes the box.
    package static let headBytes = SeatChannel.sessionBytes + 8

    /// - Returns: nil for bytes too few.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headBytes + SeatChannel.tagBytes else { return nil }
        session = Array(bytes.prefix(SeatChannel.sessionBytes))
        number = bytes[SeatChannel.sessionBytes..<Self.headBytes].reduce(0) { $0 << 8 | UInt64($1) }
        box = Array(bytes[Self.headBytes...])
    }
}

private struct Hello: Encodable {
    var tour, host: String
    var entry: SeatDoorView.Entry
    /// Whether the page can also be had by https, and where: `NAME:PORT`.
    var tls: Bool
    @Nullable var https: String?
    /// Where it is by http under a name that stays: `NAME:PORT`.
    @Nullable var local: String?

    init(door: SeatDoorView) {
        tour = door.tour
        host = door.host
        entry = door.entry
        tls = door.https != nil
        _https = Nullable(wrappedValue: door.https)
        _local = Nullable(wrappedValue: door.local)
    }
}

/// How a seat stands, for its phone.
private struct Standing: Encodable {
    var member: String?
    var name: String?
    var state = "ready"
    var head: SeatHead?
    var prepared: PreparedAnswer?
    var hosts: [SeatHostView]?
    var formerHosts: [String]?
    var tail: [String]?
    var page: String?
    var addresses: [String]?

    init(_ standing: SeatStanding, showsTail: Bool) {
        member = standing.memberID
        name = standing.name
        state = standing.isEnded ? "ended" : "ready"
        head = standing.head
        prepared = standing.prepared.map(PreparedAnswer.init)
        hosts = standing.hosts
        formerHosts = standing.formerHosts
        page = Hex.encode(standing.pageKey)
        addresses = standing.addresses
        tail = showsTail ? standing.tail.map { Data($0).base64EncodedString() } : nil
    }

    /// A part of the log is missing here.
    private init() { state = "behind" }

    static let behind = Standing()
}

extension GuestAnswer {
    fileprivate init(_ standing: Standing?) throws { try self.init(standing ?? .behind, bytes: []) }
}

/// An event that the phone is to confirm.
struct PreparedAnswer: Encodable {
    /// The event's bytes in base64.
    var prepared: String
    var seq: UInt64
    var id: String

    init(_ event: PreparedEvent) {
        prepared = Data(event.bytes).base64EncodedString()
        seq = event.seq
        id = event.id
    }
}
