import Testing
import TourModel

/// Goal: thirty-two bytes keep their value and their order. Method: compared with plain arrays of the same bytes.
struct Bytes32Tests {
    private static func sample(_ seed: UInt64) -> [UInt8] {
        var state = seed
        return (0..<32).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    @Test func bytesComeBack() throws {
        for seed in 0..<100 as Range<UInt64> {
            let bytes = Self.sample(seed)
            let value = try #require(Bytes32(bytes))
            #expect(value.bytes == bytes)
            #expect(Bytes32(bytes[...]) == value)
            #expect(Bytes32(hex: value.hex) == value)
            var appended: [UInt8] = [7]
            value.append(to: &appended)
            #expect(appended == [7] + bytes)
        }
    }

    @Test func orderIsThatOfTheBytes() throws {
        var samples = (0..<60 as Range<UInt64>).map(Self.sample)
        // The same but for one byte, in every word and at both ends of it.
        for index in [0, 7, 8, 15, 16, 23, 24, 31] {
            for value in [0, 1, 127, 128, 255] as [UInt8] {
                var bytes = [UInt8](repeating: 100, count: 32)
                bytes[index] = value
                samples.append(bytes)
            }
        }
        for left in samples {
            for right in samples {
                let first = try #require(Bytes32(left))
                let second = try #require(Bytes32(right))
                #expect((first < second) == left.lexicographicallyPrecedes(right))
                #expect((first == second) == (left == right))
            }
        }
    }

    @Test func otherLengthsAreRefused() {
        for count in [0, 1, 31, 33, 64] { #expect(Bytes32([UInt8](repeating: 1, count: count)) == nil) }
        #expect(Bytes32(hex: "") == nil)
        #expect(Bytes32(hex: String(repeating: "0", count: 63)) == nil)
        #expect(Bytes32(hex: String(repeating: "0", count: 66)) == nil)
        #expect(Bytes32(hex: String(repeating: "g", count: 64)) == nil)
        #expect(Bytes32(hex: String(repeating: "é", count: 32)) == nil)
    }

    @Test func hexIsLowerCaseAndReadsBoth() {
        #expect(Hex.encode([0x00, 0xAF, 0x10, 0xFF]) == "00af10ff")
        #expect(Hex.decode("00aF10Ff") == [0x00, 0xAF, 0x10, 0xFF])
        #expect(Hex.decode("") == [])
        #expect(Hex.decode("0") == nil)
        #expect(Hex.decode("0x") == nil)
        #expect(Hex.decode(" 0") == nil)
        #expect(Bytes32(hex: String(repeating: "AB", count: 32))?.hex == String(repeating: "ab", count: 32))
    }

    @Test func identifiersDescribeThemselvesByEightDigits() throws {
        let member = try #require(MemberID([UInt8](0..<32)))
        #expect(member.description == "00010203")
        #expect(member.hex.count == 64)
        #expect(MemberID([1, 2, 3]) == nil)
        #expect(EventID.none.bytes == [UInt8](repeating: 0, count: 32))
    }

    @Test func integersAreBigEndian() {
        var bytes = [UInt8]()
        bytes.append(bigEndian: 0x0102 as UInt16)
        bytes.append(bigEndian: 0x0304_0506_0708_090A as UInt64)
        #expect(bytes == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    }
}
