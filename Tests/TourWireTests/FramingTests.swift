import Testing
import TourModel
import TourWire

/// Goal: a stream falls into the same frames however it is cut; lengths are padded as the table says; a message in
/// slices comes together within its bound, whatever else travels between them. Method: all sizes near the edges.
struct FramingTests {
    @Test func framesComeOutOneByteAtATime() throws {
        let frames = [1, 2, 255, 256, 257, 16_384, 65_535].map { count in
            (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        }
        let stream = frames.flatMap { FrameReader.frame($0) }
        var reader = FrameReader()
        var read = [[UInt8]]()
        for byte in stream {
            reader.feed(CollectionOfOne(byte))
            while let frame = try reader.next() { read.append(frame) }
        }
        #expect(read == frames)
        var whole = FrameReader()
        whole.feed(stream)
        for frame in frames { #expect(try whole.next() == frame) }
        #expect(try whole.next() == nil)
    }

    @Test func framesComeOutOfAnyPieces() throws {
        var generator = SeededGenerator(seed: 11)
        let frames = (0..<300).map { _ in generator.bytes(Int.random(in: 1...2_000, using: &generator)) }
        let stream = frames.flatMap { FrameReader.frame($0) }
        var reader = FrameReader()
        var read = [[UInt8]]()
        var position = 0
        while position < stream.count {
            let end = min(position + Int.random(in: 0...5_000, using: &generator), stream.count)
            reader.feed(stream[position..<end])
            position = end
            while let frame = try reader.next() { read.append(frame) }
        }
        #expect(read == frames)
    }

    @Test func emptyFrameIsRefused() throws {
        var reader = FrameReader()
        reader.feed([0, 1, 9, 0, 0])
        #expect(try reader.next() == [9])
        #expect(throws: WireError.frameMalformed) { try reader.next() }
    }

    @Test func paddedSizes() {
        let table = [
            (0, 256), (1, 256), (255, 256), (256, 256), (257, 272), (272, 272), (273, 288), (511, 512), (512, 512),
            (513, 544), (1_000, 1_024), (1_025, 1_088), (4_097, 4_352), (9_000, 9_216), (16_387, 17_408),
        ]
        for (count, size) in table { #expect(Padding.size(count) == size) }
    }

    @Test func paddingGrowsWithTheLengthAndCostsLittle() {
        var last = 0
        for count in 0...70_000 {
            let size = Padding.size(count)
            #expect(size >= max(count, 256) && size >= last)
            #expect(size * 100 <= max(count, 256) * 112)
            #expect(Padding.size(size) == size)
            last = size
        }
    }

    @Test(arguments: Lane.allCases) func slicesComeBack(lane: Lane) throws {
        for count in [0, 1, 252, 253, 254, 1_000, 16_383, Limits.slicePayloadBytesMax] {
            for more in count == 0 ? [false] : [false, true] {
                let slice = Slice(lane: lane, more: more, payload: [UInt8](repeating: 9, count: count)[...])
                let plaintext = slice.encode()
                #expect(plaintext.count == Padding.size(count + Slice.prefixLength))
                #expect(try Slice(decoding: plaintext) == slice)
            }
        }
    }

    @Test(arguments: [0, 1, 15_869, 15_870, 16_384, 31_738, 31_739, 50_000, Limits.linkMessageBytesMax])
    func messagesComeTogether(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let message = generator.bytes(count)
        let slices = Slice.slices(of: message, lane: .chat)
        #expect(slices.count == max(1, (count + 15_868) / 15_869))
        #expect(slices.dropLast().allSatisfy { $0.encode().count == 15_872 }, "they are padded")
        var reassembly = Reassembly()
        for slice in slices.dropLast() { #expect(try reassembly.add(slice) == nil) }
        #expect(try reassembly.add(slices[slices.count - 1]) == message)
        // Nothing stays behind for the next message.
        #expect(try reassembly.add(Slice(lane: .chat, more: false, payload: [1])) == [1])
    }

    @Test func flagsNameALaneThatThereIs() throws {
        var plaintext = Slice(lane: .urgent, more: false, payload: [1]).encode()
        for flags in UInt8.min...UInt8.max {
            plaintext[0] = flags
            let slice = try? Slice(decoding: plaintext)
            #expect((slice != nil) == (flags < 10), "flags \(flags)")
            #expect(slice == nil || slice?.lane == Lane(rawValue: flags >> 1) && slice?.more == (flags & 1 == 1))
        }
    }

    @Test func lanesDoNotMix() throws {
        var reassembly = Reassembly()
        var messages = [Lane: [UInt8]]()
        var slices = [Lane: [Slice]]()
        for lane in Lane.allCases {
            let message = [UInt8](repeating: lane.rawValue, count: 40_000 + Int(lane.rawValue))
            messages[lane] = message
            slices[lane] = Slice.slices(of: message, lane: lane)
        }
        for index in 0..<3 {
            for lane in Lane.allCases {
                let whole = try reassembly.add(slices[lane]![index])
                #expect(whole == (index == 2 ? messages[lane] : nil))
            }
        }
    }

    @Test func oversizedMessageIsRefused() throws {
        let slice = Slice(lane: .catchUp, more: true, payload: [UInt8](repeating: 1, count: 16_384)[...])
        var reassembly = Reassembly()
        for _ in 0..<6 { #expect(try reassembly.add(slice) == nil) }
        #expect(throws: WireError.messageTooLarge) {
            try reassembly.add(Slice(lane: .catchUp, more: false, payload: [1]))
        }
        // Exactly the bound is allowed, and other lanes are untouched.
        #expect(try reassembly.add(Slice(lane: .catchUp, more: false, payload: []))?.count == 98_304)
        #expect(try reassembly.add(Slice(lane: .urgent, more: false, payload: [2])) == [2])
    }

    @Test func readerNeverReachesPastTheEnd() {
        var reader = ByteReader([1, 2, 3] as [UInt8])
        #expect(reader.integer(UInt16.self) == 0x0102)
        #expect(reader.integer(UInt16.self) == nil)
        #expect(reader.slice(2) == nil)
        #expect(reader.slice(-1) == nil)
        #expect(reader.remaining == 1)
        #expect(Array(reader.rest()) == [3])
        #expect(reader.remaining == 0)
    }
}
