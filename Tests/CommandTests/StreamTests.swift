import Testing
import TourAPI
import TourClient

/// Goal: lines come out whole and in order, however the bytes arrive, within bounded memory.
/// Method: the same bytes cut at every place.
@Suite struct StreamTests {
    @Test func splitsLines() {
        let bytes = Array("one\r\ntwo\n\nthree".utf8)
        let expected = ["one", "two", "", "three"].map { LineSplitter.Line.line(Array($0.utf8)) }
        for cut in 0...bytes.count {
            var splitter = LineSplitter(bytesMax: 10)
            let lines = splitter.add(bytes[..<cut]) + splitter.add(bytes[cut...]) + [splitter.end()].compactMap(\.self)
            #expect(lines == expected)
        }
    }

    @Test func dropsLongLines() {
        var splitter = LineSplitter(bytesMax: 3)
        #expect(splitter.add(Array("abcd\nabc\r\nabcdefgh".utf8)) == [.tooLong, .line(Array("abc".utf8))])
        #expect(splitter.add(Array("i\nx\n".utf8)) == [.tooLong, .line(Array("x".utf8))])
        #expect(splitter.end() == nil)
    }

    @Test func passesWholeLinesWithoutBlanks() {
        let bytes = Array("\n{1}\n\n{2}\n{3".utf8)
        for cut in 0...bytes.count {
            var lines = WholeLines()
            let out = lines.add(bytes[..<cut]) + lines.add(bytes[cut...])
            #expect(String(decoding: out, as: UTF8.self) == "{1}\n{2}\n")
            #expect(!lines.isComplete)
        }
    }

    @Test func refusalsKeepTheirPlace() {
        var order = AnswerOrder()
        order.refuse([1])
        order.send()
        order.refuse([2])
        order.refuse([3])
        order.send()
        #expect(order.due() == [[1]])
        order.pass()
        #expect(order.due() == [[2], [3]])
        #expect(order.due() == [])
        #expect(order.waiting == 1)
        order.pass()
        #expect(order.waiting == 0)
    }
}
