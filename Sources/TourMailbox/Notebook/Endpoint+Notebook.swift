import NIOHTTP1
import TourCrypto
import TourCurl
import TourModel
import TourNotebook

// The notebook of the logged-in account. Source: `Protocol/12-notebook.md`.
extension Endpoint {
    static let profile = Endpoint(.GET, "/api/v1/profile", access: .account)

    static func delta(_ request: DeltaRequest) -> Endpoint {
        var endpoint = Endpoint(.POST, "/api/v1/sync/delta", access: .account, body: json(request))
        endpoint.answerMax = Self.notebookAnswerBytesMax
        return endpoint
    }

    /// Sends a picture or file together with the saved place to which it belongs.
    /// - Parameter device: as in a delta: the server then takes the saved place for no edit of an app that counts none.
    static func upsert(
        _ upload: FileUpload, from device: String?, part: @escaping @Sendable (Int) async -> [UInt8]?
    ) -> Endpoint {
        var endpoint = Endpoint(.POST, "/api/v1/bookmarks/upsert", access: .account)
        let form = UploadForm(upload, from: device, boundary: Hex.encode(Randomness.bytes(16)))
        endpoint.bodyType = form.type
        endpoint.pieces = form.pieces(part)
        return endpoint
    }

    static func file(_ file: PlaceFile) -> Endpoint {
        var endpoint = Endpoint(.GET, file.path, access: .account, answer: .file)
        endpoint.answerMax = Limits.notebookFileBytesMax
        return endpoint
    }
}

/// The logged-in account. Source: seed 001, `UserProfile`.
struct ProfileAnswer: Decodable {
    var id: NotebookID
}

/// The answer to an upsert.
struct UpsertAnswer: Decodable {
    private struct Item: Decodable {
        let item: NotebookItem

        init(from decoder: any Decoder) throws {
            item = try NotebookItem(from: decoder, kind: .place, now: 0)
        }
    }

    private enum CodingKeys: String, CodingKey { case places = "bookmarks" }

    let places: [NotebookItem]

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        places = try fields.decode([Item].self, forKey: .places).map(\.item)
    }
}

/// A form with the saved place and one file. Source: RFC 7578; seed 001.
struct UploadForm {
    private let boundary: String
    private let head: [UInt8]
    private let tail: [UInt8]
    private let length: Int
    private let parts: Int

    private struct Payload: Encodable {
        private enum CodingKeys: String, CodingKey {
            case device
            case places = "bookmarks"
        }

        var device: String?
        // Unchanged: only the file is new.
        var places: [NotebookItem]
    }

    init(_ upload: FileUpload, from device: String?, boundary: String) {
        self.boundary = boundary
        length = upload.length
        parts = upload.parts
        let payload = Endpoint.json(Payload(device: device, places: [upload.item]))
        let name = upload.isPicture ? "images[]" : "file"
        let type = Self.isType(upload.media) ? upload.media : "application/octet-stream"
        head =
            Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n".utf8) + payload
            + Array(
                ("\r\n--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; "
                    + "filename=\"\(Self.quoted(upload.name))\"\r\nContent-Type: \(type)\r\n\r\n").utf8)
        tail = Array("\r\n--\(boundary)--\r\n".utf8)
    }

    var type: String { "multipart/form-data; boundary=\(boundary)" }

    func pieces(_ part: @escaping @Sendable (Int) async -> [UInt8]?) -> BodyPieces {
        let (head, tail, parts) = (head, tail, parts)
        return BodyPieces(length: Int64(head.count + length + tail.count)) { number in
            switch number {
            case 0: head
            // If the file has gone meanwhile, the body ends too early and the server rejects it.
            case 1...max(parts, 1) where parts > 0: await part(number - 1)
            case parts + 1: tail
            default: nil
            }
        }
    }

    /// As browsers write it. Source: HTML, "Multipart form data".
    private static func quoted(_ name: String) -> String {
        var quoted = ""
        for character in name.isEmpty ? "file" : name {
            switch character {
            case "\"": quoted += "%22"
            case _ where character.isNewline: quoted += "%0A"
            default: quoted.append(character)
            }
        }
        return quoted
    }

    private static func isType(_ text: String) -> Bool {
        text.utf8.count <= Limits.notebookWordBytesMax && text.contains("/")
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") }
    }
}
