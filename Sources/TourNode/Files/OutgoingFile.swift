import TourCrypto
import TourImage
import TourModel
import TourStore
import TourWire

/// A file of the user on its way into a message: the file itself, or a picture made from it.
struct OutgoingFile: Sendable {
    private let draft: FileDraft
    private let path: String
    private let media: String
    private let picture: PreparedPicture?

    /// - Parameter dataDirectory: where a picture is prepared.
    /// - Throws: `NodeError` with the codes of `PictureError`.
    init(preparing draft: FileDraft, in dataDirectory: String) async throws {
        self.draft = draft
        let tool = PictureTool()
        guard draft.isImage else {
            path = draft.path
            media = await tool.mediaType(of: draft.path)
            picture = nil
            return
        }
        let scratch = try FileScratch.make(FileScratch.prepared, in: dataDirectory)
        do throws(PictureError) {
            let picture = try await tool.prepare(draft.path, in: scratch)
            self.picture = picture
            path = picture.path
            media = picture.format.mediaType
        } catch {
            throw NodeError.file(.picture(error))
        }
    }

    /// Deletes what was made for this message alone.
    func discard() { if let picture { FileScratch.remove(picture.path) } }

    /// Seals the file into the store.
    /// - Parameter kept: files that are not deleted to make room.
    /// - Returns: what the message says.
    /// - Throws: `NodeError` with the codes of `StoreError`.
    func sealed(
        by own: MemberID, in tour: TourID, _ store: TourStore, keeping kept: Set<BlobID>, replyTo: EventID?
    ) async throws -> FileContent {
        let sealed = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            do throws(StoreError) {
                return try store.sealFile(
                    at: path, author: own, in: tour, quota: BlobQuota(), keeping: { kept.contains($0.manifest.id) }
                ) { _, _ in !Task.isCancelled }
            } catch {
                throw NodeError.file(.unsendable(error))
            }
        }
        return FileContent(
            key: sealed.key, shape: sealed.manifest.shape, pageHashes: sealed.manifest.pageHashes, name: name,
            media: media, thumbnail: picture?.thumbnail, width: UInt32(clamping: picture?.width ?? 0),
            height: UInt32(clamping: picture?.height ?? 0), caption: draft.caption.isEmpty ? nil : draft.caption,
            replyTo: replyTo)
    }

    /// The last part of the path as the user named it; a converted picture gets the ending of its new format.
    private var name: String {
        let last = (draft.name ?? draft.path).split(separator: "/").last.map(String.init) ?? "file"
        guard let picture else { return SafeFileName(exactly: last)?.text ?? SafeFileName(last).text }
        let stem = last.lastIndex(of: ".").map { String(last[..<$0]) } ?? last
        let name = (stem.isEmpty ? "picture" : stem) + "." + picture.format.fileExtension
        return SafeFileName(exactly: name)?.text ?? SafeFileName(name).text
    }
}
