import Testing
import TourWeb

/// Goal: a range is what RFC 9110 says, and any other text asks for all. Method: the edges, and random texts.
@Suite struct ByteRangeTests {
    @Test func nothingOfAnEmptyContent() {
        #expect(ByteRange(nil, size: 0) == .whole)
        #expect(ByteRange("bytes=0-", size: 0) == .none)
        #expect(ByteRange("bytes=-1", size: 0) == .none)
    }

    @Test func edges() {
        #expect(ByteRange("bytes=0-0", size: 1) == .part(0..<1))
        #expect(ByteRange("bytes=1-1", size: 1) == .none)
        #expect(ByteRange("bytes=0-18446744073709551615", size: 10) == .part(0..<10))
        #expect(ByteRange("bytes=0-18446744073709551616", size: 10) == .part(0..<10))
        #expect(ByteRange("bytes=18446744073709551616-", size: 10) == .none)
        #expect(ByteRange("bytes=18446744073709551615-18446744073709551615", size: .max) == .none)
        #expect(ByteRange("bytes=-18446744073709551616", size: 10) == .part(0..<10))
        #expect(ByteRange("bytes=--1", size: 10) == .whole)
        #expect(ByteRange("bytes=1-2-3", size: 10) == .whole)
        #expect(ByteRange("bytes= 1-2", size: 10) == .whole)
        #expect(ByteRange("bytes=١-٢", size: 10) == .whole)
        #expect(ByteRange("", size: 10) == .whole)
    }

    @Test func whateverIsAskedStaysWithin() {
        var random = SystemRandomNumberGenerator()
        let letters = Array("bytes=0123456789-, ")
        for _ in 0..<5_000 {
            let tail = String((0..<Int.random(in: 0...24, using: &random)).compactMap { _ in letters.randomElement() })
            let size = UInt64.random(in: 0...1_000, using: &random)
            if case .part(let range) = ByteRange("bytes=" + tail, size: size) {
                #expect(!range.isEmpty && range.upperBound <= size, "\(tail) of \(size)")
            }
        }
    }
}
