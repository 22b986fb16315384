import NIOCore

/// A dialogue with a mail server: lines, and the server's answer to each.
/// Source: RFC 5321, section 4.2.
struct SMTPConversation {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var unread: [UInt8] = []

    /// Far more than an answer needs; a peer that sends more is no mail server.
    private static let answerBytesMax = 64 * 1024

    init(
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound
        self.outbound = outbound
    }

    /// Whether no bytes follow the last answer.
    var hasReadAll: Bool { unread.isEmpty }

    /// - Returns: the extensions that the server offers.
    mutating func hello() async throws -> [String] { try await send("EHLO localhost", expecting: 250) }

    /// - Returns: the texts of the answer's lines.
    @discardableResult
    mutating func send(_ line: String, expecting code: Int) async throws -> [String] {
        try await outbound.write(ByteBuffer(string: line + "\r\n"))
        return try await expect(code)
    }

    /// - Throws: `mailFailed` with the code of an unexpected answer, without the answer's text, which may contain the
    ///   address.
    @discardableResult
    mutating func expect(_ code: Int) async throws -> [String] {
        var texts: [String] = []
        while true {
            let line = try await line()
            guard line.count >= 3, let found = Int(line.prefix(3)) else {
                throw Failure(.mailFailed, cause: "what answers is no mail server")
            }
            guard found == code else { throw Failure(.mailFailed, cause: "the mail server answered \(found)") }
            texts.append(String(line.dropFirst(4)))
            if line.dropFirst(3).first != "-" { return texts }
            guard texts.count < 100 else { throw Failure(.mailFailed, cause: "what answers is no mail server") }
        }
    }

    private mutating func line() async throws -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = unread[..<end].filter { $0 != UInt8(ascii: "\r") }
                unread.removeSubrange(...end)
                return String(decoding: line, as: UTF8.self)
            }
            guard unread.count < Self.answerBytesMax, let more = try await inbound.next() else {
                throw Failure(.mailFailed, cause: "the mail server ended the connection")
            }
            unread += Array(more.readableBytesView)
        }
    }
}
