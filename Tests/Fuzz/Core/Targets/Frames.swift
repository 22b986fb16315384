import FuzzDriver
import FuzzSupport
import TourLink
import TourModel
import TourWire

/// A stream cut in pieces gives the same frames as the whole, and slices of it the same messages.
enum FramesHarness {
    static func run(_ bytes: [UInt8]) {
        guard let size = bytes.first else { return }
        let stream = bytes.dropFirst()
        let whole = frames(stream, pieces: max(stream.count, 1))
        check(frames(stream, pieces: Int(size) + 1) == whole, "frames depend on how the stream is cut")
        var reassembly = Reassembly()
        for frame in whole {
            guard let slice = try? Slice(decoding: frame), let message = try? reassembly.add(slice) else { continue }
            check(message.count <= Limits.linkMessageBytesMax, "a message is larger than messages are")
            let slices = Slice.slices(of: message, lane: slice.lane)
            var again = Reassembly()
            let joined = slices.compactMap { try? again.add($0) }
            check(joined == [message], "slices do not add up to their message")
        }
    }

    private static func frames(_ stream: ArraySlice<UInt8>, pieces: Int) -> [[UInt8]] {
        var reader = FrameReader()
        var frames = [[UInt8]]()
        for start in stride(from: stream.startIndex, to: stream.endIndex, by: pieces) {
            reader.feed(stream[start..<min(start + pieces, stream.endIndex)])
            do {
                while let frame = try reader.next() { frames.append(frame) }
            } catch { return frames }
        }
        return frames
    }
}

/// The plaintext of a frame: one way to write each.
enum SliceHarness {
    static func run(_ bytes: [UInt8]) {
        let slice = roundTrip(bytes, decode: { try? Slice(decoding: $0) }, encode: { $0.encode() })
        if let slice { check(slice.encode() == bytes, "a slice is not written as it was read") }
    }
}

/// The first frame of a link.
enum HelloHarness {
    static func run(_ bytes: [UInt8]) {
        let hello = roundTrip(bytes, decode: { try? Hello(decoding: $0) }, encode: { $0.bytes })
        guard let hello else { return }
        let secret = FuzzTour.memberSecret
        let matches = hello == Hello(secret: secret, salt: Array(hello.salt))
        check(hello.matches(secret) == matches, "a hello matches another secret than its own")
    }
}
