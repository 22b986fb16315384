import SwiftProtobuf
import TourModel

extension Datagram {
    var payload: [UInt8] {
        encoded(
            WireDatagram.with {
                $0.sender = sender
                $0.counter = counter
                $0.runs = runs.map(\.wire)
                $0.rows = rows.map(\.wire)
                $0.heard = wireData(heard.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] })
                $0.authors = heads.map(\.prefix)
                $0.sequences = heads.map(\.sequence)
                $0.gaps = gaps.map(\.wire)
                $0.castAsks = castAsks.map(\.wire)
                $0.loss = UInt32(clamping: lossPerMille)
                $0.port = UInt32(clamping: port)
            })
    }

    /// No list needs a bound: nothing in a datagram is longer than the datagram.
    init?(payload: ArraySlice<UInt8>) {
        guard let wire = decoded(WireDatagram.self, payload), wire.loss <= 1_000, wire.port <= UInt16.max,
            let runs = wire.runs.all(Run.init), let rows = wire.rows.all(ClaimRow.init),
            let heads = PrefixedHead.zip(wire.authors, wire.sequences), let gaps = wire.gaps.all(Gap.init),
            let castAsks = CastAsk.list(wire.castAsks),
            wire.heard.count.isMultiple(of: 2)
        else { return nil }
        let named = wire.heard.array
        self.init(sender: wire.sender, counter: wire.counter)
        self.runs = runs
        self.rows = rows
        heard = stride(from: 0, to: named.count, by: 2).map { UInt16(named[$0]) << 8 | UInt16(named[$0 + 1]) }
        self.heads = heads
        self.gaps = gaps
        self.castAsks = castAsks
        lossPerMille = Int(wire.loss)
        port = Int(wire.port)
    }
}

extension Datagram.Gap {
    fileprivate init?(_ wire: WireGap) {
        guard wire.first > 0, wire.last >= wire.first else { return nil }
        self.init(author: wire.author, first: wire.first, last: wire.last)
    }

    fileprivate var wire: WireGap {
        .with {
            $0.author = author
            $0.first = first
            $0.last = last
        }
    }
}
