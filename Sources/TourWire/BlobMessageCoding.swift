import SwiftProtobuf
import TourModel

extension BlobMessage {
    var wire: WireLinkMessage.OneOf_Kind {
        switch self {
        case .state(let state): .blobState(state.wire)
        case .got(let blob, let chunks):
            .blobGot(
                .with {
                    $0.blob = blob.data
                    $0.chunks = chunks.map(UInt32.init)
                })
        case .ask(let ask): .blobAsk(ask.wire)
        case .page(let blob, let page, let hashes):
            .blobPage(
                .with {
                    $0.blob = blob.data
                    $0.page = UInt32(page)
                    var bytes = [UInt8]()
                    bytes.reserveCapacity(hashes.count * Bytes32.count)
                    for hash in hashes { hash.append(to: &bytes) }
                    $0.hashes = wireData(bytes)
                })
        case .chunk(let chunk): .blobChunk(chunk.wire)
        case .drop(let blob, let chunks, let refused):
            .blobDrop(
                .with {
                    $0.blob = blob.data
                    $0.chunks = chunks.map(UInt32.init)
                    $0.refused = refused
                })
        }
    }

    init?(_ wire: WireBlobState) {
        guard let blob = BlobID(wire.blob), wire.have.count <= (Limits.blobChunksMax + 7) / 8 else { return nil }
        // A wish from too far behind the sender is not passed on.
        let wants = wire.wants <= Limits.blobWantsMax ? Int(wire.wants) : 0
        self = .state(State(blob: blob, wants: wants, have: wire.have.array, asks: wire.asks))
    }

    init?(_ wire: WireBlobGot) {
        guard let blob = BlobID(wire.blob), let chunks = Self.chunks(wire.chunks) else { return nil }
        self = .got(blob, chunks)
    }

    init?(_ wire: WireBlobAsk) {
        guard let blob = BlobID(wire.blob), let chunks = Self.chunks(wire.chunks, atMost: Limits.blobAskedMax),
            let pages = Self.numbers(wire.pages, below: Limits.blobPagesMax, atMost: Limits.blobPagesMax),
            let got = Self.chunks(wire.got)
        else { return nil }
        self = .ask(Ask(blob: blob, pages: pages, chunks: chunks, got: got))
    }

    init?(_ wire: WireBlobPage) {
        guard let blob = BlobID(wire.blob), wire.page < Limits.blobPagesMax,
            (1...Limits.blobPageHashesMax).contains(wire.hashes.count / Bytes32.count),
            wire.hashes.count % Bytes32.count == 0
        else { return nil }
        let bytes = wire.hashes.array
        let hashes = stride(from: 0, to: bytes.count, by: Bytes32.count).compactMap {
            Bytes32(bytes[$0..<$0 + Bytes32.count])
        }
        self = .page(blob, page: Int(wire.page), hashes: hashes)
    }

    init?(_ wire: WireBlobChunk) {
        guard let blob = BlobID(wire.blob), wire.chunk < Limits.blobChunksMax, let got = Self.chunks(wire.got),
            (Limits.blobTagBytes + 1...Limits.blobChunkBytes + Limits.blobTagBytes).contains(wire.bytes.count)
        else { return nil }
        self = .chunk(Chunk(blob: blob, chunk: Int(wire.chunk), bytes: wire.bytes.array, got: got))
    }

    init?(_ wire: WireBlobDrop) {
        guard let blob = BlobID(wire.blob), let chunks = Self.chunks(wire.chunks, atMost: Limits.blobAskedMax) else {
            return nil
        }
        self = .drop(blob, chunks, refused: wire.refused)
    }

    private static func chunks(_ wire: [UInt32], atMost most: Int = Limits.blobGotMax) -> [Int]? {
        numbers(wire, below: Limits.blobChunksMax, atMost: most)
    }

    private static func numbers(_ wire: [UInt32], below limit: Int, atMost most: Int) -> [Int]? {
        wire.count > most ? nil : wire.all { $0 < limit ? Int($0) : nil }
    }
}

extension BlobMessage.State {
    fileprivate var wire: WireBlobState {
        .with {
            $0.blob = blob.data
            $0.wants = UInt32(wants)
            $0.have = wireData(have)
            $0.asks = asks
        }
    }
}

extension BlobMessage.Ask {
    fileprivate var wire: WireBlobAsk {
        .with {
            $0.blob = blob.data
            $0.pages = pages.map(UInt32.init)
            $0.chunks = chunks.map(UInt32.init)
            $0.got = got.map(UInt32.init)
        }
    }
}

extension BlobMessage.Chunk {
    fileprivate var wire: WireBlobChunk {
        .with {
            $0.blob = blob.data
            $0.chunk = UInt32(chunk)
            $0.bytes = wireData(bytes)
            $0.got = got.map(UInt32.init)
        }
    }
}
