import Foundation
import Glibc
import ServerBase
import ServerRequests
import TourModel
import TourNotebook

/// The answer to a device, as JSON. Contents are stored as JSON, and are copied into the answer unchanged.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct DeltaAnswer {
    let outcome: Delta.Outcome
    /// The kinds that the device receives, and whether it supports more than the guide's app does.
    let kinds: Set<NotebookKind>
    let isExtended: Bool
    let links: FileLinks
    let language: Language

    private struct Rest: Encodable {
        struct Rejected: Encodable {
            let kind: NotebookKind
            let id: NotebookID?
            let code: String
            let field: String?
            let message: String
        }

        let serverTime: String
        let deletedIDs: [String: [String]]
        let hasMore: Bool?
        let rejected: [Rejected]?

        private enum CodingKeys: String, CodingKey {
            case rejected
            case serverTime = "current_server_time"
            case deletedIDs = "deleted_ids"
            case hasMore = "has_more"
        }
    }

    /// - Throws: `internal` for a value without a JSON form.
    func text() throws(Failure) -> [UInt8] {
        var lists: [NotebookKind: [String]] = [:]
        var deleted: [String: [String]] = [:]
        for kind in listed {
            lists[kind] = []
            deleted[kind.rawValue] = []
        }
        for row in outcome.rows where lists[row.kind] != nil {
            if row.isDeleted {
                deleted[row.kind.rawValue]?.append(row.id.text)
            } else {
                lists[row.kind]?.append(try row.json(links, hasNulls: !isExtended))
            }
        }
        let rejected = isExtended ? outcome.rejected.map(rejected) : nil
        let rest = Rest(
            serverTime: DeltaCursor.text(outcome.cursor), deletedIDs: deleted,
            hasMore: isExtended ? outcome.hasMore : nil, rejected: rejected)
        guard let head = try? JSONForm.encoder.encode(rest) else {
            throw Failure(.internalError, cause: "an answer has no JSON")
        }
        var bytes = Array(head.dropLast())
        for (kind, items) in lists.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            bytes += Array(#","updated_\#(kind.rawValue)":["#.utf8)
            for (index, item) in items.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes += item.utf8
            }
            bytes.append(UInt8(ascii: "]"))
        }
        return bytes + [UInt8(ascii: "}")]
    }

    /// The kinds that have a list: the guide's app expects both of its own, whatever it asked for.
    private var listed: Set<NotebookKind> { kinds.union([.place, .category]) }

    private func rejected(_ item: ItemRejection) -> Rest.Rejected {
        let failure = item.failure
        return Rest.Rejected(
            kind: item.kind, id: item.id, code: failure.code.rawValue, field: failure.field,
            message: FailureText.text(for: failure.code, in: language, field: failure.field))
    }
}

extension NotebookRow {
    /// The item as clients receive it; not for a deleted one. The result equals `NotebookItem`'s encoding, without
    /// decoding the content.
    /// - Parameter hasNulls: whether fields that the guide's app knows and the item lacks are null rather than left
    ///   out.
    func json(_ links: FileLinks, hasNulls: Bool) throws(Failure) -> String {
        var text = body
        // A body that names no file, as nearly all, need not be decoded.
        if kind.namesFiles, body.contains(FileAddress.folder) {
            let content = try content().changingPlace { $0.link(links) }
            text = try NotebookBody.text(of: content)
        }
        let times = (WholeSeconds(seconds: created).text, WholeSeconds(seconds: updated).text)
        let nulls = hasNulls ? kind.nullables.filter { !text.hasKey($0) }.map { ",\"\($0)\":null" }.joined() : ""
        return text.dropLast() + nulls + #","created_at":"\#(times.0)","id":"\#(id.text)","sync_version":\#(version),"#
            + #""updated_at":"\#(times.1)"}"#
    }
}

extension SavedPlace {
    fileprivate mutating func link(_ links: FileLinks) {
        imageURLs = imageURLs.map(links.address)
        fileURL = fileURL.map(links.address)
    }
}

extension String {
    /// Whether this JSON object without objects in it has the key. In a text a quote has a backslash before it, so what
    /// looks like a key is one. By bytes: an answer may have thousands of items.
    fileprivate func hasKey(_ key: String) -> Bool {
        // JSON has no NUL, which would end the text here.
        withCString { text in strstr(text, "\"\(key)\":") != nil }
    }
}

extension NotebookKind {
    /// The fields of the guide's app that an item may lack.
    /// Source: seed 001.
    fileprivate var nullables: [String] {
        switch self {
        case .place: ["local_id", "category_id", "url", "note", "tags", "image_urls", "file_url"]
        case .category: ["local_id"]
        default: []
        }
    }
}

extension WholeSeconds {
    var text: String { Timestamp(seconds: Int(seconds)).text }
}
