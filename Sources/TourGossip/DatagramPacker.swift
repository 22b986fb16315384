import TourModel
import TourWire

/// Packs contents into datagrams and starts a new one when the last is full.
struct DatagramPacker {
    private(set) var datagrams: [Datagram] = []
    private var bytes = 0

    mutating func add(_ run: Run) { open(run.byteCount + Self.runEnvelopeMax) { $0.runs.append(run) } }

    mutating func add(_ row: ClaimRow) { open(row.row.count + 80) { $0.rows.append(row) } }

    mutating func add(_ heads: [PrefixedHead]) {
        guard !heads.isEmpty else { return }
        open(heads.count * 18 + 4) { $0.heads = heads }
    }

    mutating func add(heard: [UInt16]) { open(heard.count * 2 + 4) { $0.heard = heard } }

    private mutating func open(_ count: Int, _ put: (inout Datagram) -> Void) {
        if datagrams.isEmpty || bytes + count > Self.bytesMax {
            datagrams.append(Datagram(sender: 0, counter: 0))
            bytes = 0
        }
        bytes += count
        put(&datagrams[datagrams.count - 1])
    }

    /// Tags, lengths and numbers at their longest.
    private static let runEnvelopeMax = 24
    /// Leaves room for the envelope.
    private static let bytesMax = Limits.datagramPlaintextBytesMax - 40
}
