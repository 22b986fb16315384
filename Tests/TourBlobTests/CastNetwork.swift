import TourBlob
import TourCrypto
import TourModel
import TourWire

/// One segment in virtual time: members who cast over a link of 20 Mbit/s, and members who listen and lose datagrams by
/// chance, asks of others among them. Every datagram takes 1 to 3 ms, so that they also overtake each other.
struct CastNetwork {
    struct Listener {
        var machine = CastReceiver()
        let id: MemberID
        /// Of a thousand datagrams, how many are lost.
        var loss: Int
        var have: ChunkSet
        var doneAt: Instant?
        /// Chunks that were left to the links, and came no other way.
        var left: Set<Int> = []
        var ends: [CastEnd] = []
        var joinsAt: Duration = .zero
        var timerAt: Instant?
    }

    struct Caster {
        var machine: CastSender
        let id: MemberID
        /// When its link is free again.
        var freeAt = Instant(microseconds: 0)
        var timerAt: Instant?
        var ends: [CastEnd] = []
        var datagrams = 0
        /// What it changes in every chunk; nil: it says the truth.
        let lie: UInt8?
        let startsAt: Instant
        var isStarted = false
        var isGone = false
    }

    /// What a burst takes: everything between two times, of all who listen.
    var bursts: [Range<Int64>] = []
    var listeners: [Listener]
    var casters: [Caster] = []
    let shape: BlobShape
    let blob: BlobID
    private(set) var now = Instant(microseconds: 0)
    /// On the wire, headers included.
    private(set) var bytes = 0
    private(set) var asks = 0

    let linkBytesPerSecond: Int
    /// Bytes a second that reach anybody: what a network takes that sends to all at its lowest rate. Nil: all.
    var airBytesPerSecond: Int?
    private var airFreeAt = Instant(microseconds: 0)
    static let headerBytes = 42
    private static let epoch = EpochKey(id: EpochID(raw: .zero), key: SecretBytes([UInt8](repeating: 9, count: 32)))

    private enum Event {
        case datagram(listener: Int, [UInt8])
        case ask(listener: Int, CastAsk)
        case asked(caster: Int, CastAsk, from: Int)
        case sent(caster: Int)
        case listenerTimer(Int)
        case casterTimer(Int)
        case join(Int)
        case leave(Int)
    }

    private var events: [Int64: [Event]] = [:]
    private var times = Heap()
    private var rng: SplitMix64
    private let content: [UInt8]

    init(bytes: UInt64, listeners count: Int, lossPerMille: Int, seed: UInt64, linkBytesPerSecond: Int = 2_500_000) {
        self.linkBytesPerSecond = linkBytesPerSecond
        guard let shape = BlobShape(size: bytes) else { preconditionFailure("a file that is not too long") }
        self.shape = shape
        var random = SplitMix64(seed: seed)
        rng = random
        content = (0..<Int(shape.sealedSize)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        blob = BlobID(raw: Bytes32((0..<32).map { UInt8(truncatingIfNeeded: $0 &+ Int(seed)) }) ?? .zero)
        listeners = (0..<count).map {
            Listener(id: Self.member(100 + $0), loss: lossPerMille, have: ChunkSet(limit: shape.chunkCount))
        }
    }

    static func member(_ number: Int) -> MemberID {
        MemberID(raw: Bytes32([UInt8](repeating: UInt8(number), count: 32)) ?? .zero)
    }

    /// A member who has the blob and casts it.
    mutating func cast(by number: Int = 1, at time: Duration = .zero, lie: UInt8? = nil, leavesAt: Duration? = nil) {
        let start = Instant(microseconds: time.microseconds)
        var caster = Caster(machine: CastSender(), id: Self.member(number), lie: lie, startsAt: start)
        caster.timerAt = start
        casters.append(caster)
        at(start, .casterTimer(casters.count - 1))
        if let leavesAt { at(Instant(microseconds: leavesAt.microseconds), .leave(casters.count - 1)) }
    }

    /// An ask as somebody who holds the epoch's key can make it up, of the first who casts.
    mutating func forge(_ needs: [CastAsk.Need], at time: Duration) {
        guard let epoch = Self.epoch else { return }
        let ask = CastAsk(tag: CastSeal.tag(epoch: epoch, blob: blob, caster: casters[0].id), needs: needs)
        let time = Instant(microseconds: time.microseconds)
        at(time, .asked(caster: 0, ask, from: 99))
        for listener in listeners.indices { at(time, .ask(listener: listener, ask)) }
    }

    /// Until nothing happens any more.
    mutating func run() {
        for index in listeners.indices {
            at(Instant(microseconds: listeners[index].joinsAt.microseconds), .join(index))
        }
        while let time = times.pop() {
            now = Instant(microseconds: time)
            for event in events.removeValue(forKey: time) ?? [] { happen(event) }
        }
    }

    /// The time of one copy over the link.
    var copy: Duration { .microseconds(Int64(shape.size) * 1_000_000 / Int64(linkBytesPerSecond)) }

    /// When the last of those who finished did, in copies.
    var copies: Double {
        let last = listeners.compactMap(\.doneAt).max() ?? Instant(microseconds: .max)
        return Double(last.microseconds) / Double(copy.microseconds)
    }

    /// Bytes on the wire for one of the blob.
    var share: Double { Double(bytes) / Double(shape.size) }

    // MARK: What happens

    private mutating func at(_ time: Instant, _ event: Event) {
        precondition(time >= now, "nothing is due before it was said")
        if events[time.microseconds] == nil { times.push(time.microseconds) }
        events[time.microseconds, default: []].append(event)
    }

    private mutating func happen(_ event: Event) {
        switch event {
        case .datagram(let listener, let bytes): feed(listener, .datagrams([bytes]))
        case .ask(let listener, let ask): feed(listener, .ask(ask))
        case .asked(let caster, let ask, let asker): feed(caster: caster, .ask(ask, from: UInt64(asker)))
        case .sent(let caster): feed(caster: caster, .sent)
        case .listenerTimer(let listener):
            guard listeners[listener].timerAt == now else { return }
            listeners[listener].timerAt = nil
            feed(listener, .timer)
        case .casterTimer(let caster):
            guard casters[caster].timerAt == now else { return }
            casters[caster].timerAt = nil
            start(caster)
            feed(caster: caster, .timer)
        case .join(let listener): join(listener)
        case .leave(let caster): casters[caster].isGone = true
        }
    }

    private mutating func start(_ caster: Int) {
        guard let epoch = Self.epoch, casters[caster].startsAt <= now, !casters[caster].isStarted else { return }
        casters[caster].isStarted = true
        feed(
            caster: caster,
            .start(.init(blob: blob, shape: shape, epoch: epoch, caster: casters[caster].id, wanting: listeners.count)))
    }

    private mutating func join(_ listener: Int) {
        guard let epoch = Self.epoch else { return }
        feed(listener, .keys([epoch], casters: casters.map(\.id)))
        feed(
            listener,
            .want(blob, shape, have: listeners[listener].have, pages: Set(0..<shape.pageCount)))
    }

    private mutating func feed(caster index: Int, _ input: CastSender.Input) {
        guard !casters[index].isGone else { return }
        var outputs: [CastSender.Output] = []
        casters[index].machine.handle(input, now: now, into: &outputs)
        for output in outputs {
            switch output {
            case .needChunk(let blob, let chunk):
                feed(caster: index, .chunk(blob, chunk, sealed(chunk, casters[index].lie)))
            case .send(let batch): send(batch, index)
            case .ended(_, let end): casters[index].ends.append(end)
            }
        }
        if let due = casters[index].machine.nextDeadline, due != casters[index].timerAt {
            casters[index].timerAt = due
            at(due, .casterTimer(index))
        }
    }

    private func sealed(_ chunk: Int, _ lie: UInt8? = nil) -> [UInt8] {
        let start = Int(shape.sealedOffset(chunk))
        var bytes = Array(content[start..<start + shape.sealedBytes(chunk)])
        if let lie { bytes[0] ^= lie }
        return bytes
    }

    private mutating func send(_ batch: [[UInt8]], _ caster: Int) {
        var free = max(casters[caster].freeAt, now)
        for datagram in batch {
            let size = datagram.count + Self.headerBytes
            bytes += size
            casters[caster].datagrams += 1
            free = free + .microseconds(Int64(size) * 1_000_000 / Int64(linkBytesPerSecond))
            if passesAir(size, free) {
                for listener in listeners.indices where arrives(listener, free) {
                    at(free + latency, .datagram(listener: listener, datagram))
                }
            }
            hear(datagram, from: caster)
        }
        casters[caster].freeAt = free
        at(free, .sent(caster: caster))
    }

    /// Whether there is room behind the link: a queue of 32 KiB, where a rate is given.
    private mutating func passesAir(_ size: Int, _ time: Instant) -> Bool {
        guard let rate = airBytesPerSecond else { return true }
        let free = max(airFreeAt, time) + .microseconds(Int64(size) * 1_000_000 / Int64(rate))
        guard (free - time).microseconds * Int64(rate) / 1_000_000 < 32 * 1024 else { return false }
        airFreeAt = free
        return true
    }

    /// Members who cast the same hear each other.
    private mutating func hear(_ datagram: [UInt8], from caster: Int) {
        for other in casters.indices where other != caster && casters[other].machine.casts(blob) {
            feed(caster: other, .otherCast(blob, casters[caster].id, block: Int(datagram[9]) << 8 | Int(datagram[10])))
        }
    }

    private var latency: Duration {
        mutating get { .microseconds(.random(in: 1_000...3_000, using: &rng)) }
    }

    private mutating func arrives(_ listener: Int, _ time: Instant) -> Bool {
        guard !bursts.contains(where: { $0.contains(time.microseconds) }) else { return false }
        return Int.random(in: 0..<1_000, using: &rng) >= listeners[listener].loss
    }

    private mutating func feed(_ index: Int, _ input: CastReceiver.Input) {
        var outputs: [CastReceiver.Output] = []
        listeners[index].machine.handle(input, now: now, using: &rng, into: &outputs)
        for output in outputs {
            switch output {
            case .chunk(_, let chunk, let bytes): take(chunk, bytes, index)
            case .ask(let ask, _): say(ask, index)
            case .left(_, let chunks): listeners[index].left.formUnion(chunks)
            case .ended(_, let end): listeners[index].ends.append(end)
            case .began, .otherCast: break
            }
        }
        if let due = listeners[index].machine.nextDeadline, due != listeners[index].timerAt {
            listeners[index].timerAt = due
            at(due, .listenerTimer(index))
        }
    }

    private mutating func take(_ chunk: Int, _ bytes: [UInt8], _ index: Int) {
        guard bytes == sealed(chunk) else { return feed(index, .wrong(blob, chunk)) }
        listeners[index].have.insert(chunk)
        listeners[index].left.remove(chunk)
        if listeners[index].have.isFull { listeners[index].doneAt = now }
        feed(index, .have(blob, chunk))
    }

    private mutating func say(_ ask: CastAsk, _ index: Int) {
        var datagram = Datagram(sender: listeners[index].id.prefix, counter: 1_000)
        datagram.castAsks = [ask]
        guard let plaintext = datagram.encode() else { preconditionFailure("an ask fits a datagram") }
        asks += 1
        bytes += plaintext.count + 41 + Self.headerBytes
        for other in listeners.indices where other != index && arrives(other, now) {
            at(now + latency, .ask(listener: other, ask))
        }
        // Who casts loses as many as who asks.
        for caster in casters.indices where arrives(index, now) {
            at(now + latency, .asked(caster: caster, ask, from: index))
        }
    }
}

/// The earliest of many times.
private struct Heap {
    private var times: [Int64] = []

    mutating func push(_ time: Int64) {
        times.append(time)
        var child = times.count - 1
        while child > 0, times[child] < times[(child - 1) / 2] {
            times.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> Int64? {
        guard let first = times.first else { return nil }
        let last = times.removeLast()
        guard !times.isEmpty else { return first }
        times[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < times.count else { return first }
            let right = left + 1
            let child = right < times.count && times[right] < times[left] ? right : left
            guard times[child] < times[parent] else { return first }
            times.swapAt(child, parent)
            parent = child
        }
    }
}
