import TourBlob
import TourModel
import TourWire

/// Nodes with real machines on links with rates and delays, under a virtual clock. A node's sockets share what its line
/// carries in turn; a store takes a millisecond.
struct SwarmNetwork {
    enum Event {
        case frame(SwarmPipe.Frame, to: Int, LinkID)
        case line(Int)
        case input(Int, BlobMachine.Input, life: Int)
        case timer(Int, life: Int)
        case act(Int)
    }

    static let storeTime: Duration = .milliseconds(1)

    private(set) var now = Instant(microseconds: 1_000_000)
    var nodes: [SwarmNode] = []
    var agenda = SwarmAgenda<Event>()
    private var links: UInt64 = 0
    private var acts: [(inout SwarmNetwork) -> Void] = []
    let files: [SwarmFile]
    private let seed: UInt64
    var rng: SplitMix64

    init(_ files: [SwarmFile], seed: UInt64) {
        self.files = files
        self.seed = seed
        rng = SplitMix64(seed: seed)
    }

    // MARK: What there is

    /// - Parameter megabits: a second, of its line in each direction.
    mutating func add(megabits: Double, _ manners: SwarmNode.Manners = .honest) -> Int {
        nodes.append(
            SwarmNode(rate: megabits * 1_000_000, manners, rng: SplitMix64(seed: seed &* 1_000 &+ UInt64(nodes.count))))
        return nodes.count - 1
    }

    mutating func link(_ left: Int, _ right: Int, megabits: Double? = nil) {
        guard !nodes[left].pipes.values.contains(where: { $0.to == right }) else { return }
        links += 1
        let name = LinkID(value: links)
        let latency = Duration.microseconds(Int64.random(in: 500...1_500, using: &rng))
        let rate = megabits.map { $0 * 1_000_000 }
        nodes[left].pipes[name] = SwarmPipe(to: right, name: name, rate: rate, latency: latency)
        nodes[right].pipes[name] = SwarmPipe(to: left, name: name, rate: rate, latency: latency)
        for node in [left, right] { feed(.linkUp(name, isSlow: megabits != nil), to: node) }
    }

    mutating func open(_ file: SwarmFile, at node: Int, _ role: BlobRole, have: ChunkSet? = nil) {
        let opening = file.opening(role, have: have ?? (role == .origin || role == .held ? nil : file.nothing))
        nodes[node].stored[file.blob] = opening.have
        nodes[node].roles[file.blob] = role
        feed(.open(opening), to: node)
    }

    /// Everybody's link to it is gone, and what it has not stored.
    mutating func stop(_ node: Int) {
        for (name, pipe) in nodes[node].pipes {
            nodes[pipe.to].pipes[name] = nil
            feed(.linkDown(name), to: pipe.to)
        }
        nodes[node].stop()
    }

    /// A node that was stopped comes back with what it had stored.
    mutating func start(_ node: Int, links: [Int]) {
        for file in files {
            guard let role = nodes[node].roles[file.blob], let have = nodes[node].stored[file.blob] else { continue }
            feed(.open(file.opening(role, have: have)), to: node)
        }
        for peer in links { link(node, peer) }
    }

    mutating func at(_ time: Duration, _ act: @escaping (inout SwarmNetwork) -> Void) {
        acts.append(act)
        agenda.plan(.act(acts.count - 1), at: Instant(microseconds: 1_000_000) + time)
    }

    // MARK: What happens

    var seconds: Double { Double(now.microseconds - 1_000_000) / 1e6 }

    /// Plays until the condition holds, looked at after each event, or the time is over.
    /// - Returns: whether it holds.
    @discardableResult
    mutating func run(_ limit: Duration = .seconds(120), until isDone: (SwarmNetwork) -> Bool = { _ in false }) -> Bool
    {
        let end = Instant(microseconds: 1_000_000) + limit
        while !isDone(self) {
            guard let due = agenda.nextAt, due <= end, let (at, event) = agenda.next() else { return false }
            now = at
            switch event {
            case .frame(let frame, let node, let link): arrive(frame, at: node, link)
            case .line(let node): pump(node)
            case .input(let node, let input, let life):
                guard nodes[node].life == life else { continue }
                if case .stored(let blob, let chunk) = input { nodes[node].stored[blob]?.insert(chunk) }
                feed(input, to: node)
            case .timer(let node, let life):
                guard nodes[node].life == life, nodes[node].timer == now else { continue }
                nodes[node].timer = nil
                feed(.timer, to: node)
            case .act(let number): acts[number](&self)
            }
        }
        return true
    }

    private mutating func arrive(_ frame: SwarmPipe.Frame, at node: Int, _ link: LinkID) {
        guard let message = frame.message, nodes[node].pipes[link] != nil else { return }
        nodes[node].note(message)
        if nodes[node].manners != .honest, case .ask(let ask) = message {
            for answer in nodes[node].manners.answers(to: ask, files) { send(answer, from: node, link) }
            return
        }
        feed(.message(link, message), to: node)
    }

    mutating func feed(_ input: BlobMachine.Input, to node: Int) {
        for output in nodes[node].handle(input, now) { carryOut(output, of: node) }
        guard let due = nodes[node].machine.nextDeadline, due != nodes[node].timer else { return }
        nodes[node].timer = due
        agenda.plan(.timer(node, life: nodes[node].life), at: due)
    }

    private mutating func carryOut(_ output: BlobMachine.Output, of node: Int) {
        let life = nodes[node].life
        switch output {
        case .send(let link, let message): send(nodes[node].manners.bend(message, files), from: node, link)
        case .sendChunk(let link, let blob, let chunk, let got):
            guard let file = files.first(where: { $0.blob == blob }) else { return }
            nodes[node].sentChunks += 1
            let bytes = file.chunk(chunk)
            nodes[node].sentBytes += bytes.count
            send(.chunk(.init(blob: blob, chunk: chunk, bytes: bytes, got: got)), from: node, link)
        case .store(let blob, let chunk, let bytes):
            nodes[node].keep(bytes == files.first { $0.blob == blob }?.chunk(chunk))
            agenda.plan(.input(node, .stored(blob, chunk: chunk), life: life), at: now + Self.storeTime)
        case .complete(let blob): nodes[node].done[blob] = now
        case .misbehaved(_, let fault): nodes[node].faults.append(fault)
        case .lookUp, .storePage, .progress, .idle, .misheard: break
        }
    }

    // MARK: Lines

    mutating func send(_ message: BlobMessage, from node: Int, _ link: LinkID) {
        guard nodes[node].pipes[link] != nil else { return }
        nodes[node].count(message)
        nodes[node].pipes[link]?.add(message)
        if message.lane == .blobs, nodes[node].pipes[link]?.hasBulk == false {
            agenda.plan(.input(node, .sent(link), life: nodes[node].life), at: now)
        }
        pump(node)
    }

    /// Gives the line of a node the next frame of its sockets, in turn.
    private mutating func pump(_ node: Int) {
        guard nodes[node].lineFreeAt <= now else { return }
        let ready = nodes[node].pipes.keys.sorted().filter { nodes[node].pipes[$0]?.isEmpty == false }
        let free = ready.filter { nodes[node].pipes[$0].map { $0.freeAt <= now } ?? false }
        guard let link = free.first(where: { $0 > nodes[node].turn }) ?? free.first else {
            // All that have something are slow segments with a frame on them.
            if let due = ready.compactMap({ nodes[node].pipes[$0]?.freeAt }).min() { agenda.plan(.line(node), at: due) }
            return
        }
        nodes[node].turn = link
        guard let before = nodes[node].pipes[link]?.hasBulk, let frame = nodes[node].pipes[link]?.take(),
            let pipe = nodes[node].pipes[link]
        else { return }
        if before, !pipe.hasBulk { agenda.plan(.input(node, .sent(link), life: nodes[node].life), at: now) }
        nodes[node].sentWireBytes += frame.wireBytes
        nodes[node].sentFrameBytes += frame.frameBytes
        let bits = Double(frame.wireBytes * 8)
        let left = now + .microseconds(Int64(bits / nodes[node].rate * 1e6) + 1)
        nodes[node].lineFreeAt = left
        if let rate = pipe.rate {
            let passed = now + .microseconds(Int64(bits / rate * 1e6))
            nodes[node].pipes[link]?.freeAt = passed
            agenda.plan(.frame(frame, to: pipe.to, link), at: max(left, passed) + pipe.latency)
        } else {
            let heard = max(nodes[pipe.to].heardAt, left + pipe.latency)
            nodes[pipe.to].heardAt = heard + .microseconds(Int64(bits / nodes[pipe.to].rate * 1e6))
            agenda.plan(.frame(frame, to: pipe.to, link), at: nodes[pipe.to].heardAt)
        }
        agenda.plan(.line(node), at: left)
    }
}
