/// Inserts refusals of this process between the node's answers, so that there is one answer a line, in order.
package struct AnswerOrder: Sendable {
    /// How many lines have been answered, by the node or here.
    package private(set) var answered = 0
    private var taken = 0
    /// Lines that were not sent to the node, with their answers; ascending.
    private var refusals: [(line: Int, answer: [UInt8])] = []

    package init() {}

    /// How many lines still wait for their answer.
    package var waiting: Int { taken - answered }

    /// The next line goes to the node.
    package mutating func send() { taken += 1 }

    /// The next line is answered here.
    package mutating func refuse(_ answer: [UInt8]) {
        refusals.append((taken, answer))
        taken += 1
    }

    /// The answers that are due before the node's next one.
    package mutating func due() -> [[UInt8]] {
        var answers = [[UInt8]]()
        while let first = refusals.first, first.line == answered {
            refusals.removeFirst()
            answers.append(first.answer)
            answered += 1
        }
        return answers
    }

    /// The node's next answer was printed.
    package mutating func pass() { answered += 1 }
}
