import Testing
import TourGossip
import TourModel
import TourWire

/// Goal: questions by datagram, which anybody may forge who has the key, make a node send a bounded amount.
/// Method: ten seconds of questions for everything that a node has at hand, one a millisecond, in all names.
@Suite struct StormTests {
    @Test func aStormOfQuestionsIsAnsweredWithinTheBudget() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        _ = bench.take(.segments([SegmentID(value: 1)]))
        bench.everybodyHears()
        for number in 1...40 {
            _ = bench.take(.wrote([Writer(1).log(number)[number - 1]]), after: .milliseconds(50))
        }
        _ = bench.pass(.seconds(1))
        let gap = Datagram.Gap(author: bench.own.prefix, first: 1, last: 40)
        var answers = [Run]()
        for question in 0..<10_000 {
            let outputs = bench.hear(question % 3, heard: [bench.own], gaps: [gap]) + bench.pass(.milliseconds(1))
            answers += outputs.flatMap { output -> [Run] in
                if case .multicast(_, let datagram) = output { datagram.runs } else { [] }
            }
        }
        // 150 kB a second and 32 KiB at once, said in `Protocol/08-datagrams.md`, "Sending".
        let bytes = answers.reduce(0) { $0 + $1.byteCount }
        #expect(bytes > 0 && bytes <= 10 * 150_000 + 32_768, "\(bytes) bytes in \(answers.count) answers")
        // None more often than every 20 ms.
        #expect(answers.count <= 40 * 500)
    }
}
