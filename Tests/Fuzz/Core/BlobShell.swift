import FuzzSupport
import TourBlob
import TourCrypto
import TourModel
import TourWire

/// A file of the fuzzer: few of its chunks are real, the others only have names.
struct FuzzFile {
    let shape: BlobShape
    let pages: [[Bytes32]]
    let pageHashes: [Bytes32]
    let blob: BlobID
    let real: [Int: [UInt8]]

    /// One with some chunks, one of two pages, one of a short chunk, and an empty one.
    static let all = [
        FuzzFile(size: 5 * Limits.blobChunkBytes + 10, real: [4, 5]),
        FuzzFile(size: Limits.blobPageHashesMax * Limits.blobChunkBytes + 1, real: [7, Limits.blobPageHashesMax]),
        FuzzFile(size: 100, real: [0]), FuzzFile(size: 0, real: []),
    ]

    private init(size: Int, real: [Int]) {
        guard let shape = BlobShape(size: UInt64(size)) else { preconditionFailure("a file that is not too long") }
        self.shape = shape
        let chunks = Dictionary(
            uniqueKeysWithValues: real.map { ($0, [UInt8](repeating: UInt8($0 & 0xFF), count: shape.sealedBytes($0))) })
        self.real = chunks
        pages = (0..<shape.pageCount).map { page in
            shape.chunks(ofPage: page).map { chunk in
                chunks[chunk].map { BlobHash.chunk($0) } ?? BlobHash.chunk([UInt8(chunk & 0xFF)])
            }
        }
        pageHashes = pages.map { BlobHash.page($0.flatMap(\.bytes)) }
        blob = BlobID(size: UInt64(size), pageHashes: pageHashes)
    }
}

/// The shell of one swarm machine: does what the machine asks for when the input says so, and holds the machine's
/// promises against what it asks for.
struct BlobShell {
    typealias Input = BlobMachine.Input
    typealias Output = BlobMachine.Output

    private static let waitingMax = 256

    private(set) var machine = BlobMachine()
    private(set) var now = Instant(microseconds: 1_000_000)
    /// Answers of the store that are not given yet.
    private(set) var waiting: [Input] = []
    private var links: [LinkID: Int] = [:]
    var openLinks: Set<LinkID> { Set(links.keys) }
    private var roles: [BlobID: BlobRole] = [:]
    private var stored: [BlobID: Set<Int>] = [:]
    private var storing: [BlobID: Set<Int>] = [:]
    private var rng = SplitMix64(seed: 3)

    mutating func feed(_ input: Input, after pause: Duration = .zero) {
        now = now + pause
        note(input)
        var outputs = [Output]()
        machine.handle(input, now: now, using: &rng, into: &outputs)
        for output in outputs { carryOut(output) }
        check(machine.size.isBounded(links: links.count), "the machine holds too much: \(machine.size)")
        if let due = machine.nextDeadline { check(due > now, "a deadline stays in the past: \(due)") }
    }

    mutating func open(_ file: FuzzFile, _ role: BlobRole, have: Set<Int>, pages: Int) {
        if roles[file.blob] == nil { stored[file.blob] = have }
        var set = ChunkSet(limit: file.shape.chunkCount)
        for chunk in have { set.insert(chunk) }
        let known = (0..<file.shape.pageCount).filter { pages & 1 << $0 != 0 }
        // What has no page counts as missing.
        if roles[file.blob] == nil {
            stored[file.blob] = have.filter { known.contains(file.shape.page(ofChunk: $0)) }
            storing[file.blob] = []
        }
        roles[file.blob] = role
        feed(
            .open(
                BlobOpening(
                    blob: file.blob, shape: file.shape, pageHashes: file.pageHashes,
                    pages: Dictionary(uniqueKeysWithValues: known.map { ($0, file.pages[$0]) }), have: set, role: role,
                    toldFirst: pages.isMultiple(of: 2) ? nil : []))
        )
    }

    /// Answers one of the questions of the machine.
    mutating func answer(_ number: Int, isGood: Bool) {
        guard !waiting.isEmpty else { return }
        let input = waiting.remove(at: number % waiting.count)
        guard case .stored(let blob, let chunk) = input, !isGood else { return feed(input) }
        feed(.storeFailed(blob, chunk: chunk))
    }

    private mutating func note(_ input: Input) {
        switch input {
        case .linkUp(let link, _): if links[link] == nil { links[link] = 0 }
        case .linkDown(let link): links[link] = nil
        case .sent(let link): if links[link] != nil { links[link] = 0 }
        case .close(let blob):
            roles[blob] = nil
            waiting.removeAll { $0.isStoring(blob) }
        case .stored(let blob, let chunk):
            if storing[blob]?.remove(chunk) != nil { stored[blob]?.insert(chunk) }
        case .storeFailed(let blob, let chunk): storing[blob]?.remove(chunk)
        case .unreadable(let link, let blob, let chunk):
            stored[blob]?.remove(chunk)
            if let sending = links[link] { links[link] = max(sending - 1, 0) }
        case .open, .message, .casting, .castLeft, .castOut, .heard, .heardPage, .timer: break
        }
    }

    private mutating func carryOut(_ output: Output) {
        switch output {
        case .send(let link, let message):
            check(links[link] != nil, "something is said on a link that is gone")
            let bytes = LinkMessage.blob(message).encode()
            check(bytes.count <= Limits.linkMessageBytesMax, "a message is larger than messages are")
            check((try? LinkMessage.decode(bytes)) == .blob(message), "a message is out of its bounds: \(message)")
            if message.lane == .blobs { links[link, default: 0] += 1 }
        case .sendChunk(let link, let blob, let chunk, let got):
            check(links[link] != nil && roles[blob] != nil, "a chunk goes nowhere, or of nothing")
            check(stored[blob]?.contains(chunk) == true, "a chunk is sent that is not stored")
            check(got.count <= Limits.blobGotMax, "too much is said with a chunk")
            links[link, default: 0] += 1
            check(links[link] ?? 0 <= BlobLink.sendingMax, "a link is given too much at once")
        case .store(let blob, let chunk, let bytes):
            let file = FuzzFile.all.first { $0.blob == blob }
            check(file?.real[chunk] == bytes, "what is to be stored is false")
            check(roles[blob] == .wanted || roles[blob] == .relay, "what is not wanted is stored")
            check(stored[blob]?.contains(chunk) == false, "what is stored is stored again")
            check(storing[blob, default: []].insert(chunk).inserted, "what is being stored is stored again")
            if waiting.count < Self.waitingMax { waiting.append(.stored(blob, chunk: chunk)) }
        case .storePage(let blob, let page, let hashes):
            check(FuzzFile.all.first { $0.blob == blob }?.pages[page] == hashes, "a page is false")
        case .complete(let blob):
            let count = FuzzFile.all.first { $0.blob == blob }?.shape.chunkCount
            check(roles[blob] == .wanted && stored[blob]?.count == count, "a file is complete that is not")
        case .lookUp(let blob, let link): check(roles[blob] == nil && links[link] != nil, "an open file is looked up")
        case .progress(let blob, let chunks): check(stored[blob]?.count == chunks, "a file is not so far")
        case .misheard(let blob, _): check(roles[blob] != nil, "a chunk of a file that is not open is judged")
        case .idle, .misbehaved: break
        }
    }
}

extension BlobMachine.Input {
    fileprivate func isStoring(_ id: BlobID) -> Bool {
        if case .stored(let blob, _) = self { blob == id } else { false }
    }
}
