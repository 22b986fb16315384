import CZlib
import NIOCore

/// Compression for requests with `Accept-Encoding: gzip`. Source: RFC 1952, RFC 9110 (12.5.3).
package enum Gzip {
    /// How much time a compression may take.
    package enum Effort: Sendable {
        /// For what is made for each request.
        case least
        /// For what is made once.
        case most
    }

    /// - Returns: the content as one member of a gzip file; nil where there is no memory for it.
    package static func compress(_ content: ByteBuffer, effort: Effort) -> ByteBuffer? {
        var stream = z_stream()
        let window = MAX_WBITS + 16  // Sixteen more: with the header and the checksum of gzip.
        let level = effort == .most ? Z_BEST_COMPRESSION : Z_BEST_SPEED
        let begun = deflateInit2_(
            &stream, level, Z_DEFLATED, window, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard begun == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let most = deflateBound(&stream, UInt(content.readableBytes))
        var status = Z_OK
        var packed = ByteBuffer()
        packed.writeWithUnsafeMutableBytes(minimumWritableBytes: Int(most)) { room in
            content.withUnsafeReadableBytes { bytes in
                // zlib only reads it.
                stream.next_in = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
                stream.avail_in = UInt32(bytes.count)
                stream.next_out = room.assumingMemoryBound(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(clamping: room.count)
                status = deflate(&stream, Z_FINISH)
            }
            return Int(stream.total_out)
        }
        return status == Z_STREAM_END ? packed : nil
    }

    /// Whether a request accepts gzip: it names gzip with a weight above zero.
    package static func isTaken(by acceptEncoding: String?) -> Bool {
        (acceptEncoding ?? "").split(separator: ",").contains { part in
            let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            let isRefused = words.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
            return words.first == "gzip" && !isRefused
        }
    }
}
