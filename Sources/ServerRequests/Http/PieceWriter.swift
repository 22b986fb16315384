import Foundation
import Hummingbird
import NIOCore

/// Writes an answer that is built while it is sent, so that it is never in memory as a whole: for a slow reader it is
/// built slowly.
package struct PieceWriter {
    private var writer: any ResponseBodyWriter

    init(_ writer: any ResponseBodyWriter) { self.writer = writer }

    /// Writes bytes as they are.
    package mutating func write(bytes: [UInt8]) async throws { try await writer.write(ByteBuffer(bytes: bytes)) }

    /// Writes a text as it is.
    package mutating func write(_ text: String) async throws { try await writer.write(ByteBuffer(string: text)) }

    /// Writes one value as JSON.
    package mutating func write(_ value: some Encodable) async throws {
        try await writer.write(ByteBuffer(bytes: try JSONForm.encoder.encode(value)))
    }

    /// Writes a part of a list, whose brackets the caller writes.
    /// - Parameter isFirst: whether no element was written yet.
    package mutating func write<Value: Encodable>(list values: [Value], isFirst: inout Bool) async throws {
        guard !values.isEmpty else { return }
        let list = try JSONForm.encoder.encode(values).dropFirst().dropLast()
        try await writer.write(ByteBuffer(bytes: isFirst ? Data(list) : Data(",".utf8) + list))
        isFirst = false
    }

    mutating func finish() async throws { try await writer.finish(nil) }
}
