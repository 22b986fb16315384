import NIOHTTP1
import TourCurl
import TourModel

// Sealed files of the tour at the server, under the ids by which members know them.
// Source: `Protocol/09-mailbox.md`, "Files".
extension Mailbox {
    /// - Returns: how many sealed bytes the server has, from the first on; all of them if it has the whole file.
    package func bytesHeld(of blob: BlobID, _ shape: BlobShape) async throws(APIError) -> UInt64 {
        try await held(.sendFile(blob, [], at: nil, of: shape, as: pass), shape)
    }

    /// - Parameter offset: where the server's bytes end.
    /// - Returns: how many it has then.
    package func send(
        _ bytes: [UInt8], of blob: BlobID, _ shape: BlobShape, at offset: UInt64
    ) async throws(APIError) -> UInt64 {
        try await held(.sendFile(blob, bytes, at: offset, of: shape, as: pass), shape)
    }

    private func held(_ endpoint: Endpoint, _ shape: BlobShape) async throws(APIError) -> UInt64 {
        let reply = try await client.reply(to: endpoint)
        guard let text = reply.headers.first(name: "Upload-Offset"), let held = UInt64(text), held <= shape.sealedSize
        else { throw .decoding }
        return held
    }

    /// The hashes of all chunks, in order, unchecked.
    /// - Returns: nil where the server does not have the whole file.
    package func chunkHashes(of blob: BlobID, _ shape: BlobShape) async throws(APIError) -> [Bytes32]? {
        let body: [UInt8]
        do {
            body = try await client.reply(to: .chunkHashes(of: blob, as: pass)).body
        } catch .http(404, "not-found", _) {
            return nil
        }
        guard body.count == shape.chunkCount * Bytes32.count else { throw .decoding }
        return stride(from: 0, to: body.count, by: Bytes32.count).compactMap { Bytes32(body[$0..<$0 + Bytes32.count]) }
    }

    /// Consecutive sealed chunks, unchecked.
    /// - Returns: nil where the server does not have the whole file.
    package func chunks(
        _ chunks: ClosedRange<Int>, of blob: BlobID, _ shape: BlobShape
    ) async throws(APIError) -> [[UInt8]]? {
        let body: [UInt8]
        do {
            body = try await client.reply(to: .chunks(chunks, of: blob, shape, as: pass)).body
        } catch .http(404, "not-found", _) {
            return nil
        }
        let start = shape.sealedOffset(chunks.lowerBound)
        guard body.count == chunks.reduce(0, { $0 + shape.sealedBytes($1) }) else { throw .decoding }
        return chunks.map { chunk in
            let first = Int(shape.sealedOffset(chunk) - start)
            return Array(body[first..<first + shape.sealedBytes(chunk)])
        }
    }
}

extension Endpoint {
    private static func path(_ blob: BlobID) -> String { "/blobs/\(blob.hex)" }

    /// - Parameter offset: where the bytes belong; nil: sends none, and asks how many the server has.
    fileprivate static func sendFile(
        _ blob: BlobID, _ bytes: [UInt8], at offset: UInt64?, of shape: BlobShape, as pass: MemberPass
    ) -> Endpoint {
        var endpoint = Endpoint(.PUT, path(blob), access: .member(pass), answer: .bytes, body: bytes)
        let range = offset.map { "\($0)-\($0 + UInt64(bytes.count) - 1)" } ?? "*"
        endpoint.headers = [("Content-Range", "bytes \(range)/\(shape.sealedSize)")]
        return endpoint
    }

    fileprivate static func chunkHashes(of blob: BlobID, as pass: MemberPass) -> Endpoint {
        Endpoint(.GET, path(blob) + "/chunks", access: .member(pass), answer: .bytes)
    }

    fileprivate static func chunks(
        _ chunks: ClosedRange<Int>, of blob: BlobID, _ shape: BlobShape, as pass: MemberPass
    ) -> Endpoint {
        var endpoint = Endpoint(.GET, path(blob), access: .member(pass), answer: .bytes)
        let end = shape.sealedOffset(chunks.upperBound) + UInt64(shape.sealedBytes(chunks.upperBound)) - 1
        endpoint.headers = [("Range", "bytes=\(shape.sealedOffset(chunks.lowerBound))-\(end)")]
        return endpoint
    }
}
