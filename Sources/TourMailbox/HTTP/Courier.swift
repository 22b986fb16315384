import NIOHTTP1
import TourModel

/// One request as it goes out, token and all.
package struct Letter: Sendable {
    package var method: HTTPMethod
    /// Whole, with scheme and host.
    package var address: String
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// Goes out in the place of `body`, and is never here as a whole.
    package var pieces: BodyPieces?
    /// An answer with more bytes is not read.
    package var answerMax = Limits.mailboxAnswerBytesMax

    package init(method: HTTPMethod, address: String, headers: HTTPHeaders, body: [UInt8]) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
    }
}

/// A body that is read while it goes out, and again from its beginning when it has to go out again.
package struct BodyPieces: Sendable {
    /// All bytes.
    package let length: Int64
    /// By number from 0; nil behind the last one.
    package let piece: @Sendable (Int) async -> [UInt8]?

    package init(length: Int64, piece: @escaping @Sendable (Int) async -> [UInt8]?) {
        self.length = length
        self.piece = piece
    }
}

/// One answer, read to its end.
package struct Reply: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]

    package init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// `application/json` of `application/json; charset=utf-8`; empty without one.
    var type: String {
        let first = headers.first(name: "Content-Type")?.split(separator: ";").first ?? ""
        return String(first).lowercased().filter { $0 != " " }
    }
}

/// What brings a request to the server and an answer back.
package protocol Courier: Sendable {
    /// Follows no redirect. Cancelling the task ends the request.
    /// - Throws: `APIError.network`, or `.loginPage(.certificate)`.
    func send(_ letter: Letter) async throws(APIError) -> Reply

    /// Hands on the body of an answer with status 200 piece by piece, as it comes; returns at its end, without a body.
    /// An answer with another status comes back as from `send`.
    func follow(
        _ letter: Letter, receive: @Sendable ([UInt8]) async -> Void
    ) async throws(APIError) -> Reply

    /// Connections end; nothing can be sent any more.
    func close() async
}
