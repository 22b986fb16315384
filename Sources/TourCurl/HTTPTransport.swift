import NIOHTTP1
import TourModel

/// One request as it is sent, token included.
package struct OutgoingRequest: Sendable {
    package var method: HTTPMethod
    /// The full URL, with scheme and host.
    package var address: String
    /// All header fields, the token among them.
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// Sent in place of `body`, and never held as a whole.
    package var pieces: BodyPieces?
    /// Whether it must not arrive twice: it goes by a new connection, since the library sends a request again that the
    /// peer of an old one may have closed unread.
    package var isSentOnce = false
    /// For the whole exchange; Source of the default: `Protocol/09-mailbox.md`, "Limits".
    package var timeout: Duration = .seconds(600)
    /// Until the head of the answer, the wait for a connection included; nil: as for the whole exchange.
    package var headTimeout: Duration?
    /// A longer answer is not read.
    package var answerMax = Limits.mailboxAnswerBytesMax

    /// - Parameter address: the full URL.
    package init(method: HTTPMethod, address: String, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
    }
}

/// A body that is read while it is sent, and again from its beginning when it has to be sent again.
package struct BodyPieces: Sendable {
    /// The whole length in bytes.
    package let length: Int64
    /// By number from 0; nil after the last one.
    package let piece: @Sendable (Int) async -> [UInt8]?

    package init(length: Int64, piece: @escaping @Sendable (Int) async -> [UInt8]?) {
        self.length = length
        self.piece = piece
    }
}

/// One answer, read to its end.
package struct Reply: Sendable {
    /// The HTTP status.
    package var status: Int
    /// The header fields of the final answer.
    package var headers: HTTPHeaders
    package var body: [UInt8]

    package init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// `application/json` of `application/json; charset=utf-8`; empty without one.
    package var type: String {
        let first = headers.first(name: "Content-Type")?.split(separator: ";").first ?? ""
        return String(first).lowercased().filter { $0 != " " }
    }
}

/// Sends requests to other machines and returns their answers.
package protocol HTTPTransport: Sendable {
    /// Follows no redirect. Cancelling the task ends the request.
    func send(_ outgoing: OutgoingRequest) async throws(TransferError) -> Reply

    /// Passes on the body of an answer with status 200 in pieces as it arrives; returns at its end, without a body.
    /// Answers with other statuses are returned as by `send`.
    func follow(
        _ outgoing: OutgoingRequest, receive: @Sendable ([UInt8]) async -> Void
    ) async throws(TransferError) -> Reply

    /// Closes the connections; nothing can be sent any more.
    func close() async
}
