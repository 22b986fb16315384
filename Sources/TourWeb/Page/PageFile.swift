import CPage
import NIOCore
import Synchronization
import TourGzip

/// A file of the page, which is part of the program.
package final class PageFile: Sendable {
    package let content: ByteBuffer
    /// The media type.
    package let mediaType: String
    /// Quoted, as in an `ETag`.
    package let tag: String
    private let packed = Mutex<ByteBuffer?>(nil)

    private init(path: String, bytes: some Collection<UInt8>) {
        content = ByteBuffer(bytes: bytes)
        mediaType = Self.mediaType(of: path)
        tag = "\"\(Self.digest(bytes))-\(bytes.count)\""
    }

    /// The file with a line in front of it, for what is known only with all files of the page.
    func headed(by line: String, path: String) -> PageFile {
        PageFile(path: path, bytes: Array("\(line)\n".utf8) + content.readableBytesView)
    }

    /// FNV-1a: it distinguishes versions of our own files, and nobody gains by a collision.
    static func digest(_ bytes: some Sequence<UInt8>) -> String {
        String(bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }

    /// The content compressed by gzip, made at the first request; nil where there was no memory for it.
    package var compressed: ByteBuffer? {
        packed.withLock { packed in
            packed = packed ?? Gzip.compress(content, effort: .most)
            return packed
        }
    }

    /// By their paths below the page's folder.
    package static let all = table(count: page_count(), at: { page_at($0) })

    /// The files of an embedded folder by their paths.
    static func table(count: Int, at file: (Int) -> page_file) -> [String: PageFile] {
        Dictionary(
            (0..<count).map { index in
                let file = file(index)
                let path = String(cString: file.path)
                return (path, PageFile(path: path, bytes: UnsafeBufferPointer(start: file.bytes, count: file.size)))
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func mediaType(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
        default: "application/octet-stream"
        }
    }
}
