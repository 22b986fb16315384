import NIOHTTP1
import TourModel

/// HTTP/1.1 by libcurl. Created only where somebody is to be asked, since an idle program should not spend the memory.
package final class CurlTransport: HTTPTransport {
    private let loop: TransferLoop

    /// - Parameter authority: a PEM file with the certificates of authorities to trust instead of the system's.
    /// - Throws: `badAuthority` for a file that holds none, `noLibrary` where libcurl is not installed.
    package init(authority: String? = nil, limits: TransferLimits = TransferLimits()) throws(TransferError) {
        try TransferLoop.require(authority: authority)
        loop = TransferLoop(authority: authority, limits: limits)
    }

    package func send(_ outgoing: OutgoingRequest) async throws(TransferError) -> Reply {
        try await loop.exchange(Transfer(outgoing, streams: false))
    }

    package func follow(
        _ outgoing: OutgoingRequest, receive: @Sendable ([UInt8]) async -> Void
    ) async throws(TransferError) -> Reply {
        try await loop.exchange(Transfer(outgoing, streams: true), receive)
    }

    package func close() async { await loop.close() }
}
