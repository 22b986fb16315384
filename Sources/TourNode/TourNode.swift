import Dispatch
import Logging
import NIOCore
import NIOPosix
import TourAPI
import TourCrypto
import TourDiscovery
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

/// The shell: owns the store, the tours' machines and the links, feeds the machines and carries out their outputs.
///
/// Runs on one event loop, which its connections share, so that handling a received frame needs no change of threads.
/// Other threads verify signatures and write the disk.
package actor TourNode {
    /// The settings at the start, without the passphrase.
    package nonisolated let settings: NodeSettings
    /// A random id of this node, kept in the store.
    package nonisolated let nodeID: String
    nonisolated let loop: any EventLoop
    nonisolated let executor: any SerialExecutor
    /// Runs the code that serves this node's clients.
    package nonisolated let clientExecutor: LoopExecutor
    nonisolated let store: TourStore
    /// The seats that this node gives to guests.
    package nonisolated let seats: NodeSeats
    /// The notebook of the node's account.
    package nonisolated let notebook: NodeNotebook
    nonisolated let logger: Logger
    nonisolated let lock: DataDirectory
    nonisolated let writer: StoreWriter
    nonisolated let verifier: SerialWorker
    nonisolated let reader: SerialWorker
    /// Reads and writes files' bytes off the loop: a gigabyte of them delays no message.
    nonisolated let files: SerialWorker
    let discovery: AvahiDiscovery?
    /// When the node started, for its uptime.
    package let startedAt = NodeClock.now

    /// Where the storage key is kept. A key in a plain file opens the data whatever passphrase is given.
    var keyHome: StorageKeyFile.Home
    /// The storage key is being moved to another place.
    var isMovingKey = false
    var name: String
    var sessions: [TourID: TourSession] = [:]
    /// The tour that a request without a tour's name means.
    var chosen: TourID?
    var hellos = HelloGuard()
    /// Spreads timers. Asking the system for each random number would cost two system calls a message.
    var rng = SplitMix64(seed: .random(in: 0 ... .max))
    var nextLink: UInt64 = 1
    /// Every connection that is not closed, and its link once it has one.
    var connections: [ObjectIdentifier: Connected] = [:]
    var listener: (any Channel)?
    var transport: Transport?
    var discoveryState = DiscoveryState.starting
    var dialer = Dialer()
    var addressBook = AddressBook()
    var multicast = MulticastPorts()
    var paths = Paths()
    /// Our networks, and when we last looked them up.
    var networks: [NetworkInterface] = []
    var ticks = Ticks()
    /// When the machine was about to sleep, until it is awake again.
    var restsSince: Instant?
    let joining = Joining()
    let asking = Asking()
    var followers: [FollowerID: Follower] = [:]
    var nextFollower: UInt64 = 1
    var counters: [String: Int] = [:]
    let mailbox = NodeMailbox()
    let ownPosition = OwnPosition()
    let filePolicy: FilePolicy
    var isStopping = false
    var isDialScheduled = false
    var advertised: Advertisement?
    /// The name by which guests' phones find this machine; nil: it lets none in.
    var guestsName: String?
    /// Reports the node's events to an observer, for example a terminal.
    let moments: AsyncStream<NodeMoment>.Continuation?
    /// Reports new messages to the code that notifies the user.
    let arrivals: AsyncStream<Arrival>.Continuation?
    private var discoveryTask: Task<Void, Never>?
    private var ticking: RepeatedTask?
    private var timers: [TourID: (deadline: Instant, task: Scheduled<Void>)] = [:]

    /// When work was last done that is not done at each tick.
    struct Ticks {
        var last: Instant?
        /// When the keys were last looked through.
        var horizonCheck: Instant?
    }

    struct Connected {
        var connection: LinkConnection
        var tour: TourID?
        var link: LinkID?
        /// The address that was dialled, until we know whether dialling it was worth it.
        var target: Dialer.Target?
        /// Why we end the link, if we gave the peer a reason.
        var ending: ByeReason?
        /// What a joiner is still to be sent.
        var owed = OwedMessages()
        /// We have sent this peer our leave by itself.
        var isLeaveTold = false
    }

    // What the parts know of the node.
    var joiningHost: LiveJoiningHost { LiveJoiningHost(node: self) }
    var mailboxHost: LiveMailboxHost { LiveMailboxHost(node: self) }
    var placesHost: LivePlacesHost { LivePlacesHost(node: self) }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the data directory and everything in it; touches no network yet.
    /// - Parameter opened: what was unlocked; nil: the directory that the settings name, with their passphrase.
    /// - Throws: `StoreError`: in use, passphrase needed or wrong, damaged, full disk, read-only; `KeyringError`;
    ///   `NodeError`: a chosen interface is not there.
    package init(
        settings: NodeSettings, opened: OpenedDirectory? = nil, loop: any EventLoop, logger: Logger,
        moments: AsyncStream<NodeMoment>.Continuation? = nil, arrivals: AsyncStream<Arrival>.Continuation? = nil
    ) throws {
        Sodium.start()
        try settings.check(interfaces: NetworkInterface.names())
        self.settings = settings.withoutPassphrase
        self.loop = loop
        self.logger = logger
        self.moments = moments
        self.arrivals = arrivals
        executor = loop.executor
        clientExecutor = LoopExecutor(loop)
        let opened =
            try opened
            ?? settings.withPassphrase {
                try OpenedDirectory(DataDirectory(path: settings.dataDirectory), passphrase: $0)
            }
        lock = opened.directory
        keyHome = opened.home
        store = try opened.store()
        try StoreOrigin.noticeCopy(opened.directory, store, logger)
        seats = NodeSeats(executor: executor)
        notebook = NodeNotebook(store: store, executor: executor, logger: logger)
        writer = StoreWriter(store: store, loop: loop)
        verifier = SerialWorker(label: "tour-chat.verify", loop: loop)
        reader = SerialWorker(label: "tour-chat.read", loop: loop)
        files = SerialWorker(label: "tour-chat.files", loop: loop)
        discovery =
            settings.usesMDNS && !settings.isOffline
            ? AvahiDiscovery(interfaces: settings.interfaces, logger: logger) : nil
        nodeID = try Self.nodeID(store)
        name = try Self.name(store, given: settings.name)
        filePolicy = try Self.filePolicy(store, given: settings.filePolicy)
        var list = [TourSession]()
        for record in try store.tours() { list.append(try StoredTour(record: record, store: store).session()) }
        for session in list { sessions[session.tour] = session }
        chosen = try Self.chosenTour(store, of: list)
        for session in list { session.node = self }
    }

    static let nodeIDSetting = "node-id"

    private static func nodeID(_ store: TourStore) throws -> String {
        if let stored = try store.setting(nodeIDSetting), stored.count == Bytes32.count { return Hex.encode(stored) }
        let fresh = Randomness.bytes(Bytes32.count)
        try store.setSetting(nodeIDSetting, value: fresh)
        return Hex.encode(fresh)
    }

    private static func name(_ store: TourStore, given: String?) throws -> String {
        let stored = try store.setting("name").map { String(decoding: $0, as: UTF8.self) }
        guard let given = given.map(DisplayName.tidy), given != stored else { return stored ?? "" }
        guard DisplayName.isAllowed(given) else { throw NodeError.badName }
        try store.setSetting("name", value: Array(given.utf8))
        return given
    }

    /// Listens, discovers others, and starts the timers. Offline it starts the timers alone.
    /// - Returns: the port where others reach this node; 0 offline.
    /// - Throws: when the port is taken.
    package func start() async throws -> Int {
        FirstUse.prepare()
        await seats.begin(LiveSeatsHost(node: self))
        if !settings.isOffline { FileScratch.clear(in: lock.path) }
        for session in sessions.values {
            feed(session, TourInput.timer)
            announceName(in: session)
            findFiles(of: session)
        }
        ticking = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [weak self] _ in
            self?.assumeIsolated { $0.tick() }
        }
        guard !settings.isOffline else { return 0 }
        networks = NetworkInterface.select(from: NetworkInterface.current(), chosen: settings.interfaces)
        let transport = Transport(loop: loop, owner: self)
        await openPaths()
        listener = try await listen(by: transport)
        self.transport = transport
        for peer in settings.peers { try addressBook.add(peer: peer) }
        for session in sessions.values {
            addressBook.add(remembered: try store.addresses(session.tour), of: session.tour)
        }
        if let discovery {
            discovery.set(discoveryEffort())
            discoveryTask = Task { [weak self] in
                await withDiscardingTaskGroup { tasks in
                    tasks.addTask { await discovery.run() }
                    for await event in discovery.events { await self?.discovered(event) }
                }
            }
        }
        refreshMulticast()
        advertise()
        dial()
        resumeSharing()
        try await openMailbox()
        return port
    }

    /// The port that we listen on; 0 before `start` and offline.
    package var port: Int { listener?.localAddress?.port ?? 0 }

    /// Says goodbye on every link, withdraws the service, and closes the store in order.
    package func stop() async {
        isStopping = true
        await seats.stop()
        ticking?.cancel()
        for session in sessions.values { session.machine.stop() }
        for timer in timers.values { timer.task.cancel() }
        for connected in connections.values { connected.connection.close(saying: .closing) }
        for follower in followers.keys { endFollower(follower) }
        for session in sessions.values {
            session.endKeyWaits()
            session.files.end()
        }
        endJoins()
        ownPosition.stop()
        await closeMailbox()
        closeMulticast()
        closePaths()
        try? await listener?.close().get()
        discovery?.stop()
        await discoveryTask?.value
        for session in sessions.values {
            saveClaims(of: session)
            do { try keepPresence(of: session)(store) } catch { count(error) }
        }
        // Work that the worker threads still hold finishes before the store closes.
        await withCheckedContinuation { done in
            verifier.submit { { self.finishFiles(done) } }
        }
        do { try store.close() } catch { logger.error("closing the store failed", metadata: ["error": "\(error)"]) }
    }

    private nonisolated func finishFiles(_ done: CheckedContinuation<Void, Never>) {
        files.submit { { self.reader.submit { { self.writer.finish { done.resume() } } } } }
    }

    /// Runs long work that needs nothing of the node, off its loop.
    package nonisolated static func besideTheLoop<Value: Sendable>(
        _ work: @Sendable () throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try work() }
    }

    /// Counts a rejected input by its fault's code, for `status`.
    func count(_ fault: any Fault) {
        // The codes are a closed set of our own, so a peer cannot grow the dictionary.
        counters[fault.code, default: 0] += 1
    }

    // Once a second: keep-alives, deadlines, dials, tags.
    private func tick() {
        let now = NodeClock.now
        for connected in connections.values {
            connected.connection.tick(now: now)
            if connected.connection.isSpent(now: now) { end(connected.connection, saying: .rehandshake) }
            let (peer, openedAt) = (connected.connection.peer, connected.connection.openedAt)
            if Joining.isOverdue(peer, openedAt: openedAt, now: now) { connected.connection.close(saying: .closing) }
        }
        for session in sessions.values {
            session.gaps.record(session.gossip.missing, at: now)
            notifyOfNewMembers(of: session, now: now)
            tickStragglers(of: session)
            notifyOfFirstLink(in: session, now: now)
            sendLeave(in: session, now: now)
            keepPresence(of: session, now: now)
        }
        tickSharing()
        for session in sessions.values { session.files.tick() }
        tickEpochs(now: now)
        tickFollowers(now: now)
        writer.tick(now: now)
        tickMailbox(now: now)
        trimLinks()
        tickRest(now: now)
        noticeNetworkChange(now: now)
        advertise()
        joining.askForMembers(joiningHost)
        asking.tick(askingHost)
        seats.assumeIsolated { $0.tick() }
        dial()
    }

    /// Combines several reasons to dial within a moment into one round of dialling.
    func dialSoon(after gatherTime: Duration = .milliseconds(10)) {
        guard !isDialScheduled, !isStopping else { return }
        isDialScheduled = true
        loop.scheduleTask(in: TimeAmount(gatherTime)) { [weak self] () -> Void in
            self?.assumeIsolated { node in
                node.isDialScheduled = false
                node.dial()
            }
        }
    }

    // Sets one timer for each machine, at its next deadline.
    func schedule(_ session: TourSession, at deadline: Instant?) {
        // The timer is that of the tour's present membership.
        guard sessions[session.tour] === session else { return }
        guard let deadline, !isStopping else {
            timers.removeValue(forKey: session.tour)?.task.cancel()
            return
        }
        if let timer = timers[session.tour] {
            if timer.deadline <= deadline { return }
            timer.task.cancel()
        }
        let delay = max(0, (deadline - NodeClock.now).microseconds)
        let tour = session.tour
        let task = loop.scheduleTask(in: .microseconds(delay)) { [weak self] () -> Void in
            self?.assumeIsolated { $0.timerFired(tour) }
        }
        timers[tour] = (deadline, task)
    }

    private func timerFired(_ tour: TourID) {
        timers[tour] = nil
        guard let session = sessions[tour] else { return }
        feed(session, TourInput.timer)
    }
}
