import NIOCore
import TourLink
import TourModel
import TourWire

/// One TCP connection and the link machine that reads and writes it.
///
/// Lives on one event loop: every call except `close` from a future must come from there.
// Sendable only so that futures' callbacks may carry it; only `loop` touches its state, and the channel itself calls
// `pump` and `receive` there.
package final class LinkConnection: @unchecked Sendable {
    /// Which side dialled.
    package enum Direction: String, Sendable {
        /// The peer dialled.
        case inbound = "in"
        /// This node dialled.
        case outbound = "out"
    }

    /// Which side dialled.
    package let direction: Direction
    /// The peer's numeric address, for people and for dialling again.
    package let address: String
    /// The peer's port.
    package let port: Int
    /// The same as the system reports it: with the interface, where an address needs one.
    package let remoteAddress: SocketAddress?
    /// Our own numeric address on this connection.
    package let localAddress: String
    /// When the connection was accepted or dialled.
    package let openedAt: Instant
    private let channel: any Channel
    private weak var owner: (any LinkOwner)?
    private var machine: LinkMachine
    private let valve: BlobValve
    private var isPumpScheduled = false
    /// A slice of a file is being written to the system.
    private var isBlobUnderWay = false
    /// The owner has queued parts of files, and was not told yet that they are gone.
    private var owesBlobsDrained = false
    private var isLagging = false
    private var isClosed = false
    /// Set once when the link opens.
    package var peer: LinkPeer?
    /// Set once when an ask link opens.
    package private(set) var asking: AskLink?

    init(
        machine: consuming LinkMachine, channel: any Channel, direction: Direction, openedAt: Instant,
        owner: any LinkOwner, networks: BlobValve.Networks
    ) {
        self.machine = machine
        self.channel = channel
        self.direction = direction
        self.openedAt = openedAt
        self.owner = owner
        remoteAddress = channel.remoteAddress
        address = channel.remoteAddress?.ipAddress ?? "?"
        port = channel.remoteAddress?.port ?? 0
        // An IPv4 connection to a socket of both families shows its address inside an IPv6 one.
        let local = channel.localAddress?.ipAddress ?? ""
        localAddress = local.hasPrefix("::ffff:") ? String(local.dropFirst(7)) : local
        valve = BlobValve(channel, address: localAddress, networks: networks)
        valve.opens = { [weak self] in self?.schedulePump() }
    }

    /// Whether the link is open for messages.
    package var isOpen: Bool { machine.isOpen && !isClosed }
    /// Whether the peer's key is not in our roster yet.
    package var isRestricted: Bool { machine.isRestricted }
    /// Whether the peer dialled and has not yet proven a secret.
    package var isStranger: Bool { machine.isStranger }
    /// Whether the socket is being read.
    package var isReading: Bool = true
    /// The padded bytes queued here, without those of files.
    package var queuedBytes: Int { machine.queuedBytes }
    /// The same for files.
    package var queuedBlobBytes: Int { machine.queuedBlobBytes }

    /// Queues a message; it goes out with others of the same turn of the loop.
    package func send(_ message: LinkMessage) {
        guard !isClosed else { return }
        machine.enqueue(message)
        schedulePump()
        checkPressure()
    }

    /// Sends the reason, lets queued messages go out, and closes. For the owner the connection is gone at once; the
    /// socket closes when it has written everything, or after a second.
    package func close(saying reason: ByeReason) {
        guard !isClosed else { return }
        machine.enqueue(.bye(reason))
        isClosed = true
        var fault: LinkFault?
        do { try drain(everything: true) } catch { fault = error }
        valve.forget()
        closeWhenWritten()
        owner?.closed(self, fault)
    }

    /// Lifts the restriction once our roster has the peer's key.
    package func recognise() { machine.recognise() }

    /// Whether the keys have reached their limit and a fresh handshake is due.
    package func isSpent(now: Instant) -> Bool { machine.isSpent(now: now) }

    /// Records that the peer showed on another path that it is alive.
    /// - Parameter quietMax: how long its next sign there may take before it gets a ping here.
    package func recordLifeElsewhere(at now: Instant, quietMax: Duration = Limits.heardQuietMax) {
        machine.recordLifeElsewhere(at: now, quietMax: quietMax)
    }

    /// Sends keep-alives and checks deadlines; call it once a second.
    package func tick(now: Instant) {
        do {
            try machine.tick(now: now)
            schedulePump()
        } catch {
            end(error)
        }
    }

    /// Stops or resumes reading: a store that falls behind makes peers wait instead of using more memory.
    package func setReading(_ reads: Bool) {
        guard reads != isReading, !isClosed else { return }
        isReading = reads
        channel.setOption(.autoRead, value: reads).whenComplete { _ in }
        if reads { channel.read() }
    }

    func receive(_ buffer: ByteBuffer) {
        guard !isClosed, let owner else { return }
        var outputs = [LinkMachine.Output]()
        var fault: LinkFault?
        do {
            try machine.receive(
                buffer.readableBytesView, in: owner.surroundings, guarding: &owner.helloGuard, into: &outputs)
        } catch {
            fault = error
        }
        for output in outputs where !isClosed {
            switch output {
            case .write(let bytes): channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
            case .met(let tour, let key): owner.met(self, tour, key)
            case .opened(let peer):
                self.peer = peer
                owner.opened(self, peer)
            case .openedForAsking(let link):
                asking = link
                owner.openedForAsking(self, link)
            case .message(let message): owner.received(message, on: self)
            }
        }
        if !isClosed { pump() }
        if let fault { end(fault) }
    }

    func start(_ outputs: [LinkMachine.Output]) {
        for case .write(let bytes) in outputs { channel.write(channel.allocator.buffer(bytes: bytes), promise: nil) }
        channel.flush()
    }

    func writabilityChanged() { pump() }

    /// The channel has closed, whichever side closed it.
    func channelClosed() { end(nil) }

    private func schedulePump() {
        guard !isPumpScheduled else { return }
        isPumpScheduled = true
        channel.eventLoop.execute { self.pump() }
    }

    /// Encrypts and writes while the socket accepts it; the rest waits in the machine, by urgency.
    private func pump() {
        isPumpScheduled = false
        guard !isClosed else { return }
        do {
            try drain(everything: false)
            try drainBlobs()
        } catch {
            end(error)
        }
        checkPressure()
    }

    private func drain(everything: Bool) throws(LinkFault) {
        guard machine.queuedBytes > 0 else { return }
        while everything || channel.isWritable {
            guard let bytes = try machineBytes(through: .catchUp, budget: Self.drainBytes) else { break }
            channel.write(channel.allocator.buffer(bytes: bytes), promise: nil)
        }
        channel.flush()
    }

    /// Writes files slice by slice, each when the system has accepted the previous one and has hardly anything left to
    /// send, and no message waits here.
    private func drainBlobs() throws(LinkFault) {
        guard let owner else { return }
        while machine.queuedBlobBytes > 0, machine.queuedBytes == 0, !isBlobUnderWay, channel.isWritable {
            guard valve.acquireTurn(bytes: machine.nextBlobBytes) else { return }
            guard let bytes = try machineBytes(through: .blobs, budget: 1) else { return }
            isBlobUnderWay = true
            let written = channel.eventLoop.makePromise(of: Void.self)
            written.futureResult.whenComplete { _ in
                self.isBlobUnderWay = false
                self.schedulePump()
            }
            channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: written)
        }
        if machine.queuedBlobBytes == 0, !isBlobUnderWay { reportBlobsDrained(to: owner) }
    }

    private func reportBlobsDrained(to owner: any LinkOwner) {
        guard owesBlobsDrained else { return }
        owesBlobsDrained = false
        valve.leave()
        owner.blobsDrained(self)
    }

    private func machineBytes(through last: Lane, budget: Int) throws(LinkFault) -> [UInt8]? {
        guard let owner else { return nil }
        var outputs = [LinkMachine.Output]()
        try machine.drain(through: last, budget: budget, now: owner.surroundings.now, into: &outputs)
        guard case .write(let bytes)? = outputs.first else { return nil }
        return bytes
    }

    private func checkPressure() {
        guard let owner, !isClosed else { return }
        let queued = machine.queuedBytes
        if machine.queuedBlobBytes > 0 { owesBlobsDrained = true }
        // Files do not make a link lag: their sender waits until they are gone.
        if queued + machine.queuedBlobBytes > Limits.linkQueueBytesClose {
            end(.deadPeer)
        } else if !isLagging, queued > Limits.linkQueueBytesMax {
            isLagging = true
            owner.pressureChanged(self, isLagging: true)
        } else if isLagging, queued < Limits.linkQueueBytesMax / 4 {
            isLagging = false
            owner.pressureChanged(self, isLagging: false)
        }
    }

    // A closed channel drops what it has not written: an empty write behind everything shows when that is out.
    private func closeWhenWritten() {
        let channel = channel
        let deadline = channel.eventLoop.scheduleTask(in: .seconds(1)) { () -> Void in
            channel.close(mode: .all, promise: nil)
        }
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in
            deadline.cancel()
            channel.close(mode: .all, promise: nil)
        }
        channel.writeAndFlush(channel.allocator.buffer(capacity: 0), promise: written)
    }

    private func end(_ fault: LinkFault?) {
        guard !isClosed else { return }
        isClosed = true
        valve.forget()
        channel.close(mode: .all, promise: nil)
        owner?.closed(self, fault)
    }

    /// One large slice, or several small ones: encrypted bytes can no longer be overtaken.
    private static let drainBytes = 8 * 1024
}

/// The object that runs the links of a node. All calls come on the connections' event loop.
package protocol LinkOwner: AnyObject, Sendable {
    /// The surroundings of the link machines, with the present time.
    var surroundings: LinkMachine.Surroundings { get }
    /// The node's record of hellos.
    var helloGuard: HelloGuard { get set }
    /// This link key answered our dial. The owner may close the connection; then nothing more is sent.
    func met(_ connection: LinkConnection, _ tour: TourID, _ key: LinkKey)
    /// Handshake and binds are complete.
    func opened(_ connection: LinkConnection, _ peer: LinkPeer)
    /// The handshake of an ask link is complete.
    func openedForAsking(_ connection: LinkConnection, _ link: AskLink)
    /// A message arrived on an open link.
    func received(_ message: LinkMessage, on connection: LinkConnection)
    /// The queue exceeded its bound, or has drained.
    func pressureChanged(_ connection: LinkConnection, isLagging: Bool)
    /// No queued part of a file is left here: the link accepts more.
    func blobsDrained(_ connection: LinkConnection)
    /// Called once for every connection that was accepted or dialled. `fault` is nil for an orderly end.
    func closed(_ connection: LinkConnection, _ fault: LinkFault?)
    /// Whether one more connection from this address may start a handshake.
    func admits(address: String) -> Bool
    /// A connection was accepted.
    func accepted(_ connection: LinkConnection)
}
