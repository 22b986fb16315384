import FuzzSupport
import TourCrypto
import TourMailbox
import TourModel
import TourNotebook
import TourWire

/// Somebody is logged in, until the server says otherwise.
actor KeptTokens: TokenStore {
    private var kept: AccountTokens?

    init(_ base: String) {
        kept = AccountTokens(access: "a", refresh: "r", account: "ada@example.org", base: base)
    }

    func tokens() async -> AccountTokens? { kept }

    func keep(_ tokens: AccountTokens?) async { kept = tokens ?? kept }
}

/// A node that has some of each log, and takes what continues it.
actor FuzzSyncPeer: SyncPeer {
    private var held: [MemberID: UInt64] = Dictionary(
        Writer.all.enumerated().map { ($1.id, UInt64($0 * 5)) }, uniquingKeysWith: max)

    func heads() async -> [MemberID: UInt64] { held }

    func behind(_ heads: [MemberID: UInt64]) async -> [MemberID: UInt64] {
        heads.reduce(into: [:]) { lacking, head in
            if let mine = held[head.key], mine < head.value { lacking[head.key] = mine }
        }
    }

    func events(of author: MemberID, from first: UInt64, through last: UInt64, bytesMax: Int) async -> [Event] {
        guard let log = Writer.all.first(where: { $0.id == author })?.branches[0] else { return [] }
        return log.filter { ($0.header.sequence >= first) && $0.header.sequence <= last }
    }

    func controls(behind heads: [MemberID: UInt64]) async -> [Event] {
        Writer.all[0].branches[0].filter { $0.header.eventClass == .control }
    }

    func introduction() async -> Introduction {
        Introduction(genesis: FuzzTour.genesis, controls: [], leads: true)
    }

    func hasArchive() async -> Bool { true }

    func keys(_ epochs: [EpochID], forArchive archive: MemberID) async -> [WrappedEpoch] {
        epochs.map { WrappedEpoch(epoch: $0, wrapped: [UInt8](repeating: 0, count: 80)) }
    }

    func receive(controls: [[UInt8]]) async { for bytes in controls { _ = try? RawEvent(decoding: bytes) } }

    func receive(runs: [Run]) async {
        for run in runs where !run.events.isEmpty {
            guard let writer = Writer.all.first(where: { $0.id == run.author }), let mine = held[run.author],
                run.first == mine + 1, (try? VerifiedRun(run, tour: FuzzTour.tour, identity: writer.identity)) != nil
            else { continue }
            held[run.author] = run.last
        }
    }

    func record(heads: [MemberID: UInt64], at time: ServerTime) async {
        _ = Timestamp.text(milliseconds: time.milliseconds)
        check(time.milliseconds >= 0, "a time before 1970")
    }

    func record(progress: SyncProgress) async {
        check((0...100).contains(progress.percent), "\(progress.percent) of 100")
    }
}

/// A notebook of a few places, some of them edited.
actor FuzzNotebookPeer: NotebookPeer {
    private var cursor: String?
    private var items: [NotebookID: LocalItem] = [:]
    private var hasUploaded = false

    init() {
        for number in 0..<4 {
            let content = NotebookContent.place(SavedPlace(title: "Place \(number)", url: "geo:1,\(number)"))
            items[Self.id(number)] = LocalItem(new: content, id: Self.id(number), now: FuzzTour.wall / 1_000)
        }
    }

    static func id(_ number: Int) -> NotebookID { NotebookID(high: 1, low: UInt64(number)) }

    func claim(for account: NotebookID) async -> Bool? { true }

    func exchange(after position: Int64, limit: Int) async -> (exchange: DeltaExchange, position: Int64)? {
        var exchange = DeltaExchange(cursor: cursor, device: "fuzz", account: "ada", limit: limit)
        for item in items.values.filter(\.isPending).sorted(by: { $0.id < $1.id }) {
            guard exchange.add(item, size: 300) else { break }
            items[item.id]?.sent = max(item.sent, item.version)
        }
        return (exchange, position + 1)
    }

    func receive(_ answer: DeltaAnswer, to exchange: DeltaExchange) async -> Bool {
        let reading = DeltaReading(answer)
        for sent in exchange.request.items {
            items[sent.item.id]?.settle(
                reading.outcome(of: sent.item.id), sent: sent.item.content, version: sent.item.version)
        }
        for item in answer.updated where !exchange.sent.contains(item.id) {
            if items[item.id] == nil { items[item.id] = LocalItem(item) } else { items[item.id]?.apply(item) }
        }
        for id in answer.deleted where !exchange.sent.contains(id) { items[id]?.applyDeletion() }
        for id in items.keys {
            check(items[id]?.version ?? 1 > 0, "a version that is none")
            items[id]?.edit(.place(SavedPlace(title: "Edited", url: "geo:2,2")), now: FuzzTour.wall / 1_000)
        }
        cursor = answer.serverTime
        return true
    }

    func upload(after position: Int64) async -> FileUpload? {
        guard !hasUploaded, let item = items[Self.id(0)]?.item else { return nil }
        hasUploaded = true
        return FileUpload(
            position: position + 1, item: item, id: Self.id(9), isPicture: true, name: "a.jpg", media: "image/jpeg",
            length: 4,
            parts: 1)
    }

    func part(of upload: FileUpload, _ number: Int) async -> [UInt8]? { number == 0 ? [1, 2, 3, 4] : nil }

    func settle(_ upload: FileUpload, as item: NotebookItem) async {
        items[item.id]?.settle(upload: item, sent: upload.item.content, version: upload.item.version)
        _ = upload.file(in: item)
    }

    func refuse(_ upload: FileUpload, _ words: String) async {}
}
