import Foundation
import Hummingbird
import NIOCore
import TourModel
import TourNode
import TourWords

// The storage key, and backups.
extension LocalAPI {
    func addKeeping(_ api: RouterGroup<BasicRequestContext>) {
        api.put("passphrase") { [slot] request, _ in
            let wanted = try await request.json(WantedKey.self)
            return try Answer.json(
                try await slot.node.moveKey(to: wanted.change, current: Self.passphrase(wanted.current)))
        }
        api.post("passphrase") { [slot] request, _ in
            let wanted = try await request.json(WantedKey.self)
            return Self.answer(
                try slot.node.renewKey(into: wanted.change, current: Self.passphrase(wanted.current)))
        }
        api.post("lock") { [slot] _, _ in
            try await slot.lock()
            return Answer.done
        }
        api.post("unlock") { [slot] request, _ in
            struct Body: Decodable { var passphrase: String? }
            let body = try await request.json(Body.self)
            try await slot.unlock(passphrase: Self.passphrase(body.passphrase))
            return Answer.done
        }
        api.post("wipe") { [slot] _, _ in
            try await slot.wipe()
            return Answer.done
        }
        api.post("backup") { request, _ in try await backUp(request) }
    }

    private func backUp(_ request: Request) async throws -> Response {
        struct Body: Decodable {
            var path: String
            var passphrase: String
        }
        let body = try await request.json(Body.self)
        let passphrase = try Self.passphrase(body.passphrase) ?? []
        return Self.answer(try slot.node.backUp(to: body.path, passphrase: passphrase))
    }

    /// The place where the storage key is to be kept.
    private struct WantedKey: Decodable {
        var current: String?
        var new: String?
        var keyring: Bool?

        var change: TourNode.KeyChange {
            get throws(WebError) {
                if keyring == true { return .keyring }
                return try LocalAPI.passphrase(new).map { TourNode.KeyChange.passphrase($0) } ?? .file
            }
        }
    }

    /// One line for each report; if the work failed, the last line is an error.
    private static func answer<Report: Encodable & Sendable>(
        _ reports: AsyncThrowingStream<Report, any Error>
    ) -> Response {
        Answer.stream { writer in
            do {
                for try await report in reports {
                    try await writer.write(ByteBuffer(bytes: try Answer.encoded(report) + [0x0A]))
                }
            } catch let fault as any Fault {
                try await writer.write(ByteBuffer(bytes: Answer.line(fault) + [0x0A]))
            }
        }
    }

    /// A passphrase may be any bytes, so it is sent in hexadecimal.
    private static func passphrase(_ text: String?) throws(WebError) -> [UInt8]? {
        guard let text else { return nil }
        guard let bytes = Hex.decode(text) else {
            throw WebError("bad-request", Phrase("A passphrase is given as hexadecimal digits."))
        }
        return bytes
    }
}
