import TourModel
import TourWire

/// One direction of a link as it lies with its sender: what waits by lane, and what the socket has taken, which can no
/// longer be overtaken. Sizes are those of the real frames and segments.
struct SwarmPipe {
    /// The end of a message, or a part of it.
    struct Frame {
        let message: BlobMessage?
        let wireBytes: Int
        let frameBytes: Int
    }

    private static let socketBytesMax = 64 * 1024
    private static let sliceBytes = Limits.slicePayloadBytesMax - 3
    private static let segmentBytes = 1_448
    private static let headerBytes = 66

    let to: Int
    /// The link by the name that the receiver gives it.
    let name: LinkID
    /// Bits a second of the segment by itself; nil: as fast as its ends.
    let rate: Double?
    let latency: Duration
    private var words: [Frame] = []
    private var bulk: [Frame] = []
    private var socket: [Frame] = []
    private var socketBytes = 0
    /// When the segment can take the next frame.
    var freeAt = Instant(microseconds: 0)

    init(to: Int, name: LinkID, rate: Double?, latency: Duration) {
        self.to = to
        self.name = name
        self.rate = rate
        self.latency = latency
    }

    var isEmpty: Bool { socket.isEmpty }
    var hasBulk: Bool { !bulk.isEmpty }

    mutating func add(_ message: BlobMessage) {
        let bytes = LinkMessage.blob(message).encode().count
        var frames = [Frame]()
        var rest = bytes
        while rest > 0 {
            let slice = min(rest, Self.sliceBytes)
            rest -= slice
            let frame = Padding.size(3 + slice, atLeast: Limits.paddedPlaintextBytesMin) + 18
            // Frames that go one after the other share segments; a short one goes by itself.
            let headers = max(Self.headerBytes, frame * Self.headerBytes / Self.segmentBytes)
            frames.append(
                Frame(message: rest == 0 ? message : nil, wireBytes: frame + headers, frameBytes: frame))
        }
        if message.lane == .blobs { bulk += frames } else { words += frames }
        fill()
    }

    /// What the socket has room for leaves the lanes.
    private mutating func fill() {
        while socketBytes < Self.socketBytesMax {
            let frame: Frame
            if !words.isEmpty {
                frame = words.removeFirst()
            } else if !bulk.isEmpty {
                frame = bulk.removeFirst()
            } else {
                return
            }
            socket.append(frame)
            socketBytes += frame.frameBytes
        }
    }

    mutating func take() -> Frame {
        let frame = socket.removeFirst()
        socketBytes -= frame.frameBytes
        fill()
        return frame
    }
}
