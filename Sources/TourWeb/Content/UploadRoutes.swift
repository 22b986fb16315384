import Hummingbird
import NIOCore
import TourModel
import TourNode
import TourWords

// Files uploaded as bytes, by clients that have no path on this machine.
extension LocalAPI {
    func addUploads(_ api: RouterGroup<BasicRequestContext>) {
        api.post("tours/:tour/uploads") { [slot] request, context in
            _ = try await slot.node.view(context.tour)
            let file = try await incoming(request, bytesMax: Limits.blobBytesMax)
            defer { file.discard() }
            let draft = FileDraft(
                path: file.path, caption: request.query("caption") ?? "", isImage: request.query("image") == "true",
                replyTo: request.query("replyTo"), name: request.uploadName)
            return try Answer.json(try await slot.node.send(file: draft, to: context.tour))
        }
        api.post("uploads") { [uploads] request, _ in
            try uploads.checkRoom()
            let file = try await incoming(request, bytesMax: PendingUploads.fileBytesMax)
            return try Answer.json(["upload": try uploads.put(Upload(file: file, name: request.uploadName))])
        }
    }

    /// - Returns: the whole body.
    /// - Throws: `file-too-large`, `disk-full`, `bad-request` for a body without a length, or one that ends too soon.
    private func incoming(_ request: Request, bytesMax: UInt64) async throws -> IncomingFile {
        guard let bytes = request.headers[.contentLength].flatMap({ UInt64($0) }) else {
            throw WebError("bad-request", Phrase("A file is sent with its length, in Content-Length."))
        }
        let directory = slot.settings.dataDirectory
        // While the node is locked nothing is written.
        _ = try slot.node
        let file = try await besideTheLoop { try IncomingFile(in: directory, bytes: bytes, bytesMax: bytesMax) }
        do {
            var piece = ByteBuffer()
            for try await part in request.body {
                piece.writeImmutableBuffer(part)
                guard piece.readableBytes >= Self.uploadPieceBytes else { continue }
                let whole = piece
                try await besideTheLoop { try file.write(whole.readableBytesView) }
                piece.clear()
            }
            let last = piece
            try await besideTheLoop {
                try file.write(last.readableBytesView)
                try file.finish()
            }
        } catch {
            file.discard()
            throw error
        }
        return file
    }

    /// Bytes gathered before each write to the disk.
    private static let uploadPieceBytes = 256 * 1024
}

extension Request {
    /// The user's name for the file; only the last part, if it looks like a path.
    fileprivate var uploadName: String {
        let name = query("name").flatMap { $0.split(separator: "/").last }.map(String.init) ?? ""
        return name.isEmpty ? "file" : name
    }
}
