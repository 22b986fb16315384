import Testing
import TourModel
import TourWire

/// Goal: a list has no more elements than its bound, however they are spread over the message, and what is within it is
/// read as before. Method: messages written by hand, field by field.
struct ListBoundTests {
    /// A field with a length.
    private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length = [UInt8]()
        var rest = content.count
        while rest > 0x7F {
            length.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return [number << 3 | 2] + length + [UInt8(rest)] + content
    }

    private static func repeated(_ element: [UInt8], _ count: Int) -> [UInt8] {
        Array(repeatElement(element, count: count).joined())
    }

    private static func isRead(_ bytes: [UInt8]) -> Bool { (try? LinkMessage.decode(bytes)) != nil }

    @Test(arguments: [(10, Limits.controlIndexMax), (11, Limits.controlsPerMessageMax)] as [(UInt8, Int)])
    func whatIsWithinIsRead(kind: UInt8, most: Int) {
        let element = Self.field(1, [7])
        #expect(Self.isRead(Self.field(kind, Self.repeated(element, most))))
        #expect(!Self.isRead(Self.field(kind, Self.repeated(element, most + 1))))
    }

    /// The list may stand in several places, which are one when they are read.
    @Test func placesCountTogether() {
        let half = Self.repeated(Self.field(1, []), Limits.controlsPerMessageMax / 2)
        let one = Self.field(11, half)
        #expect(Self.isRead(one + one))
        #expect(!Self.isRead(one + one + Self.field(11, Self.field(1, []))))
    }

    @Test func packedNumbersCountOneByOne() {
        let most = Limits.headsPerMessageMax
        func words(_ field: UInt8, _ count: Int) -> [UInt8] {
            Self.field(field, Self.repeated([1, 2, 3, 4, 5, 6, 7, 8], count))
        }
        func have(_ authors: Int, _ sequences: Int, _ tags: Int) -> [UInt8] {
            Self.field(5, words(1, authors) + Self.field(2, Self.repeated([0x81, 1], sequences)) + words(3, tags))
        }
        #expect(Self.isRead(have(most, most, most)))
        #expect(!Self.isRead(have(most + 1, most + 1, most + 1)))
        #expect(!Self.isRead(have(most, most + 1, most)) && !Self.isRead(have(most, most, most + 1)))
        // One by one as well.
        let single = Self.repeated([2 << 3, 5], most)
        #expect(Self.isRead(Self.field(5, words(1, most) + single + words(3, most))))
        #expect(!Self.isRead(Self.field(5, single + [2 << 3, 5])))
    }

    /// BlobGot, BlobAsk and BlobDrop, which have lists of short numbers.
    @Test(arguments: [(61, 2, Limits.blobGotMax), (62, 2, 16), (62, 3, 16), (62, 4, Limits.blobGotMax), (65, 2, 16)])
    func numbersOfChunksAreCounted(kind: Int, list: UInt8, most: Int) {
        func message(_ count: Int) -> [UInt8] {
            let content =
                Self.field(1, [UInt8](repeating: 1, count: 32)) + Self.field(list, [UInt8](repeating: 1, count: count))
            // A tag of two bytes, and the length that follows one of one.
            return [UInt8(kind << 3 & 0x7F | 2) | 0x80, UInt8(kind >> 4)] + Self.field(1, content).dropFirst()
        }
        #expect(Self.isRead(message(most)))
        #expect(!Self.isRead(message(most + 1)))
    }

    @Test func controlBodiesAreCounted() {
        func role(_ count: Int) -> [UInt8] {
            let id = [UInt8](repeating: 1, count: 32)
            let body = Self.field(1, id) + [2 << 3, 1, 3 << 3, 1] + Self.repeated(Self.field(4, id), count)
            return Self.field(7, body)
        }
        #expect((try? ControlBody(decoding: role(Limits.rolesReplacedMax))) != nil)
        #expect((try? ControlBody(decoding: role(Limits.rolesReplacedMax + 1))) == nil)
    }

    /// What is no field, or ends before its length says, is no message.
    @Test func whatIsCutIsNoMessage() {
        let whole = Self.field(10, Self.repeated(Self.field(1, [1, 2, 3]), 3))
        #expect(Self.isRead(whole))
        for count in 1..<whole.count { #expect(!Self.isRead(Array(whole[..<count]))) }
        #expect(!Self.isRead(Self.field(10, [0x0F])) && !Self.isRead(Self.field(10, [0x00, 1])))
        #expect(!Self.isRead(Self.field(10, Array(repeating: 0xFF, count: 11))))
    }
}
