import Foundation
import Hummingbird
import TourNode

// The files of a tour.
extension LocalAPI {
    func addFiles(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/files") { [slot] _, context in
            try Answer.json(["files": try await slot.node.files(context.tour)])
        }
        api.post("tours/:tour/files") { [slot] request, context in
            let draft = try await request.json(FileRequest.self).draft
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
        api.post("tours/:tour/files/:id/save") { [slot] request, context in
            struct Body: Decodable { var directory: String }
            let directory = try await request.json(Body.self).directory
            try LocalPathRule.check(directory)
            return try Answer.json(try await slot.node.saveFile(context.id, to: directory, in: context.tour))
        }
    }
}

/// A file to send, as clients ask for it. Source: `Protocol/Schema/local-api.yaml`, `FileDraft`.
package struct FileRequest: Decodable {
    var path: String
    /// Left out: a file.
    var image: Bool?
    var caption: String?
    var replyTo: String?

    /// - Throws: `bad-path`.
    package var draft: FileDraft {
        get throws(NodeError) {
            try LocalPathRule.check(path)
            return FileDraft(path: path, caption: caption ?? "", isImage: image ?? false, replyTo: replyTo)
        }
    }
}

/// What a path must be like that a client names: the node was started elsewhere.
enum LocalPathRule {
    /// - Throws: `bad-path` for one that is not absolute, or no path at all.
    static func check(_ path: String) throws(NodeError) {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw NodeError("bad-path", "A path begins with a slash, and has no null character in it.")
        }
    }
}

extension BasicRequestContext {
    /// The message that the path names.
    fileprivate var id: String { parameters.get("id") ?? "" }
}
