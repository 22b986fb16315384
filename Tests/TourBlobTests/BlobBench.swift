import TourBlob
import TourModel
import TourWire

/// One machine by itself, and what it says.
struct BlobBench {
    var machine = BlobMachine()
    private(set) var now = Instant(microseconds: 1_000_000)
    private var rng = SplitMix64(seed: 5)
    let file: SwarmFile
    static let links = (1...4).map { LinkID(value: $0) }

    init(_ file: SwarmFile) { self.file = file }

    mutating func take(_ input: BlobMachine.Input, after pause: Duration = .zero) -> [BlobMachine.Output] {
        now = now + pause
        var outputs = [BlobMachine.Output]()
        machine.handle(input, now: now, using: &rng, into: &outputs)
        return outputs
    }

    /// Time passes, with its timers.
    mutating func pass(_ time: Duration) -> [BlobMachine.Output] {
        let end = now + time
        var outputs = [BlobMachine.Output]()
        while let due = machine.nextDeadline, due <= end { outputs += take(.timer, after: due - now) }
        return outputs + take(.timer, after: end - now)
    }

    mutating func open(_ role: BlobRole, have: ChunkSet? = nil, links: Int = 2, slow: Bool = false) {
        for link in Self.links.prefix(links) { _ = take(.linkUp(link, isSlow: slow)) }
        _ = take(.open(file.opening(role, have: have ?? (role == .wanted || role == .relay ? file.nothing : nil))))
    }

    /// A peer says what it has.
    mutating func state(
        _ link: Int, wants: Int = 0, have: ChunkSet, asks: Bool = false
    ) -> [BlobMachine.Output] {
        hear(link, .state(.init(blob: file.blob, wants: wants, have: have.bytes, asks: asks)))
    }

    mutating func hear(_ link: Int, _ message: BlobMessage) -> [BlobMachine.Output] {
        take(.message(Self.links[link], message))
    }

    mutating func chunk(_ link: Int, _ chunk: Int) -> [BlobMachine.Output] {
        hear(link, .chunk(.init(blob: file.blob, chunk: chunk, bytes: file.chunk(chunk))))
    }

    mutating func page(_ link: Int) -> [BlobMachine.Output] {
        hear(link, .page(file.blob, page: 0, hashes: file.pages[0]))
    }

    func chunks(_ chunks: Int...) -> ChunkSet {
        var set = file.nothing
        for chunk in chunks { set.insert(chunk) }
        return set
    }

    var all: ChunkSet { .all(file.shape.chunkCount) }
}

extension [BlobMachine.Output] {
    /// What goes to a link.
    func said(_ link: Int) -> [BlobMessage] {
        compactMap { if case .send(BlobBench.links[link], let message) = $0 { message } else { nil } }
    }

    func asks(_ link: Int) -> [BlobMessage.Ask] {
        said(link).compactMap { if case .ask(let ask) = $0 { ask } else { nil } }
    }

    func asked(_ link: Int) -> [Int] { asks(link).flatMap(\.chunks) }

    /// Chunks that go to a link.
    func sent(_ link: Int) -> [Int] {
        compactMap { if case .sendChunk(BlobBench.links[link], _, let chunk, _) = $0 { chunk } else { nil } }
    }

    /// Chunks that a link is told of.
    func offered(_ link: Int, of file: ChunkSet) -> [Int] {
        said(link).flatMap { message -> [Int] in
            switch message {
            case .state(let state):
                (ChunkSet(bytes: state.have, limit: file.limit) ?? file).map { $0 }
            case .got(_, let chunks): chunks
            default: []
            }
        }
    }

    var stores: [Int] { compactMap { if case .store(_, let chunk, _) = $0 { chunk } else { nil } } }

    var faults: [BlobFault] { compactMap { if case .misbehaved(_, let fault) = $0 { fault } else { nil } } }

    var misheard: [Int] { compactMap { if case .misheard(_, let chunk) = $0 { chunk } else { nil } } }

    var completes: Int { count { if case .complete = $0 { true } else { false } } }

    var lookUps: Int { count { if case .lookUp = $0 { true } else { false } } }
}
