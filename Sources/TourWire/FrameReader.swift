import TourModel

/// Splits a byte stream into frames: `u16 length, bytes`. Source: `Protocol/04-framing.md`, "Frames".
///
/// Holds at most one unfinished frame (65,537 bytes), however the stream is divided.
package struct FrameReader: Sendable {
    private var buffer: [UInt8] = []
    private var position = 0

    package init() {}

    /// Appends bytes of the stream.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        if position == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            position = 0
        } else if position > 1 << 16 {
            buffer.removeFirst(position)
            position = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole frame, or nil until more bytes arrive.
    /// - Throws: `WireError.frameMalformed` for an empty frame (scope link).
    package mutating func next() throws(WireError) -> [UInt8]? {
        guard buffer.count - position >= 2 else { return nil }
        let length = Int(buffer[position]) << 8 | Int(buffer[position + 1])
        guard length > 0 else { throw .frameMalformed }
        guard buffer.count - position - 2 >= length else { return nil }
        defer { position += 2 + length }
        return Array(buffer[position + 2..<position + 2 + length])
    }

    /// One frame with its length in front. `bytes` has 1...65,535 bytes.
    package static func frame(_ bytes: [UInt8]) -> [UInt8] {
        precondition((1...65_535).contains(bytes.count), "a frame is 1 to 65,535 bytes")
        var frame = [UInt8]()
        frame.reserveCapacity(bytes.count + 2)
        frame.append(bigEndian: UInt16(bytes.count))
        frame.append(contentsOf: bytes)
        return frame
    }
}
