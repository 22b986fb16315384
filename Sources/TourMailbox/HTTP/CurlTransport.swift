import Foundation
import NIOHTTP1
import TourModel

/// HTTP/1.1 by libcurl. Created only when a server is set, since an idle node should not spend the memory.
package final class CurlTransport: HTTPTransport {
    private let loop: TransferLoop

    /// - Parameter authority: a PEM file with the certificates of authorities to trust instead of the system's.
    /// - Throws: `APIError.badAuthority` for a file that holds none, `.noLibrary` where libcurl is not installed.
    package init(authority: String? = nil) throws(APIError) {
        guard TransferLoop.isAvailable else { throw .noLibrary }
        if let authority, !Self.holdsCertificate(authority) { throw .badAuthority }
        loop = TransferLoop(authority: authority)
    }

    // Source: `Protocol/09-mailbox.md`, "Limits".
    /// For a whole exchange: 4 MiB at 64 kbit/s.
    private static let exchangeTimeout = Duration.seconds(600)
    /// The slowest rate assumed for longer bodies.
    private static let bytesPerSecond: Int64 = 8 * 1024
    /// For an endless body: the server sends a sign of life every 25 s.
    private static let followingTimeout = Duration.seconds(24 * 60 * 60)
    /// More than the authorities of any system.
    private static let authorityBytesMax = 4 * 1024 * 1024

    package func send(_ outgoing: OutgoingRequest) async throws(APIError) -> Reply {
        let bytes = (outgoing.pieces?.length ?? 0) + Int64(max(outgoing.answerMax - Limits.mailboxAnswerBytesMax, 0))
        let timeout = Self.exchangeTimeout + .seconds(bytes / Self.bytesPerSecond)
        return try await exchange(Transfer(outgoing, timeout: timeout, streams: false)) { _ in }
    }

    package func follow(
        _ outgoing: OutgoingRequest, receive: @Sendable ([UInt8]) async -> Void
    ) async throws(APIError) -> Reply {
        try await exchange(Transfer(outgoing, timeout: Self.followingTimeout, streams: true), receive)
    }

    private func exchange(
        _ transfer: Transfer, _ receive: @Sendable ([UInt8]) async -> Void
    ) async throws(APIError) -> Reply {
        let feeder = transfer.outgoing.pieces.map { pieces in
            Task { [loop] in
                var number = 0
                while !Task.isCancelled {
                    let piece = await pieces.piece(number)
                    await transfer.feed(piece, loop)
                    guard piece != nil else { return }
                    number += 1
                }
            }
        }
        defer { feeder?.cancel() }
        let outcome = await withTaskCancellationHandler {
            loop.start(transfer)
            while let part = await transfer.part(loop) { await receive(part) }
            return await transfer.outcome()
        } onCancel: { [loop] in
            // Before the loop ends the transfer, since it may be busy for a while.
            transfer.finish(.network(.cancelled), status: 0)
            loop.end(transfer)
        }
        return try outcome.get()
    }

    package func close() async { await loop.close() }

    /// Whether a PEM file holds at least one certificate.
    private static func holdsCertificate(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: authorityBytesMax)
        else { return false }
        let parts = String(decoding: data, as: UTF8.self).components(separatedBy: "-----BEGIN CERTIFICATE-----")
        return parts.dropFirst().contains { part in
            guard let end = part.range(of: "-----END CERTIFICATE-----") else { return false }
            let text = part[..<end.lowerBound].filter { !$0.isWhitespace }
            return Data(base64Encoded: String(text))?.isEmpty == false
        }
    }
}
