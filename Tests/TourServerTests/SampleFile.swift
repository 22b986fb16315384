import Foundation
import TourModel

/// Bytes that begin as files of a kind do.
enum SampleFile {
    static func jpeg(_ count: Int, seed: UInt64) -> Data {
        var rng = SplitMix64(seed: seed)
        return Data([0xFF, 0xD8, 0xFF, 0xE0] + (4..<count).map { _ in UInt8.random(in: 0...255, using: &rng) })
    }

    static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 7, count: 40))
}

/// A form as browsers and apps send it.
struct SampleForm {
    static let boundary = "Boundary-1"
    var body = Data()

    static let type = ("Content-Type", "multipart/form-data; boundary=\(boundary)")

    mutating func add(_ name: String, fileName: String? = nil, type: String? = nil, _ content: Data) {
        var head = "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\""
        if let fileName { head += "; filename=\"\(fileName)\"" }
        if let type { head += "\r\nContent-Type: \(type)" }
        body += Data((head + "\r\n\r\n").utf8) + content + Data("\r\n".utf8)
    }

    /// With the last boundary.
    var bytes: [UInt8] { Array(body) + Array("--\(Self.boundary)--\r\n".utf8) }
}
