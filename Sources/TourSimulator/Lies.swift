import TourModel
import TourWire

/// A liar's messages: well formed, and false.
package enum Lies {
    /// - Parameter victims: the members in whose names the lies are told.
    package static func about(_ victims: [MemberID], using rng: inout SplitMix64) -> [LinkMessage] {
        let victim = victims[Int.random(in: 0..<victims.count, using: &rng)]
        let sequences: [UInt64] = [.max, .max - 300, 40, 9]
        let sequence = sequences[Int.random(in: 0..<4, using: &rng)]
        let known = victims.map { TaggedHead(prefix: $0.prefix, sequence: sequence, tag: 1) }
        let strangers = (0..<500).map { _ in TaggedHead(prefix: rng.next(), sequence: sequence, tag: 1) }
        let range = Want.Range(author: victim, first: 1, last: .max)
        let wants = (0..<12).map { id -> LinkMessage in
            .want(Want(id: id, ranges: Array(repeating: range, count: 64), graft: true))
        }
        let lies: [LinkMessage] = [
            .have(Have(heads: known)), .have(Have(heads: strangers)),
            garbage(of: victim, from: 1, count: 1, hops: 0, pushed: true),
            garbage(of: victim, from: .max - 300, count: 2, hops: 3, pushed: false),
            garbage(of: victim, from: UInt64.random(in: 1...6, using: &rng), count: 3, hops: 0, pushed: true),
            garbage(of: victim, from: 700, count: 1, hops: 0, pushed: true, eventClass: .announcement),
        ]
        let oddities: [LinkMessage] = [
            .prune, .served(id: 1, truncated: false), .rows([ClaimRow(row: [1, 2], signature: [], hops: 0)]),
            .controlIndex([]),
        ]
        return lies + wants + oddities
    }

    /// Events that nobody signed.
    package static func garbage(
        of victim: MemberID, from first: UInt64, count: Int, hops: Int, pushed: Bool,
        eventClass: EventClass = .chat
    ) -> LinkMessage {
        let event = RunEvent(
            eventClass: eventClass, clock: LogicalClock(value: .max), epoch: .none,
            signature: ArraySlice(repeating: 1, count: Event.signatureLength), body: [1, 2, 3])
        return .run(
            Run(
                author: victim, first: first, previous: .none, events: Array(repeating: event, count: count),
                hops: hops, pushed: pushed))
    }
}
