import TourModel
import TourWire

/// Bytes of a measured simulation, with all headers down to Ethernet's.
package struct WireCounts: Hashable, Sendable {
    /// Of links: frames with padding and tag, TCP/IP headers, acknowledgements, what is sent again, set-up.
    package var linkBytes = 0
    package var datagramBytes = 0
    /// Of both, what is there for members' claims. On links with headers of their own, though messages share them.
    package var rowBytes = 0
    /// Of links, frames alone, by what they carry.
    package var frameBytes: [String: Int] = [:]
    /// Of datagrams to everybody, by what they are there for.
    package var airBytes: [String: Int] = [:]
    /// TCP segments that were lost and sent again.
    package var retransmissions = 0
    /// The most bytes that waited at one end of a link.
    package var linkQueueMax = 0

    package init() {}

    package var totalBytes: Int { linkBytes + datagramBytes }

    /// - Parameter isNew: whether an event of it was in no datagram before.
    mutating func note(_ datagram: Datagram, bytes: Int, isNew: Bool) {
        datagramBytes += bytes
        airBytes[Self.name(of: datagram, isNew: isNew), default: 0] += bytes
        guard !datagram.rows.isEmpty else { return }
        // A datagram with rows and no event is there for the rows; else they share.
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

    mutating func note(_ datagram: PathDatagram, bytes: Int) {
        datagramBytes += bytes
        let empty = datagram.asks ? "question" : datagram.number > 0 ? "try" : "acknowledgement"
        frameBytes["path-" + (datagram.messages.first.map(Self.name) ?? empty), default: 0] += bytes
        if case .rows = datagram.messages.first { rowBytes += bytes }
    }

    /// - Parameter queued: by how much the message made its link's queue longer.
    mutating func note(_ message: LinkMessage, queued: Int) {
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

    /// Bytes that are given to a connection at once.
    mutating func noteWrite(of bytes: Int) {
        let segments = WireModel.segments(bytes)
        // One acknowledgement for two segments, none of them carried by data: a little too many.
        linkBytes += bytes + (segments + (segments + 1) / 2) * WireModel.headerBytes
    }

    mutating func noteRetransmission(of bytes: Int) {
        retransmissions += 1
        linkBytes += bytes + 2 * WireModel.headerBytes
    }

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

/// TCP and what carries it, as far as bytes and times depend on it.
enum WireModel {
    /// Ethernet 14, IPv4 20, TCP with timestamps 32. An acknowledgement is this and nothing else.
    static let headerBytes = 66
    /// What an Ethernet frame leaves for data.
    static let segmentBytes = 1_448
    /// Three segments open a connection.
    static let connectionBytes = 3 * headerBytes
    /// What is encrypted at once, with what the kernel takes of it; a more urgent message waits for no more than that.
    static let socketBytes = 48 * 1_024
    /// So many segments behind a lost one tell the sender after a round trip, else its clock does.
    static let segmentsThatTell = 3
    /// Losses of one segment, one after the other.
    static let retransmissionsMax = 15
    /// Field tags, lengths and hops of a row in a message.
    static let rowEnvelopeBytes = 10
    /// On each frame: its length and the tag.
    private static let frameOverheadBytes = 2 + 16

    static func segments(_ bytes: Int) -> Int { (bytes + segmentBytes - 1) / segmentBytes }

    /// The frames of a message that takes so many bytes of a link's queue, which counts them padded.
    static func frameBytes(queued: Int) -> Int {
        let slice = Padding.size(Limits.slicePayloadBytesTarget + Slice.prefixLength)
        return queued + (queued + slice - 1) / slice * frameOverheadBytes
    }
}
