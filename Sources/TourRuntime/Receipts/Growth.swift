/// The growth of a value that only grows: the values reached, and when this node learnt of each. Steps are merged
/// once there are too many, and the later time stays: a recorded time is never earlier than the truth.
package struct Growth: Hashable, Sendable {
    struct Step: Hashable {
        var value: UInt64
        /// Microseconds since 1970.
        var at: Int64
    }

    /// A day.
    private static let aheadMax: Int64 = 86_400_000_000

    private(set) var steps: [Step] = []

    package init() {}

    /// Restores stored steps.
    /// - Returns: nil for steps that do not ascend.
    init?(steps: [Step]) {
        guard zip(steps, steps.dropFirst()).allSatisfy({ $0.value < $1.value && $0.at <= $1.at }),
            steps.first?.at ?? 0 >= 0
        else { return nil }
        self.steps = steps
    }

    /// The largest value so far.
    package var value: UInt64 { steps.last?.value ?? 0 }

    /// - Parameter time: microseconds since 1970, 0 for values from before. A clock that was set back a little counts
    ///   as standing still; if it was far ahead, all later recorded times become this one.
    /// - Parameter stepsMax: how many steps to keep, at least one.
    /// - Returns: whether the value grew.
    @discardableResult
    package mutating func raise(to value: UInt64, at time: Int64, stepsMax: Int) -> Bool {
        guard value > self.value else { return false }
        let time = max(time, 0)
        if let last = steps.last?.at, last - time > Self.aheadMax, time >= NodeTime.builtAt * 1_000 {
            for index in steps.indices { steps[index].at = min(steps[index].at, time) }
        }
        steps.append(Step(value: value, at: max(time, steps.last?.at ?? time)))
        if steps.count > stepsMax { merge() }
        return true
    }

    /// When the value reached this, at the latest; nil while it is less.
    package func time(of value: UInt64) -> Int64? { steps.first { $0.value >= value }?.at }

    /// Removes the step that leaves the smallest gap, relative to its age: the older, the less exact. The first and
    /// the last step stay, if there is room for two.
    private mutating func merge() {
        var least = (index: 0, hole: Double.infinity)
        for index in steps.indices.dropFirst().dropLast() {
            let before = steps[index - 1].at
            let age = Double(steps[steps.count - 1].at - before) + 1
            let hole = Double(steps[index + 1].at - before) / age
            if hole < least.hole { least = (index, hole) }
        }
        steps.remove(at: least.index)
    }
}
