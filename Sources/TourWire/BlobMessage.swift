import TourModel

/// What two nodes say of one file on their link. Source: `Protocol/11-blobs.md`, "Swarm".
package enum BlobMessage: Hashable, Sendable {
    case state(State)
    /// Chunks that the sender offers as well.
    case got(BlobID, [Int])
    case ask(Ask)
    /// The hashes of a page's chunks, in order.
    case page(BlobID, page: Int, hashes: [Bytes32])
    case chunk(Chunk)
    case drop(BlobID, [Int], refused: Bool)

    /// What the sender offers, and whether it wants the rest.
    package struct State: Hashable, Sendable {
        package var blob: BlobID
        /// 0: nothing; 1: for itself; more: for somebody so many links less one behind it, 0…`Limits.blobWantsMax`.
        package var wants: Int
        /// A `ChunkSet` as it goes on the wire; how many chunks the file has the message does not say.
        package var have: [UInt8]
        /// The receiver shall answer with its own state.
        package var asks: Bool

        package init(blob: BlobID, wants: Int, have: [UInt8], asks: Bool) {
            self.blob = blob
            self.wants = wants
            self.have = have
            self.asks = asks
        }
    }

    package struct Ask: Hashable, Sendable {
        package var blob: BlobID
        package var pages: [Int]
        package var chunks: [Int]
        /// Chunks that the asker offers as well: an answer that would else take a message.
        package var got: [Int]

        package init(blob: BlobID, pages: [Int] = [], chunks: [Int] = [], got: [Int] = []) {
            self.blob = blob
            self.pages = pages
            self.chunks = chunks
            self.got = got
        }
    }

    package struct Chunk: Hashable, Sendable {
        package var blob: BlobID
        package var chunk: Int
        /// Sealed.
        package var bytes: [UInt8]
        /// As in `Ask`: goes for nothing in what the last slice has of padding.
        package var got: [Int]

        package init(blob: BlobID, chunk: Int, bytes: [UInt8], got: [Int] = []) {
            self.blob = blob
            self.chunk = chunk
            self.bytes = bytes
            self.got = got
        }
    }

    package var blob: BlobID {
        switch self {
        case .state(let state): state.blob
        case .ask(let ask): ask.blob
        case .chunk(let chunk): chunk.blob
        case .got(let blob, _), .page(let blob, _, _), .drop(let blob, _, _): blob
        }
    }

    /// What is asked for goes behind all else; the words about it are short.
    package var lane: Lane {
        switch self {
        case .page, .chunk: .blobs
        case .state, .got, .ask, .drop: .receipts
        }
    }
}
