import TourImage
import TourModel
import TourNotebook
import TourStore
import TourWords

/// The role of a saved place's file: one of its pictures, or its one other file.
package enum NotebookFileRole: String, Sendable {
    case picture, file
}

/// A file for a saved place, given as bytes.
package struct NewNotebookFile: Sendable {
    package var role: NotebookFileRole
    package var name: String
    /// The media type that the sender claims: it counts only where the bytes do not show the type.
    package var media: String?
    package var bytes: [UInt8]

    package init(role: NotebookFileRole, name: String, media: String?, bytes: [UInt8]) {
        self.role = role
        self.name = name
        self.media = media
        self.bytes = bytes
    }
}

/// A picture or file of a saved place, read in pieces.
package struct NotebookFileReader: Sendable {
    private enum Source: Sendable {
        case store(TourStore, NotebookID)
        /// Fetched from the server, but with no room on the disk.
        case memory([UInt8])
    }

    /// Safe as the name of a file.
    package let name: String
    package let media: String
    /// Its size.
    package let bytes: Int
    private let source: Source
    private var part = 0

    fileprivate init(_ file: NotebookAttachment, at store: TourStore) {
        self.init(file, .store(store, file.id))
    }

    fileprivate init(_ file: NotebookAttachment, fetched bytes: [UInt8]) { self.init(file, .memory(bytes)) }

    private init(_ file: NotebookAttachment, _ source: Source) {
        name = SafeFileName(NotebookView.name(of: file)).text
        media = file.media
        bytes = file.bytes
        self.source = source
    }

    /// - Returns: nil after the last piece.
    /// - Throws: the codes of a `StoreError`; `unknown-file` if the file was removed meanwhile.
    package mutating func next() async throws -> [UInt8]? {
        let (number, start) = (part, part * TourStore.notebookPartBytes)
        guard start < bytes else { return nil }
        part += 1
        switch source {
        case .memory(let bytes): return Array(bytes[start..<min(start + TourStore.notebookPartBytes, bytes.count)])
        case .store(let store, let id):
            let piece = try await TourNode.besideTheLoop {
                do throws(StoreError) { return try store.notebookFilePart(id, number) } catch {
                    throw NodeError.store(error)
                }
            }
            guard let piece else {
                throw NodeError("unknown-file", Phrase("This picture or file was taken away meanwhile."))
            }
            return piece
        }
    }
}

// Pictures and files of saved places for clients that have no path on this machine.
extension TourNode {
    /// Adds a picture, or replaces the place's file.
    /// - Parameter name: the place's.
    /// - Throws: `unknown-item`, `picture-unknown-format`, `too-many-pictures`, and the codes of a `StoreError`.
    package func attach(_ file: NewNotebookFile, to name: String) async throws -> NotebookView {
        let id = try await notebookID(.place, name)
        let picture = Self.pictureType(file.bytes)
        guard file.role == .file || picture != nil else {
            throw NodeError(
                "picture-unknown-format",
                Phrase("“\(file.name)” is no picture of JPEG, PNG, WebP, HEIC or GIF: attach it as a file."))
        }
        let attachment = NotebookAttachment(
            id: .random(using: &rng), role: file.role == .picture ? .picture : .file,
            name: SafeFileName(file.name).text, media: picture ?? Self.mediaType(claimed: file.media),
            bytes: file.bytes.count)
        try await editing(id) { _, entry in
            let pictures = entry.files.count { $0.role == .picture }
            guard file.role == .file || pictures < Limits.notebookPicturesMax else { throw NodeError.tooManyPictures }
            return [.attach(id, attachment, file.bytes)]
        }
        return try await view(of: id)
    }

    /// A file of a place. One that is only at the server is fetched first, and kept.
    /// - Parameter file: its id, or six or more of the id's first digits.
    /// - Throws: `unknown-item`, `unknown-file`, `no-mailbox`, and why the server does not send it.
    package func notebookFileReader(_ file: String, of name: String) async throws -> NotebookFileReader {
        let id = try await notebookID(.place, name)
        let (found, isHere) = try await besideTheLoop { store in
            guard let entry = try store.notebookEntry(id) else { throw NodeError.unknownItem(.place, name) }
            let found = try Self.attachment(file, of: entry)
            return (found, try found.bytes == 0 && found.url == nil || store.notebookFilePart(found.id, 0) != nil)
        }
        if isHere { return NotebookFileReader(found, at: store) }
        let fetched = try await notebookFile(found.id, of: id)
        let isKept = try await besideTheLoop { store in try store.notebookFilePart(found.id, 0) != nil }
        return isKept
            ? NotebookFileReader(fetched.attachment, at: store)
            : NotebookFileReader(fetched.attachment, fetched: fetched.bytes)
    }

    /// Never the type of a picture: the bytes show those.
    private static func mediaType(claimed words: String?) -> String {
        let bare = (words ?? "").lowercased().prefix { $0 != ";" && $0 != " " }
        guard !bare.hasPrefix("image/"), let type = MediaType(Array(bare.utf8)) else { return MediaType.unknown }
        return type.text
    }
}
