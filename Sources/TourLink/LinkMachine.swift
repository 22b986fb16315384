import TourCrypto
import TourModel
import TourWire

/// One connection from its first byte to its end: hello, handshake, bind, frames, keep-alive.
/// Source: `Protocol/03-handshake.md`, `Protocol/04-framing.md`; drawn in
/// `Protocol/StateMachines/link-initiator.dot` and `link-responder.dot`.
///
/// Pure: the shell feeds bytes and ticks and carries out the outputs, in order. Bad bytes from the peer end this link
/// and nothing else. Not copyable, since a copy could use a nonce twice.
package struct LinkMachine: ~Copyable {
    /// An action or event for the shell.
    package enum Output: Sendable {
        /// Write these bytes to the peer.
        case write([UInt8])
        /// The link key that answered our dial as a member, before any bind. Comes before we reveal our own key: a
        /// shell that does not want this member closes the link here, at the cost of one message each way.
        case met(TourID, LinkKey)
        /// The handshake and both binds are complete. Comes once, before any message.
        case opened(LinkPeer)
        /// The handshake of an ask link is complete. Comes once, before any message.
        case openedForAsking(AskLink)
        /// A message that the peer may send.
        case message(LinkMessage)
    }

    /// The values that the machine needs from its caller while it reads.
    package struct Surroundings {
        /// The time of the call.
        package var now: Instant
        /// Looks up a link key in our roster.
        package var standing: (TourID, LinkKey) -> PeerStanding
        /// Returns the secrets that a responder tries, at most `Limits.credentialsMax`.
        package var credentials: () -> [LinkCredential]

        package init(
            now: Instant, standing: @escaping (TourID, LinkKey) -> PeerStanding,
            credentials: @escaping () -> [LinkCredential]
        ) {
            self.now = now
            self.standing = standing
            self.credentials = credentials
        }
    }

    enum State: ~Copyable {
        case awaitingHello(AwaitingHello)
        case handshaking(Handshaking)
        case binding(Binding)
        case open(OpenLink)
        case closed
    }

    private var state: State
    private var reader = FrameReader()
    private let startedAt: Instant
    private var lastReceivedAt: Instant
    /// When another path last showed that the peer is alive.
    private var lastHeardAt: Instant?
    /// How long the peer may be silent there before it gets a ping here.
    private var heardQuietMax = Limits.heardQuietMax
    /// Since when a frame of ours is out and the peer has sent nothing; then since when the peer waits for us.
    private var unansweredSince: Instant?
    private var owedSince: Instant?
    private var lastPingAt: Instant?
    private var framesSent: UInt64 = 0

    /// The side that was dialled.
    ///
    /// - Parameter address: the dialler's address.
    package init(acceptedAt now: Instant, from address: String) {
        state = .awaitingHello(AwaitingHello(address: address))
        startedAt = now
        lastReceivedAt = now
    }

    /// The side that dials: as a member, with an invite, or to ask. The first output contains the hello and message 1.
    package init(dialling intent: DialIntent, salt: [UInt8], now: Instant, into outputs: inout [Output]) {
        startedAt = now
        lastReceivedAt = now
        let hello = Hello(secret: intent.secret, salt: salt)
        var handshake = HandshakeState(
            pattern: .XXpsk0, role: .initiator, prologue: hello.prologue, psk: intent.secret,
            localStatic: intent.link)
        guard let first = try? handshake.writeMessage() else {
            preconditionFailure("message 1 of a fresh handshake always writes")
        }
        outputs.append(.write(FrameReader.frame(hello.bytes) + FrameReader.frame(first)))
        state = .handshaking(Handshaking(handshake: handshake, party: .initiator(intent)))
    }

    /// Whether handshake and binds are complete.
    package var isOpen: Bool {
        switch state {
        case .open(_): true
        default: false
        }
    }

    /// Whether the peer dialled and has not yet proven a secret.
    package var isStranger: Bool {
        switch state {
        case .awaitingHello(_): true
        default: false
        }
    }

    /// Whether the link is open while the peer's key is not in our roster yet.
    package var isRestricted: Bool {
        switch state {
        case .open(let open): open.isRestricted
        default: false
        }
    }

    /// Bytes accepted by `enqueue` and not yet drained, without those of files.
    package var queuedBytes: Int {
        switch state {
        case .open(let open): open.outbox.queuedBytes(through: .catchUp)
        default: 0
        }
    }

    /// The same for files.
    package var queuedBlobBytes: Int {
        switch state {
        case .open(let open): open.outbox.queuedBytes(in: .blobs)
        default: 0
        }
    }

    /// The size of the next slice of a file; 0 where none waits.
    package var nextBlobBytes: Int {
        switch state {
        case .open(let open): open.outbox.nextBytes(in: .blobs)
        default: 0
        }
    }

    /// Processes bytes from the peer.
    /// - Throws: why the link ends; the machine is then closed.
    package mutating func receive(
        _ bytes: some Collection<UInt8>, in surroundings: Surroundings, guarding salts: inout HelloGuard,
        into outputs: inout [Output]
    ) throws(LinkFault) {
        lastReceivedAt = surroundings.now
        unansweredSince = nil
        reader.feed(bytes)
        while let frame = try nextFrame() {
            var current = State.closed
            swap(&current, &state)
            state = try Self.advance(current, frame, surroundings, &salts, &outputs)
        }
        if owesAnswer, owedSince == nil { owedSince = surroundings.now }
    }

    /// Records that the peer showed on another path that it is alive. The sign proves nothing about this link's path.
    /// - Parameter quietMax: how long its next sign there may take before it gets a ping here.
    package mutating func recordLifeElsewhere(at now: Instant, quietMax: Duration = Limits.heardQuietMax) {
        lastHeardAt = now
        heardQuietMax = quietMax
    }

    /// Queues a message, which `drain` turns into bytes. Queues nothing unless the link is open.
    package mutating func enqueue(_ message: LinkMessage) {
        change { $0.add(message) }
    }

    /// Encrypts queued slices, the most urgent first, until about `budget` bytes are out.
    /// - Parameter last: the least urgent lane that may go.
    package mutating func drain(
        through last: Lane = .blobs, budget: Int, now: Instant, into outputs: inout [Output]
    ) throws(LinkFault) {
        var bytes = [UInt8]()
        var fault: LinkFault?
        var sent: UInt64 = 0
        var wantsAnswer = false
        change { open in
            wantsAnswer = open.wantsAnswer
            while bytes.count < budget, let slice = open.outbox.next(through: last) {
                guard let frame = try? open.transport.encrypt(slice.encode()) else {
                    fault = .decryptionFailed
                    return
                }
                bytes += FrameReader.frame(frame)
                sent += 1
                open.recordSent()
            }
        }
        if let fault { throw fault }
        guard !bytes.isEmpty else { return }
        framesSent += sent
        owedSince = nil
        if wantsAnswer { unansweredSince = unansweredSince ?? now }
        outputs.append(.write(bytes))
    }

    /// Sends keep-alives and checks deadlines; call it about once a second.
    package mutating func tick(now: Instant) throws(LinkFault) {
        guard isOpen else {
            if now - startedAt > Limits.handshakeTimeout { throw .handshakeTimeout }
            return
        }
        let sign = max(lastReceivedAt, lastHeardAt ?? lastReceivedAt)
        let isAnswerMissing = unansweredSince.map { now - $0 > Limits.deadPeerTimeout } ?? false
        if now - sign > silenceMax || isAnswerMissing { throw .deadPeer }
        // Pings must not pile up behind a reader that stalls. They overtake files, which may wait long.
        if queuedBytes == 0 {
            if isPingDue(now, sign) {
                lastPingAt = now
                enqueue(.ping)
            } else if let owedSince, now - owedSince > Limits.answerDelay {
                enqueue(.pong)
            }
        }
        if isRestricted, now - startedAt > Limits.restrictedLinkTimeout { throw .restrictedLimit }
    }

    /// Whether the peer's last sign of life came on another path.
    private var isHeardElsewhere: Bool { lastHeardAt.map { $0 > lastReceivedAt } ?? false }

    /// The silence after which the link is dead. Where the peer's signs elsewhere are lost, its answer to a ping is
    /// lost too, and gets as much time as on any link.
    private var silenceMax: Duration {
        guard isHeardElsewhere, heardQuietMax > Limits.heardQuietMax else { return Limits.deadPeerTimeout }
        return heardQuietMax + (Limits.deadPeerTimeout - Limits.keepAliveInterval)
    }

    /// - Parameter sign: when the peer last showed that it is alive, on this link or elsewhere.
    private func isPingDue(_ now: Instant, _ sign: Instant) -> Bool {
        if let lastPingAt, lastPingAt >= lastReceivedAt, now - lastPingAt <= Limits.keepAliveInterval { return false }
        let quiet = isHeardElsewhere ? heardQuietMax : Limits.keepAliveInterval
        return now - sign > quiet || now - (unansweredSince ?? now) > Limits.keepAliveInterval
            || now - lastReceivedAt > Limits.linkCheckInterval
    }

    private var owesAnswer: Bool {
        switch state {
        case .open(let open): open.owesAnswer
        default: false
        }
    }

    /// Whether the keys have reached their limit and a fresh handshake is due.
    package func isSpent(now: Instant) -> Bool {
        now - startedAt > Limits.sessionLifetime || framesSent >= Limits.framesPerSessionMax
    }

    /// Lifts the restriction once our roster has the peer's key.
    package mutating func recognise() {
        change { $0.recognise() }
    }

    /// Changes an open link; any other state stays as it is.
    private mutating func change(_ body: (inout OpenLink) -> Void) {
        guard isOpen else { return }
        var current = State.closed
        swap(&current, &state)
        if case .open(var open) = consume current {
            body(&open)
            state = .open(open)
        }
    }

    private mutating func nextFrame() throws(LinkFault) -> [UInt8]? {
        do { return try reader.next() } catch { throw .malformed }
    }

    private static func advance(
        _ state: consuming State, _ frame: [UInt8], _ surroundings: Surroundings, _ salts: inout HelloGuard,
        _ outputs: inout [Output]
    ) throws(LinkFault) -> State {
        switch consume state {
        case .awaitingHello(let waiting): try waiting.receive(frame, surroundings, &salts)
        case .handshaking(let handshaking): try handshaking.receive(frame, &outputs)
        case .binding(let binding): try binding.receive(frame, surroundings, &outputs)
        case .open(let open): try open.receive(frame, &outputs)
        case .closed: .closed
        }
    }
}
