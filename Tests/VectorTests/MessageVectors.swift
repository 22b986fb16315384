import Testing
import TourCrypto
import TourModel
import TourWire

/// `message.json`.
enum MessageVectors {
    static func message(_ vector: VectorCase) throws -> String? {
        let bytes = try vector.packed("message")
        let decoded: LinkMessage?
        do { decoded = try LinkMessage.decode(bytes) } catch { return error.code }
        let kind = try vector.text("kind")
        guard let message = decoded else {
            #expect(kind == "none", "\(vector.name)")
            return nil
        }
        #expect(try Int(message.lane.rawValue) == vector.count("lane"), "\(vector.name)")
        #expect(try (message.encode() == bytes) == vector.flag("isSame"), "\(vector.name)")
        switch message {
        case .joinRefusal(let refusal):
            #expect(kind == "JoinRefusal")
            #expect(try refusal.rawValue == vector.text("reads"), "\(vector.name)")
        case .prune: #expect(kind == "Prune")
        case .rows(let rows), .synced(let rows), .positions(let rows): try check(rows, of: message, vector)
        case .epochAsk(let epochs):
            #expect(kind == "EpochAsk")
            let named = try vector.byteLists("epochs").map { try #require(Bytes32($0)) }
            #expect(try epochs.map(\.raw) == repeated(named, vector), "\(vector.name)")
        case .epochKeys(let keys):
            #expect(kind == "EpochKeys")
            let said = try vector.cases("epochs").map {
                EpochSecret(epoch: try $0.id("epoch"), key: try $0.bytes32("key"))
            }
            #expect(try keys == repeated(said, vector), "\(vector.name)")
        case .blob(let blob): try check(blob, vector)
        default: throw VectorCase.Missing(field: "a message without vectors of its own")
        }
        return nil
    }

    private static func repeated<Element>(_ list: [Element], _ vector: VectorCase) throws -> [Element] {
        Array(repeatElement(list, count: try vector.count("times")).joined())
    }

    private static func check(_ rows: [ClaimRow], of message: LinkMessage, _ vector: VectorCase) throws {
        let said = try vector.cases("rows").map {
            ClaimRow(row: try $0.bytes("row"), signature: try $0.bytes("signature"), hops: try $0.count("hops"))
        }
        #expect(try rows == repeated(said, vector), "\(vector.name)")
        let kind =
            switch message {
            case .rows: "Rows"
            case .synced: "Synced"
            default: "Positions"
            }
        #expect(try kind == vector.text("kind"), "\(vector.name)")
        guard vector.has("identityKey") else { return }
        let identity: SigningKey = try vector.id("identityKey")
        let (member, tour) = (MemberID(identity: identity), try vector.id("tour") as TourID)
        for row in rows {
            let (named, digest) =
                switch message {
                case .rows:
                    (
                        try FrontierClaim.decode(row.row) { $0 == member.prefix ? member : nil }?.member,
                        Hash.of(.frontier, tour.bytes, member.bytes, row.row).bytes
                    )
                case .synced:
                    (
                        try SyncedClaim.decode(row.row) { $0 == member.prefix ? member : nil }?.member,
                        SyncedRow.digest(row.row, of: member, tour: tour)
                    )
                default:
                    (
                        try PositionClaim.decode(row.row) { $0 == member.prefix ? member : nil }?.member,
                        PositionRow.digest(row.row, of: member, tour: tour)
                    )
                }
            #expect(named == member && identity.verifies(row.signature, of: digest), "\(vector.name)")
        }
    }

    private static func check(_ message: BlobMessage, _ vector: VectorCase) throws {
        #expect(try message.blob == vector.id("blob"), "\(vector.name)")
        let kind = try vector.text("kind")
        switch message {
        case .state(let state):
            #expect(kind == "BlobState")
            #expect(try state.wants == vector.count("reads"), "\(vector.name)")
            #expect(try state.have == vector.packed("have"), "\(vector.name)")
            #expect(try state.asks == vector.flag("asks"), "\(vector.name)")
        case .got(_, let chunks):
            #expect(kind == "BlobGot")
            #expect(try chunks == numbers("chunks", vector), "\(vector.name)")
        case .ask(let ask):
            #expect(kind == "BlobAsk")
            #expect(try ask.pages == numbers("pages", vector), "\(vector.name)")
            #expect(try ask.chunks == numbers("chunks", vector), "\(vector.name)")
            #expect(try ask.got == numbers("got", vector), "\(vector.name)")
        case .page(_, let page, let hashes):
            #expect(kind == "BlobPage")
            #expect(try page == vector.count("page"), "\(vector.name)")
            #expect(try hashes.flatMap(\.bytes) == vector.packed("hashes"), "\(vector.name)")
        case .chunk(let chunk):
            #expect(kind == "BlobChunk")
            #expect(try chunk.chunk == vector.count("chunk"), "\(vector.name)")
            #expect(try chunk.bytes == vector.packed("bytes"), "\(vector.name)")
            #expect(try chunk.got == numbers("got", vector), "\(vector.name)")
        case .drop(_, let chunks, let refused):
            #expect(kind == "BlobDrop")
            #expect(try chunks == numbers("chunks", vector), "\(vector.name)")
            #expect(try refused == vector.flag("refused"), "\(vector.name)")
        }
    }

    private static func numbers(_ field: String, _ vector: VectorCase) throws -> [Int] {
        try vector.numbers(field).map { try #require(Int(exactly: $0)) }
    }
}
