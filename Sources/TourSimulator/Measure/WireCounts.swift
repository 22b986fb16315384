import TourModel
import TourWire

/// Bytes of a measured simulation, with all headers down to Ethernet's.
package struct WireCounts: Hashable, Sendable {
    /// Of links: frames with padding and tag, TCP/IP headers, acknowledgements, retransmissions, set-up.
    package var linkBytes = 0
    /// Of datagrams, with all headers.
    package var datagramBytes = 0
    /// Of both, bytes that serve members' claims. On links with headers of their own, though messages share them.
    package var rowBytes = 0
    /// Of links, frames alone, by their contents.
    package var frameBytes: [String: Int] = [:]
    /// Of multicast datagrams, by their purpose.
    package var airBytes: [String: Int] = [:]
    /// TCP segments that were lost and sent again.
    package var retransmissions = 0
    /// The most bytes that waited at one end of a link.
    package var linkQueueMax = 0

    package init() {}

    /// Of links and datagrams.
    package var totalBytes: Int { linkBytes + datagramBytes }

    /// - Parameter isNew: whether one of its events was in no datagram before.
    mutating func record(_ datagram: Datagram, bytes: Int, isNew: Bool) {
        datagramBytes += bytes
        airBytes[Self.name(of: datagram, isNew: isNew), default: 0] += bytes
        guard !datagram.rows.isEmpty else { return }
        // A datagram with rows and no event counts for the rows alone; else both share it.
        rowBytes +=
            datagram.runs.isEmpty
            ? bytes : datagram.rows.reduce(0) { $0 + $1.row.count + $1.signature.count + WireModel.rowEnvelopeBytes }
    }

    private static func name(of datagram: Datagram, isNew: Bool) -> String {
        if let run = datagram.runs.first {
            guard run.author.prefix == datagram.sender else { return "others-again" }
            return isNew ? "first" : "again"
        }
        if !datagram.rows.isEmpty { return "rows" }
        if !datagram.gaps.isEmpty { return "question" }
        return datagram.heard.isEmpty ? "tail" : "beacon"
    }

    mutating func record(_ datagram: PathDatagram, bytes: Int) {
        datagramBytes += bytes
        let empty = datagram.asks ? "question" : datagram.number > 0 ? "try" : "acknowledgement"
        frameBytes["path-" + (datagram.messages.first.map(Self.name) ?? empty), default: 0] += bytes
        if case .rows = datagram.messages.first { rowBytes += bytes }
    }

    /// - Parameter queued: by how much the message lengthened its link's queue.
    mutating func record(_ message: LinkMessage, queued: Int) {
        let bytes = WireModel.frameBytes(queued: queued)
        frameBytes[Self.name(of: message), default: 0] += bytes
        guard case .rows = message else { return }
        rowBytes += bytes + WireModel.segments(bytes) * WireModel.headerBytes
    }

    private static func name(of message: LinkMessage) -> String {
        switch message {
        case .have: "have"
        case .run(let run): run.pushed ? "push" : "pulled"
        case .want, .served: "want"
        case .prune: "prune"
        case .control, .controlIndex: "control"
        case .rows: "rows"
        case .ping, .pong: "life"
        default: "other"
        }
    }

    /// Counts bytes given to a connection at once.
    mutating func recordWrite(of bytes: Int) {
        let segments = WireModel.segments(bytes)
        // One acknowledgement for two segments, none of them carried by data: a little too many.
        linkBytes += bytes + (segments + (segments + 1) / 2) * WireModel.headerBytes
    }

    mutating func recordRetransmission(of bytes: Int) {
        retransmissions += 1
        linkBytes += bytes + 2 * WireModel.headerBytes
    }

    /// The bytes counted between two moments.
    package static func - (left: WireCounts, right: WireCounts) -> WireCounts {
        var difference = left
        difference.linkBytes -= right.linkBytes
        difference.datagramBytes -= right.datagramBytes
        difference.rowBytes -= right.rowBytes
        difference.retransmissions -= right.retransmissions
        difference.frameBytes.merge(right.frameBytes) { $0 - $1 }
        difference.airBytes.merge(right.airBytes) { $0 - $1 }
        return difference
    }
}

/// TCP and the layers below, as far as bytes and times depend on them.
enum WireModel {
    /// Ethernet 14, IPv4 20, TCP with timestamps 32. An acknowledgement consists of this alone.
    static let headerBytes = 66
    /// What an Ethernet frame leaves for data.
    static let segmentBytes = 1_448
    /// Three segments open a connection.
    static let connectionBytes = 3 * headerBytes
    /// How much is encrypted at once and accepted by the kernel; a more urgent message waits for no more than that.
    static let socketBytes = 48 * 1_024
    /// If this many segments follow a lost one, the sender learns of the loss after a round trip, else by its timer.
    static let segmentsThatTell = 3
    /// How often one segment may be lost in a row.
    static let retransmissionsMax = 15
    /// Field tags, lengths and hops of a row in a message.
    static let rowEnvelopeBytes = 10
    /// On each frame: its length and the tag.
    private static let frameOverheadBytes = 2 + 16

    static func segments(_ bytes: Int) -> Int { (bytes + segmentBytes - 1) / segmentBytes }

    /// The frame bytes of a message that adds this many bytes to a link's queue, which counts them padded.
    static func frameBytes(queued: Int) -> Int {
        let slice = Padding.size(Limits.slicePayloadBytesTarget + Slice.prefixLength)
        return queued + (queued + slice - 1) / slice * frameOverheadBytes
    }
}
