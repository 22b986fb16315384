import Testing
import TourModel
import TourWire

/// Goal: every message comes back as it was, within its bounds, in its lane; what is out of bounds is refused.
/// Method: a sample of each kind; values just inside and just outside of each bound.
struct LinkMessageTests {
    private func isRefused(_ message: LinkMessage) -> Bool {
        do {
            _ = try LinkMessage.decode(message.encode())
            return false
        } catch { return error == .messageMalformed }
    }

    @Test(arguments: Samples.messages) func comesBack(message: LinkMessage) throws {
        #expect(try LinkMessage.decode(message.encode()) == message)
    }

    @Test func unknownKindsArePassedOver() throws {
        #expect(try LinkMessage.decode([]) == nil)
        // Field 30, length 0: a kind of a later version.
        #expect(try LinkMessage.decode([0xF2, 0x01, 0x00]) == nil)
        #expect(try LinkMessage.decode(LinkMessage.ping.encode() + [0xF2, 0x01, 0x00]) == .ping)
    }

    @Test func unknownCodesHaveAMeaning() throws {
        // JoinRefusal and Bye with the code "xy".
        #expect(try LinkMessage.decode([0x22, 4, 0x0A, 2, 0x78, 0x79]) == .joinRefusal(.invalid))
        #expect(try LinkMessage.decode([0x7A, 4, 0x0A, 2, 0x78, 0x79]) == .bye(.closing))
    }

    @Test func lanes() {
        let chat = Samples.event(.chat, epoch: 1)
        let urgent = Samples.event(.announcement, epoch: 1)
        let control = Samples.event(.control, epoch: 0)
        #expect(LinkMessage.run(Samples.run([chat], pushed: true)).lane == .chat)
        #expect(LinkMessage.run(Samples.run([chat, urgent], pushed: true)).lane == .urgent)
        #expect(LinkMessage.run(Samples.run([chat, control], pushed: true)).lane == .urgent)
        #expect(LinkMessage.run(Samples.run([urgent], pushed: false)).lane == .catchUp)
        #expect(LinkMessage.served(id: 1, truncated: false).lane == .catchUp)
        #expect(LinkMessage.want(Samples.want).lane == .chat)
        #expect(LinkMessage.have(Have()).lane == .receipts)
        #expect(LinkMessage.rows([]).lane == .receipts)
        for message in [LinkMessage.ping, .pong, .prune, .control([]), .controlIndex([]), .bye(.left)] {
            #expect(message.lane == .urgent)
        }
    }

    @Test func epochsAreBounded() {
        let epoch: EpochID = Samples.id(1)
        #expect(!isRefused(.epochAsk(Array(repeating: epoch, count: Limits.epochsAskedMax))))
        #expect(isRefused(.epochAsk(Array(repeating: epoch, count: Limits.epochsAskedMax + 1))))
        let secret = EpochSecret(epoch: epoch, key: Samples.bytes32(2))
        for message in [LinkMessage.epochKeys, LinkMessage.welcome] {
            #expect(!isRefused(message(Array(repeating: secret, count: Limits.epochKeysMax))))
            #expect(isRefused(message(Array(repeating: secret, count: Limits.epochKeysMax + 1))))
        }
        // Fields 40 and 41, each with an id of 31 bytes.
        let short = [UInt8](repeating: 1, count: 31)
        #expect(throws: WireError.messageMalformed) { try LinkMessage.decode([0xC2, 0x02, 33, 0x0A, 31] + short) }
        #expect(throws: WireError.messageMalformed) {
            try LinkMessage.decode([0xCA, 0x02, 35, 0x0A, 33, 0x0A, 31] + short)
        }
        #expect(LinkMessage.epochAsk([]).lane == .urgent && LinkMessage.epochKeys([]).lane == .urgent)
    }

    @Test func listsOfHeadsAreBounded() {
        let heads = Array(repeating: Samples.heads[0], count: Limits.headsPerMessageMax)
        #expect(!isRefused(.have(Have(heads: heads))))
        #expect(isRefused(.have(Have(heads: heads + [Samples.heads[1]]))))
        // Have with an author and no sequence; with both, and no tag; with a tag of seven bytes.
        let author: [UInt8] = [0x0A, 8, 1, 2, 3, 4, 5, 6, 7, 8]
        for rest in [[], [0x12, 1, 1], [0x12, 1, 1, 0x1A, 7, 1, 2, 3, 4, 5, 6, 7]] as [[UInt8]] {
            #expect(throws: WireError.messageMalformed) {
                try LinkMessage.decode([0x2A, UInt8(author.count + rest.count)] + author + rest)
            }
        }
    }

    @Test func rangesAreBounded() {
        func want(_ ranges: [Want.Range]) -> LinkMessage { .want(Want(id: 1, ranges: ranges, graft: false)) }
        let range = Want.Range(author: Samples.id(1), first: 1, last: 2)
        #expect(!isRefused(want(Array(repeating: range, count: Limits.pullRangesMax))))
        #expect(isRefused(want(Array(repeating: range, count: Limits.pullRangesMax + 1))))
        #expect(isRefused(want([Want.Range(author: Samples.id(1), first: 0, last: 2)])))
        #expect(isRefused(want([Want.Range(author: Samples.id(1), first: 3, last: 2)])))
    }

    @Test func runsAreBounded() {
        let event = Samples.event(.chat, epoch: 1, body: 0)
        #expect(!isRefused(.run(Samples.run(Array(repeating: event, count: Limits.runEventsMax)))))
        #expect(isRefused(.run(Samples.run(Array(repeating: event, count: Limits.runEventsMax + 1)))))
        #expect(isRefused(.run(Samples.run([]))))
        #expect(isRefused(.run(Samples.run([event], first: 0))))
        #expect(!isRefused(.run(Samples.run([event], first: .max - 256))))
        #expect(isRefused(.run(Samples.run([event], first: .max - 255))))
        let sealed = Limits.sealedBodyBytesMax
        #expect(!isRefused(.run(Samples.run([Samples.event(.chat, epoch: 1, body: sealed)]))))
        #expect(isRefused(.run(Samples.run([Samples.event(.chat, epoch: 1, body: sealed + 1)]))))
        let control = Limits.controlBodyBytesMax
        #expect(isRefused(.run(Samples.run([Samples.event(.control, epoch: 0, body: control + 1)]))))
        var short = event
        short.signature = event.signature.dropLast()
        #expect(isRefused(.run(Samples.run([short]))))
    }

    @Test func hopsAreClamped() throws {
        let run = Samples.run([Samples.event(.chat, epoch: 1)], hops: 4_000_000)
        guard case .run(let read)? = try LinkMessage.decode(LinkMessage.run(run).encode()) else {
            Issue.record("no run")
            return
        }
        #expect(read.hops == Limits.hopsMax + 1)
        let row = ClaimRow(row: [], signature: Samples.signature, hops: 4_000_000)
        #expect(
            try LinkMessage.decode(LinkMessage.rows([row]).encode())
                == .rows([ClaimRow(row: [], signature: Samples.signature, hops: Limits.hopsMax + 1)]))
    }

    @Test func epochsOfAWelcomeAreBounded() {
        let epoch = EpochSecret(epoch: Samples.id(1), key: Samples.bytes32(2))
        #expect(!isRefused(.welcome(Array(repeating: epoch, count: 1_000))))
        #expect(isRefused(.welcome(Array(repeating: epoch, count: 1_001))))
    }

    @Test func wordsOnFilesAreBounded() {
        let blob: BlobID = Samples.id(1)
        func state(_ bytes: Int) -> BlobMessage {
            .state(.init(blob: blob, wants: 1, have: [UInt8](repeating: 1, count: bytes), asks: false))
        }
        func chunk(_ bytes: Int, got: [Int] = []) -> BlobMessage {
            .chunk(.init(blob: blob, chunk: 0, bytes: [UInt8](repeating: 1, count: bytes), got: got))
        }
        func page(_ hashes: Int) -> BlobMessage {
            .page(blob, page: 0, hashes: Array(repeating: .zero, count: hashes))
        }
        let numbers = Array(0..<Limits.blobGotMax)
        let (asked, pages) = (Array(0..<Limits.blobAskedMax), Array(0..<Limits.blobPagesMax))
        let most = Limits.blobChunkBytes + Limits.blobTagBytes
        let good: [BlobMessage] = [
            state(2_048), .got(blob, numbers), .ask(.init(blob: blob, pages: pages, chunks: asked, got: numbers)),
            page(Limits.blobPageHashesMax), chunk(most, got: numbers), .drop(blob, asked, refused: true),
        ]
        let bad: [BlobMessage] = [
            state(2_049), .got(blob, numbers + [1]), .got(blob, [Limits.blobChunksMax]),
            .ask(.init(blob: blob, chunks: asked + [1])), .ask(.init(blob: blob, pages: pages + [0])),
            .ask(.init(blob: blob, pages: [Limits.blobPagesMax])), .ask(.init(blob: blob, got: numbers + [1])),
            page(0), page(Limits.blobPageHashesMax + 1), .page(blob, page: Limits.blobPagesMax, hashes: [.zero]),
            chunk(Limits.blobTagBytes), chunk(most + 1), chunk(most, got: numbers + [1]),
            .chunk(.init(blob: blob, chunk: Limits.blobChunksMax, bytes: [UInt8](repeating: 1, count: 17))),
            .drop(blob, asked + [1], refused: true),
        ]
        for message in good { #expect(!isRefused(.blob(message))) }
        for message in bad { #expect(isRefused(.blob(message))) }
        #expect(good.map { LinkMessage.blob($0).lane } == [.receipts, .receipts, .receipts, .blobs, .blobs, .receipts])
        #expect(good.allSatisfy { !LinkMessage.blob($0).mayGoByDatagram })
    }

    /// Field 60: an id of 31 bytes, and one of 32 behind which somebody wants it too far away.
    @Test func statesOfFilesAreRead() throws {
        let id = [UInt8](repeating: 1, count: 32)
        #expect(throws: WireError.messageMalformed) {
            try LinkMessage.decode([0xE2, 0x03, 33, 0x0A, 31] + id.dropLast())
        }
        let far = try LinkMessage.decode([0xE2, 0x03, 36, 0x0A, 32] + id + [0x10, 5])
        #expect(far == .blob(.state(.init(blob: Samples.id(1), wants: 0, have: [], asks: false))))
        // Field 63 with half a hash.
        #expect(throws: WireError.messageMalformed) {
            try LinkMessage.decode([0xFA, 0x03, 52, 0x0A, 32] + id + [0x1A, 16] + id.prefix(16))
        }
    }

    @Test func fieldsHaveTheirLengths() {
        func bind(signature: Int, genesis: Int) -> LinkMessage {
            .bind(
                BindMessage(
                    identity: Samples.id(1), signature: [UInt8](repeating: 1, count: signature),
                    datagramShare: Samples.bytes32(1), genesis: [UInt8](repeating: 1, count: genesis)))
        }
        #expect(!isRefused(bind(signature: 64, genesis: Limits.controlBodyBytesMax)))
        #expect(isRefused(bind(signature: 64, genesis: Limits.controlBodyBytesMax + 1)))
        #expect(isRefused(bind(signature: 63, genesis: 1)))
        #expect(isRefused(bind(signature: 65, genesis: 1)))
        #expect(isRefused(.rows([ClaimRow(row: [], signature: [], hops: 0)])))
        var request = Samples.request
        request.handshakeHash.removeLast()
        #expect(isRefused(.joinRequest(request)))
        request = Samples.request
        request.inviteSignature.append(0)
        #expect(isRefused(.joinRequest(request)))
    }
}
