import Logging
import NIOCore
import Synchronization
import TourModel
import TourNode
import TourPresentation
import TourWords

/// Holds the running node: it can be locked, unlocked and wiped while its clients go on sending requests.
final class NodeSlot: Sendable {
    private enum State: Sendable {
        case open(TourNode)
        /// Between two of the other states.
        case changing
        case locked(LockedDirectory)
        case wiped
    }

    let settings: NodeSettings
    /// By which guests are let in by https as well; nil: by http alone.
    let certificate: GuestCertificate?
    /// Runs the code that serves this node's clients.
    let clientExecutor: LoopExecutor
    private let loop: any EventLoop
    private let logger: Logger
    private let state: Mutex<State>
    /// Ends when nothing is left to serve.
    let life: AsyncStream<Void>
    private let lifeEnd: AsyncStream<Void>.Continuation
    /// The node's events other than messages; ends with `endMoments`.
    let moments: AsyncStream<NodeMoment>
    private let momentSource: AsyncStream<NodeMoment>.Continuation
    /// Yielded to whenever another node runs, or none.
    private let turnover = Mutex<AsyncStream<Void>.Continuation?>(nil)
    /// Reports new messages to the code that notifies the user.
    private let arrivals: AsyncStream<Arrival>.Continuation?
    /// How many events are kept for a slow or missing reader.
    private static let momentsMax = 64

    /// Opens the data directory; does not listen yet.
    init(
        settings: NodeSettings, loop: any EventLoop, logger: Logger,
        arrivals: AsyncStream<Arrival>.Continuation? = nil, certificate: GuestCertificate? = nil
    ) throws {
        self.certificate = certificate
        self.arrivals = arrivals
        (moments, momentSource) = AsyncStream.makeStream(
            of: NodeMoment.self, bufferingPolicy: .bufferingNewest(Self.momentsMax))
        let node = try TourNode(
            settings: settings, loop: loop, logger: logger, moments: momentSource, arrivals: arrivals)
        // The passphrase has served its purpose.
        self.settings = settings.withoutPassphrase
        clientExecutor = node.clientExecutor
        self.loop = loop
        self.logger = logger
        state = Mutex(.open(node))
        (life, lifeEnd) = AsyncStream.makeStream(of: Void.self)
    }

    /// - Throws: `WebError` while no node runs.
    var node: TourNode {
        get throws {
            switch state.withLock({ $0 }) {
            case .open(let node): return node
            case .changing:
                throw WebError("busy", Phrase("The node is being locked or unlocked; try again in a moment."))
            case .locked:
                throw WebError("locked", Phrase("This node is locked: its key is not in memory."), advice: .unlock)
            case .wiped: throw WebError("wiped", Phrase("Everything here was destroyed."))
            }
        }
    }

    /// From here on this is yielded to whenever another node runs, or none.
    func reportTurnover(to turnover: AsyncStream<Void>.Continuation) { self.turnover.withLock { $0 = turnover } }

    private func turnOver() { turnover.withLock { _ = $0?.yield() } }

    /// Completes every request that waits at the node: it is about to stop.
    func endWaiting() async {
        guard let node = try? node else { return }
        await node.endFollowers()
        await node.endJoins()
    }

    /// Says goodbye on every link, and closes the store in order.
    func stop() async {
        guard let node = try? node else { return }
        await node.stop()
    }

    /// Stops the node and drops its keys. We keep the directory's lock.
    /// - Throws: `WebError` when nothing would protect the key.
    func lock() async throws {
        let node = try node
        try await node.checkLockable()
        guard beginChange(of: node) else {
            throw WebError("busy", Phrase("Another change is under way; try again in a moment."))
        }
        let locked = node.locked
        await end(node)
        state.withLock { $0 = .locked(locked) }
        logger.notice("locked")
        momentSource.yield(.locked)
    }

    /// Starts a new node with the key that the passphrase opens.
    func unlock(passphrase: [UInt8]?) async throws {
        let locked = try state.withLock { state throws(WebError) -> LockedDirectory in
            guard case .locked(let locked) = state else {
                throw WebError("not-locked", Phrase("This node is not locked."))
            }
            state = .changing
            return locked
        }
        do {
            let opened = try await TourNode.besideTheLoop { try locked.open(passphrase: passphrase) }
            let node = try TourNode(
                settings: settings, opened: opened, loop: loop, logger: logger, moments: momentSource,
                arrivals: arrivals)
            do {
                _ = try await node.start()
            } catch {
                await node.stop()
                throw error
            }
            state.withLock { $0 = .open(node) }
            turnOver()
            logger.notice("unlocked")
            momentSource.yield(.unlocked)
        } catch {
            state.withLock { $0 = .locked(locked) }
            throw error
        }
    }

    /// Destroys the key, then everything else, then ends.
    func wipe() async throws {
        let before = state.withLock { state in
            defer { state = .changing }
            return state
        }
        turnOver()
        switch before {
        case .open(let node):
            let locked = node.locked
            try keeping(before) { try locked.destroyKey() }
            await end(node)
            try finish(locked)
        case .locked(let locked):
            try keeping(before) { try locked.destroyKey() }
            try finish(locked)
        case .changing: throw WebError("busy", Phrase("Another change is under way; try again in a moment."))
        case .wiped: try keeping(before) { throw WebError("wiped", Phrase("Everything here was destroyed.")) }
        }
    }

    /// A failure restores the previous state.
    private func keeping(_ before: State, _ work: () throws -> Void) throws {
        do {
            try work()
        } catch {
            state.withLock { $0 = before }
            turnOver()
            throw error
        }
    }

    private func finish(_ locked: LockedDirectory) throws {
        defer {
            state.withLock { $0 = .wiped }
            lifeEnd.finish()
        }
        try locked.removeFiles()
        logger.notice("wiped")
        momentSource.yield(.wiped)
    }

    /// Ends the stream of events.
    func endMoments() { momentSource.finish() }

    private func beginChange(of node: TourNode) -> Bool {
        let begins = state.withLock { state in
            guard case .open(let current) = state, current === node else { return false }
            state = .changing
            return true
        }
        if begins { turnOver() }
        return begins
    }

    private func end(_ node: TourNode) async {
        await node.endFollowers()
        await node.endJoins()
        await node.stop()
    }
}
