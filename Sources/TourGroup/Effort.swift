/// What working out who is in a tour takes, in steps that are the same on every machine: events, turns and grants that
/// are looked at. Members write what is looked at: a simulator holds the worst against how much there is.
final class Effort {
    private(set) var steps = 0

    func spend(_ count: Int = 1) { steps += count }
}

/// The most that one addition to a tour's control events took.
package struct Judgement: Hashable, Sendable {
    /// Events, turns and grants that were looked at.
    package let steps: Int
    /// Control events that were held then.
    package let held: Int
}
