import TourImage
import TourModel
import TourNotebook
import TourStore

// Pictures and files of saved places.
extension NodeNotebook {
    /// A file of a place that was saved.
    package struct SavedAttachment: Encodable, Sendable {
        package var id: NotebookID
        package var path: String
        /// Its size.
        package var bytes: Int
    }

    /// Saves all files of a place in a directory, under safe names that are free there; those that are only at the
    /// server are fetched first.
    /// - Parameter directory: absolute.
    /// - Throws: `no-files`, `unknown-item`, `bad-path`, and why the server does not send one.
    package func saveFiles(_ name: String, to directory: String) async throws -> [SavedAttachment] {
        let id = try await id(.place, name)
        let files = try await besideTheLoop { store in try store.notebookEntry(id)?.files ?? [] }
        guard !files.isEmpty else { throw NodeError.notebook(.noFiles) }
        var saved: [SavedAttachment] = []
        for file in files {
            let (file, bytes) = try await self.file(file.id, of: id)
            let name = SafeFileName(NotebookView.name(of: file))
            let path = try await besideTheLoop { _ in try TourStore.save(bytes, in: directory, named: name) }
            saved.append(SavedAttachment(id: file.id, path: path, bytes: bytes.count))
        }
        return saved
    }

    struct NewAttachment: Sendable {
        var attachment: NotebookAttachment
        var bytes: [UInt8]
    }

    /// The files that a draft attaches, read completely.
    /// - Throws: `no-such-file`, `not-a-file`, `file-too-large`, `picture-unknown-format`.
    func attachments(of draft: NotebookDraft) async throws -> [NewAttachment] {
        guard draft.pictures.count <= Limits.notebookPicturesMax else {
            throw NodeError.notebook(.tooManyPictures)
        }
        var attachments: [NewAttachment] = []
        var room = Limits.notebookAttachedBytesMax
        for path in draft.pictures {
            let bytes = try await read(path, &room)
            guard let media = Self.pictureType(bytes) else {
                throw NodeError.notebook(.noPicture(path: path))
            }
            attachments.append(attachment(path, .picture, media, bytes))
        }
        if let path = draft.file {
            let bytes = try await read(path, &room)
            let media = await PictureTool().mediaType(of: path)
            attachments.append(attachment(path, .file, media, bytes))
        }
        return attachments
    }

    nonisolated static func attachment(_ name: String, of entry: NotebookEntry) throws(NodeError) -> NotebookAttachment
    {
        let digits = name.filter { $0 != "-" }.lowercased()
        let found = digits.utf8.count >= 6 ? entry.files.filter { $0.id.digits.hasPrefix(digits) } : []
        guard let first = found.first else {
            throw NodeError.notebook(.unknownFile(name))
        }
        guard found.count == 1 else { throw NodeError.ambiguous(name, found.map { String($0.id.digits.prefix(12)) }) }
        return first
    }

    private func read(_ path: String, _ room: inout Int) async throws -> [UInt8] {
        let left = min(room, Limits.notebookFileBytesMax)
        let bytes = try await besideTheLoop { _ in
            do throws(StoreError) { return try TourStore.bytes(ofFile: path, bytesMax: left) } catch {
                throw NodeError.notebook(.unattachable(error, path: path))
            }
        }
        room -= bytes.count
        return bytes
    }

    private func attachment(
        _ path: String, _ role: NotebookAttachment.Role, _ media: String, _ bytes: [UInt8]
    ) -> NewAttachment {
        let name = path.split(separator: "/").last.map { SafeFileName(String($0)).text } ?? "file"
        return NewAttachment(
            attachment: NotebookAttachment(
                id: newID(), role: role, name: name, media: media, bytes: bytes.count, url: nil),
            bytes: bytes)
    }

    /// By the first bytes, as the server checks it.
    static func pictureType(_ bytes: [UInt8]) -> String? {
        if let format = PictureFormat(signature: bytes.prefix(16)) { return format.mediaType }
        return bytes.starts(with: Array("GIF8".utf8)) ? "image/gif" : nil
    }
}

// The same for clients that have no path on this machine.
extension NodeNotebook {
    /// Adds a picture, or replaces the place's file.
    /// - Parameter name: the place's.
    /// - Throws: `unknown-item`, `picture-unknown-format`, `too-many-pictures`, and the codes of a `StoreError`.
    package func attach(_ file: NewNotebookFile, to name: String) async throws -> NotebookView {
        let id = try await id(.place, name)
        let picture = Self.pictureType(file.bytes)
        guard file.role == .file || picture != nil else {
            throw NodeError.notebook(.noPictureNamed(file.name))
        }
        let attachment = NotebookAttachment(
            id: newID(), role: file.role == .picture ? .picture : .file,
            name: SafeFileName(file.name).text, media: picture ?? Self.mediaType(claimed: file.media),
            bytes: file.bytes.count)
        try await editing(id) { _, entry in
            let pictures = entry.files.count { $0.role == .picture }
            guard file.role == .file || pictures < Limits.notebookPicturesMax else {
                throw NodeError.notebook(.tooManyPictures)
            }
            return [.attach(id, attachment, file.bytes)]
        }
        return try await view(of: id)
    }

    /// A file of a place. One that is only at the server is fetched first, and kept.
    /// - Parameter file: its id, or six or more of the id's first digits.
    /// - Throws: `unknown-item`, `unknown-file`, `no-mailbox`, and why the server does not send it.
    package func fileReader(_ file: String, of name: String) async throws -> NotebookFileReader {
        let id = try await id(.place, name)
        let (found, isHere) = try await besideTheLoop { store in
            guard let entry = try store.notebookEntry(id) else { throw NodeError.notebook(.unknownItem(.place, name)) }
            let found = try Self.attachment(file, of: entry)
            return (found, try found.bytes == 0 && found.url == nil || store.notebookFilePart(found.id, 0) != nil)
        }
        if isHere { return NotebookFileReader(found, at: store) }
        let fetched = try await self.file(found.id, of: id)
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
