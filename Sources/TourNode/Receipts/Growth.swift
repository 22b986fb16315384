/// How a value that only grows did grow: what it reached, and when this node learnt of it. Of many steps some are
/// merged, and the later time stands: a time is never earlier than the truth.
package struct Growth: Hashable, Sendable {
    private struct Step: Hashable {
        var value: UInt64
        /// Microseconds since 1970.
        var at: Int64
    }

    private var steps: [Step] = []

    package init() {}

    package var value: UInt64 { steps.last?.value ?? 0 }

    /// - Parameter time: microseconds since 1970; a clock that was set back counts as standing still.
    /// - Parameter stepsMax: steps kept, at least one.
    package mutating func raise(to value: UInt64, at time: Int64, stepsMax: Int) {
        guard value > self.value else { return }
        steps.append(Step(value: value, at: max(time, steps.last?.at ?? time)))
        if steps.count > stepsMax { merge() }
    }

    /// Since when the value is this or more, at most; nil while it is less.
    package func time(of value: UInt64) -> Int64? { steps.first { $0.value >= value }?.at }

    /// Takes out the step that leaves the smallest hole, measured by its age: the older, the less exact. The first and
    /// the last stay, if there is room for two.
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
