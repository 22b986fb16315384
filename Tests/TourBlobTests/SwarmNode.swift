import TourBlob
import TourModel
import TourWire

/// One node of a network: its machine, and what its shell has and counts.
struct SwarmNode {
    enum Manners {
        case honest
        /// These say that they have everything. One sends false bytes, one false pages, one nothing, and one says that
        /// it will not.
        case liar, forger, staller, refuser

        /// What others get who ask.
        func answers(to ask: BlobMessage.Ask, _ files: [SwarmFile]) -> [BlobMessage] {
            guard let file = files.first(where: { $0.blob == ask.blob }) else { return [] }
            switch self {
            case .honest, .staller: return []
            case .refuser: return [.drop(ask.blob, ask.chunks, refused: true)]
            case .liar, .forger:
                let pages = ask.pages.map { page in
                    let hashes = self == .liar ? file.pages[page] : file.pages[page].reversed()
                    return BlobMessage.page(ask.blob, page: page, hashes: hashes)
                }
                return pages
                    + ask.chunks.map { chunk in
                        var bytes = file.chunk(chunk)
                        bytes[bytes.count - 1] ^= 1
                        return .chunk(.init(blob: ask.blob, chunk: chunk, bytes: bytes))
                    }
            }
        }

        func bend(_ message: BlobMessage, _ files: [SwarmFile]) -> BlobMessage {
            guard self != .honest, case .state(var state) = message else { return message }
            let file = files.first { $0.blob == state.blob }
            state.have = ChunkSet.all(file?.shape.chunkCount ?? 0).bytes
            return .state(state)
        }
    }

    let rate: Double
    let manners: Manners
    private(set) var machine = BlobMachine()
    private var rng: SplitMix64
    var pipes: [LinkID: SwarmPipe] = [:]
    var stored: [BlobID: ChunkSet] = [:]
    var roles: [BlobID: BlobRole] = [:]
    var done: [BlobID: Instant] = [:]
    /// Goes up with each restart.
    private(set) var life = 0
    var timer: Instant?
    var lineFreeAt = Instant(microseconds: 0)
    /// Until when its line brings something.
    var heardAt = Instant(microseconds: 0)
    /// Whose socket was last.
    var turn = LinkID(value: 0)
    var faults: [BlobFault] = []
    var sentChunks = 0
    var sentBytes = 0
    var sentWireBytes = 0
    var sentFrameBytes = 0
    /// Messages sent, by kind.
    private(set) var kinds: [String: Int] = [:]
    /// Chunks that came, and of them those that came before; and which since the last stop.
    private(set) var came = 0
    private(set) var cameAgain = 0
    private(set) var cameAfterStop: [Int] = []
    /// Chunks that others asked for here.
    private(set) var asked = 0
    private(set) var badStores = 0
    private var seen: Set<[Int]> = []

    init(rate: Double, _ manners: Manners, rng: SplitMix64) {
        self.rate = rate
        self.manners = manners
        self.rng = rng
    }

    mutating func handle(_ input: BlobMachine.Input, _ now: Instant) -> [BlobMachine.Output] {
        var outputs = [BlobMachine.Output]()
        machine.handle(input, now: now, using: &rng, into: &outputs)
        return outputs
    }

    mutating func note(_ message: BlobMessage) {
        if case .ask(let ask) = message { asked += ask.chunks.count }
        guard case .chunk(let chunk) = message else { return }
        came += 1
        if life > 0 { cameAfterStop.append(chunk.chunk) }
        if !seen.insert([chunk.blob.hashValue, chunk.chunk]).inserted { cameAgain += 1 }
    }

    mutating func count(_ message: BlobMessage) {
        let kind =
            switch message {
            case .state: "state"
            case .got: "got"
            case .ask: "ask"
            case .page: "page"
            case .chunk: "chunk"
            case .drop(_, _, let refused): refused ? "refused" : "drop"
            }
        kinds[kind, default: 0] += 1
    }

    mutating func keep(_ isRight: Bool) { if !isRight { badStores += 1 } }

    mutating func stop() {
        life += 1
        machine = BlobMachine()
        pipes = [:]
        timer = nil
    }
}
