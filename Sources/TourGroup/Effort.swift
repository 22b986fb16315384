/// The cost of computing a roster, in steps that are the same on every machine: events, turns and grants examined.
/// Members write what is examined, so a simulator compares the worst cost with the amount held.
final class Effort {
    private(set) var steps = 0

    func spend(_ count: Int = 1) { steps += count }
}

/// The highest cost of one addition to a tour's control events.
package struct Judgement: Hashable, Sendable {
    /// Events, turns and grants examined.
    package let steps: Int
    /// The control events held at that time.
    package let held: Int
}
