import TourModel
import TourNotebook
import TourStore

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

    init(_ file: NotebookAttachment, at store: TourStore) {
        self.init(file, .store(store, file.id))
    }

    init(_ file: NotebookAttachment, fetched bytes: [UInt8]) { self.init(file, .memory(bytes)) }

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
            let piece: [UInt8]?
            do throws(StoreError) {
                piece = try await StoredNotebook.besideTheLoop { () throws(StoreError) in
                    try store.notebookFilePart(id, number)
                }
            } catch {
                throw NodeError.store(error)
            }
            guard let piece else {
                throw NodeError.notebook(.fileGone)
            }
            return piece
        }
    }
}
