import CZlib

/// A file of a ZIP archive. Source: PKWARE APPNOTE 6.3.10, 4.3.7, 4.3.12 and 4.3.16; archives that are encrypted, split
/// or of more than 4 GiB are refused.
enum ZIP {
    /// - Parameters:
    ///   - bytesMax: the most bytes that the file may have unpacked.
    ///   - isWanted: by the name in the archive; the first such file is taken.
    /// - Throws: `unreadable` for bytes that are no archive, or one without such a file; `malformed`, `tooMany`.
    static func member(
        of archive: [UInt8], bytesMax: Int, isWanted: (String) -> Bool
    ) throws(ImportFault) -> [UInt8] {
        let archive = LittleEndian(bytes: archive)
        guard var (position, count) = directory(archive) else { throw .unreadable }
        while count > 0 {
            guard archive.number(position, 4) == 0x0201_4B50, let flags = archive.number(position + 8, 2),
                let method = archive.number(position + 10, 2), let packed = archive.number(position + 20, 4),
                let size = archive.number(position + 24, 4), let nameLength = archive.number(position + 28, 2),
                let extraLength = archive.number(position + 30, 2),
                let commentLength = archive.number(position + 32, 2), let start = archive.number(position + 42, 4),
                let name = archive.slice(position + 46, nameLength)
            else { throw .malformed(line: 1) }
            if isWanted(String(decoding: name, as: UTF8.self)) {
                guard size <= bytesMax else { throw .tooMany }
                guard flags & 1 == 0, let data = data(archive, start, packed) else { throw .malformed(line: 1) }
                switch method {
                case 0 where data.count == size: return Array(data)
                case 8:
                    guard let text = inflated(data, size: size) else { throw .malformed(line: 1) }
                    return text
                default: throw .malformed(line: 1)
                }
            }
            position += 46 + nameLength + extraLength + commentLength
            count -= 1
        }
        throw .unreadable
    }

    /// Where the central directory begins, and how many files it lists.
    private static func directory(_ archive: LittleEndian) -> (Int, Int)? {
        let last = archive.bytes.count - 22
        // A comment of at most 65,535 bytes may follow.
        for end in stride(from: last, through: max(0, last - 65_535), by: -1)
        where archive.number(end, 4) == 0x0605_4B50 {
            guard let count = archive.number(end + 10, 2), let start = archive.number(end + 16, 4) else { return nil }
            return (start, count)
        }
        return nil
    }

    private static func data(_ archive: LittleEndian, _ header: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard archive.number(header, 4) == 0x0403_4B50, let nameLength = archive.number(header + 26, 2),
            let extraLength = archive.number(header + 28, 2)
        else { return nil }
        return archive.slice(header + 30 + nameLength + extraLength, count)
    }

    /// - Returns: nil for damaged bytes, and for those that do not become as many as they should.
    private static func inflated(_ packed: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
        var stream = z_stream()
        // A negative number of bits: no header of zlib's own.
        guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var input = Array(packed)
        // One byte above the size shows that there is more.
        var output = [UInt8](repeating: 0, count: size + 1)
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                return inflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END, Int(stream.total_out) == size else { return nil }
        output.removeLast()
        return output
    }
}

private struct LittleEndian {
    let bytes: [UInt8]

    /// The number in so many bytes at an index; nil beyond the end.
    func number(_ index: Int, _ count: Int) -> Int? {
        slice(index, count)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func slice(_ index: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard index >= 0, count >= 0, index <= bytes.count - count else { return nil }
        return bytes[index..<index + count]
    }
}
