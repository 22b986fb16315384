import TourCrypto
import TourGossip
import TourLink
import TourModel
import TourWire

/// This node's own question to be let into a tour near it: whom it asks, and what the answer is.
/// Source: `Protocol/14-asking.md`; drawn in `Protocol/StateMachines/ask-asker.dot`.
///
/// Used on the node's loop alone.
package final class OwnAsk {
    /// How far it is.
    package enum State: Sendable {
        /// Nobody has answered yet.
        case connecting
        /// Two people compare the words.
        case waiting(ComparedWords)
        /// The code to join by, and what the tour is called, as the other side says.
        case admitted(InviteCode, tourName: String)
        /// A member's answer.
        case refused(AskRefusal)
        /// Nobody was there, or the one who was has gone.
        case unreachable
        /// Joining by the code.
        case joining
    }

    /// Distinguishes it from earlier and later ones, in the answers to dials.
    package let id: UInt64
    /// The tour that is asked for.
    package let tag: DiscoveryTag
    /// What its user wants to be called.
    package let name: String
    /// How far it is.
    package private(set) var state = State.connecting
    /// The words, once there are some.
    package private(set) var words: ComparedWords?
    /// Where the member was dialled that answered.
    package private(set) var address: Dialer.Address?
    private let way: AskerExchange.Way
    private let startedAt: Instant
    private var openedAt: Instant?
    private var exchange: AskerExchange?
    private var connection: ObjectIdentifier?
    private var isDialling = false
    private var asked: Set<Dialer.Address> = []
    /// Where the tag was announced; a tag lives for a quarter of an hour, and its members know the one before.
    private var known: [Dialer.Address] = []
    /// Since then no device is asked: all that there are have answered.
    private var pausedAt: Instant?
    /// What the last device said that sent us on.
    private var lastRefusal: AskRefusal?
    /// A member has our name, or a proof that tests a guess: no other may be asked without the user's act.
    private var isShown = false

    /// How soon all devices are asked again.
    private static let pause: Duration = .seconds(2)

    /// - Parameter digits: what somebody read aloud; nil: people compare words.
    package init(id: UInt64, tag: DiscoveryTag, name: String, digits: SpokenDigits?, now: Instant) {
        self.id = id
        self.tag = tag
        self.name = name
        way = digits.map { .digits($0) } ?? .words(name: name)
        startedAt = now
    }

    /// Whether an answer is still to come.
    package var isUnderWay: Bool {
        switch state {
        case .connecting, .waiting: true
        case .admitted, .refused, .unreachable, .joining: false
        }
    }

    /// Whole seconds until it gives up; nil once there is an answer.
    package func secondsLeft(now: Instant) -> Int? {
        let end: Instant
        switch state {
        case .connecting: end = startedAt + AskLimits.exchangeTime
        case .waiting: end = (openedAt ?? startedAt) + AskLimits.lifetime
        case .admitted, .refused, .unreachable, .joining: return nil
        }
        return max(0, Int((end - now).microseconds / 1_000_000))
    }

    // MARK: Dialling

    /// Asks the next device under the tag, if none is asked now.
    package func proceed(_ host: some AskingHost) {
        guard case .connecting = state, connection == nil, !isDialling else { return }
        if let pausedAt {
            guard host.now - pausedAt >= Self.pause else { return }
            self.pausedAt = nil
            lastRefusal = nil
            asked = []
        }
        known += host.addresses(announcing: tag).filter { !known.contains($0) }
        guard let next = known.first(where: { !asked.contains($0) }) else {
            // Where all that are near have no code, waiting brings none.
            if lastRefusal == .noCode { return end(.refused(.noCode), host) }
            pausedAt = host.now
            return
        }
        asked.insert(next)
        isDialling = true
        address = next
        host.dial(next, with: AskTicket(tag: tag), for: id)
    }

    /// Nobody accepts a connection at the address.
    package func dialFailed(_ host: some AskingHost) {
        isDialling = false
        proceed(host)
    }

    /// The address accepted a connection.
    package func connected(_ connection: ObjectIdentifier, _ host: some AskingHost) {
        isDialling = false
        guard isUnderWay, self.connection == nil else { return host.close(connection) }
        self.connection = connection
    }

    /// Once a second: gives up when its time is over, and else goes on.
    package func tick(_ host: some AskingHost) {
        switch state {
        case .connecting where host.now - startedAt > AskLimits.exchangeTime:
            // What the devices said says more than that none is left.
            end(lastRefusal.map { .refused($0) } ?? .unreachable, host)
        case .waiting where host.now - (openedAt ?? startedAt) > AskLimits.lifetime:
            end(.refused(.expired), host)
        case .connecting: proceed(host)
        default: break
        }
    }

    // MARK: The link

    /// The handshake of an ask link is complete.
    package func opened(_ connection: ObjectIdentifier, _ link: AskLink, _ host: some AskingHost) {
        guard connection == self.connection, exchange == nil else { return host.close(connection) }
        openedAt = host.now
        var outputs = [AskerExchange.Output]()
        exchange = AskerExchange(link, way, into: &outputs)
        for output in outputs { carryOut(output, host) }
    }

    /// A message of the member.
    package func receive(_ message: AskMessage, on connection: ObjectIdentifier, _ host: some AskingHost) {
        guard connection == self.connection, exchange != nil else { return host.close(connection) }
        var outputs = [AskerExchange.Output]()
        do { try exchange?.receive(message, into: &outputs) } catch {
            host.count(error)
            // A device that does not know the digits, or speaks nonsense, may be a stranger's.
            if error == .wrongCode { end(.refused(.wrongCode), host) } else { host.close(connection) }
            return
        }
        for output in outputs { carryOut(output, host) }
    }

    /// A connection has closed; it may have been this one's.
    package func closed(_ connection: ObjectIdentifier, _ host: some AskingHost) {
        guard connection == self.connection else { return }
        self.connection = nil
        exchange = nil
        guard isUnderWay else { return }
        if isShown { state = .unreachable } else { proceed(host) }
    }

    private func carryOut(_ output: AskerExchange.Output, _ host: some AskingHost) {
        guard let connection else { return }
        switch output {
        case .send(let message):
            switch message {
            case .reveal, .proof: isShown = true
            default: break
            }
            host.send(message, on: connection)
        case .words(let words):
            self.words = words
            state = .waiting(words)
        case .admitted(let code, let tourName): end(.admitted(code, tourName: DisplayName.tidy(tourName)), host)
        case .refused(let refusal):
            // Another device may say something else, as long as none has our name or our proof.
            if !isShown, refusal == .noCode || refusal == .busy {
                if lastRefusal != .busy { lastRefusal = refusal }
                host.close(connection)
            } else {
                end(.refused(refusal), host)
            }
        }
    }

    private func end(_ state: State, _ host: some AskingHost) {
        self.state = state
        if let connection { host.close(connection) }
    }

    // MARK: The user's part

    /// The user joins by the code.
    /// - Returns: the code; nil while there is none.
    package func beginJoin() -> InviteCode? {
        guard case .admitted(let code, _) = state else { return nil }
        state = .joining
        return code
    }

    /// The join failed: the user may try again.
    package func joinFailed(_ code: InviteCode, tourName: String) { state = .admitted(code, tourName: tourName) }

    /// The user asks no more.
    package func cancel(_ host: some AskingHost) {
        if isUnderWay { state = .unreachable }
        if let connection { host.close(connection) }
    }
}
