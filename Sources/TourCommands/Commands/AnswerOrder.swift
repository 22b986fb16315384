/// Puts what this process refuses by itself between the node's answers, so that there is one answer a line, in order.
package struct AnswerOrder: Sendable {
    /// Lines given out so far, by whomever answered.
    package private(set) var answered = 0
    private var taken = 0
    /// Line numbers that never went to the node, with their answers; ascending.
    private var refusals: [(line: Int, answer: [UInt8])] = []

    package init() {}

    /// Lines that still wait for their answer.
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

    /// The node's next answer has been given out.
    package mutating func pass() { answered += 1 }
}
