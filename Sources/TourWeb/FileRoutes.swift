import Foundation
import Hummingbird
import TourAPI
import TourNode
import TourWords

// The files of a tour.
extension LocalAPI {
    func addFiles(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/files") { [slot] _, context in
            try Answer.json(FileList(files: try await slot.node.files(context.tour)))
        }
        api.post("tours/:tour/files") { [slot, paths] request, context in
            let draft = try await request.json(FileRequest.self).draft(paths)
            return try Answer.json(try await slot.node.send(file: draft, to: context.tour))
        }
        api.get("tours/:tour/files/:id") { [slot] _, context in
            try Answer.json(try await slot.node.file(context.id, in: context.tour))
        }
        api.delete("tours/:tour/files/:id") { [slot] _, context in
            try Answer.json(try await slot.node.dropFile(context.id, in: context.tour))
        }
        api.post("tours/:tour/files/:id/fetch") { [slot] _, context in
            try Answer.json(try await slot.node.fetchFile(context.id, in: context.tour))
        }
        api.post("tours/:tour/files/:id/save") { [slot, paths] request, context in
            struct Body: Decodable { var directory: String }
            let directory = try await request.json(Body.self).directory
            try paths.check(directory)
            return try Answer.json(try await slot.node.saveFile(context.id, to: directory, in: context.tour))
        }
    }
}

/// A file to send, as clients ask for it. Source: `Protocol/Schema/local-api.yaml`, `FileDraft`.
struct FileRequest: Decodable {
    var path: String
    /// Absent: a file.
    var image: Bool?
    var caption: String?
    var replyTo: String?

    /// - Throws: `bad-path`.
    func draft(_ paths: LocalPathRule) throws(WebError) -> FileDraft {
        try paths.check(path)
        return FileDraft(path: path, caption: caption ?? "", isImage: image ?? false, replyTo: replyTo)
    }
}

/// Whether clients may name paths of this machine.
enum LocalPathRule: Sendable {
    /// A path must be absolute, since the node may have another working directory.
    case absolute
    /// Refused: clients at this door must not name files of this machine.
    case refused

    /// - Throws: `bad-path`.
    func check(_ path: String) throws(WebError) {
        switch self {
        case .absolute:
            guard path.hasPrefix("/"), !path.utf8.contains(0) else {
                throw WebError("bad-path", Phrase("A path begins with a slash, and has no null character in it."))
            }
        case .refused: throw WebError("bad-path", Phrase("The page sends and saves files itself: it names no path."))
        }
    }
}

extension BasicRequestContext {
    /// The message in the request's path.
    var id: String { parameters.get("id") ?? "" }
}
