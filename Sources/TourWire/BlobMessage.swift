import TourModel

/// A message about one file between two linked nodes. Source: `Protocol/11-blobs.md`, "Swarm".
package enum BlobMessage: Hashable, Sendable {
    /// The sender's state, after a change or in answer to another's.
    case state(State)
    /// Further chunks that the sender offers.
    case got(BlobID, [Int])
    /// Asks for pages and chunks.
    case ask(Ask)
    /// The hashes of a page's chunks, in order.
    case page(BlobID, page: Int, hashes: [Bytes32])
    /// A sealed chunk.
    case chunk(Chunk)
    /// The sender no longer wants these chunks, or refuses to send them (`refused`).
    case drop(BlobID, [Int], refused: Bool)

    /// The chunks that the sender offers, and whether it wants the rest.
    package struct State: Hashable, Sendable {
        /// The file.
        package var blob: BlobID
        /// 0: nothing; 1: for the sender itself; n > 1: for a member n - 1 links behind it, 0…`Limits.blobWantsMax`.
        package var wants: Int
        /// A `ChunkSet` in its wire format; the message does not contain the file's number of chunks.
        package var have: [UInt8]
        /// Whether the receiver should answer with its own state.
        package var asks: Bool

        package init(blob: BlobID, wants: Int, have: [UInt8], asks: Bool) {
            self.blob = blob
            self.wants = wants
            self.have = have
            self.asks = asks
        }
    }

    /// Asks for parts of a file.
    package struct Ask: Hashable, Sendable {
        /// The file.
        package var blob: BlobID
        /// The numbers of the pages asked for.
        package var pages: [Int]
        /// The numbers of the chunks asked for.
        package var chunks: [Int]
        /// Further chunks that the asker offers: this saves a message.
        package var got: [Int]

        package init(blob: BlobID, pages: [Int] = [], chunks: [Int] = [], got: [Int] = []) {
            self.blob = blob
            self.pages = pages
            self.chunks = chunks
            self.got = got
        }
    }

    /// A sealed chunk of a file.
    package struct Chunk: Hashable, Sendable {
        /// The file.
        package var blob: BlobID
        /// The chunk's number.
        package var chunk: Int
        /// The sealed bytes.
        package var bytes: [UInt8]
        /// As in `Ask`: costs nothing, since it fits the padding of the last slice.
        package var got: [Int]

        package init(blob: BlobID, chunk: Int, bytes: [UInt8], got: [Int] = []) {
            self.blob = blob
            self.chunk = chunk
            self.bytes = bytes
            self.got = got
        }
    }

    /// The file that the message is about.
    package var blob: BlobID {
        switch self {
        case .state(let state): state.blob
        case .ask(let ask): ask.blob
        case .chunk(let chunk): chunk.blob
        case .got(let blob, _), .page(let blob, _, _), .drop(let blob, _, _): blob
        }
    }

    /// Pages and chunks go behind everything else; the messages about them are short.
    package var lane: Lane {
        switch self {
        case .page, .chunk: .blobs
        case .state, .got, .ask, .drop: .receipts
        }
    }
}
