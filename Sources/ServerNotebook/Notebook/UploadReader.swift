import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook

/// Reads the parts of an upsert as they arrive: the payload into memory, pictures and the file onto the disk.
struct UploadReader {
    /// A file that has arrived whole and that no item refers to yet.
    struct Part: Sendable {
        let id: NotebookID
        /// The hash of its bytes.
        let hash: Bytes32
    }

    /// The JSON of the saved places; nil while no such part has arrived.
    private(set) var payload: Data?
    private(set) var pictures: [Part] = []
    private(set) var file: Part?
    /// Every file that was begun, whatever became of it.
    private(set) var begun: [NotebookID] = []

    private let files: NotebookFiles
    private let account: AuthenticatedAccount
    private let arriving: ArrivingBytes
    /// Microseconds since 1970.
    private let now: Int64
    private var parts = 0
    private var current = Current.none

    private enum Current {
        case none
        case payload
        case upload(Upload)
    }

    /// A part that is written to the disk.
    private struct Upload {
        let head: MultipartReader.Head
        /// The part's name in errors: `images[0]`.
        let field: String
        let isPicture: Bool
        var target: (id: NotebookID, file: BlobFile)?
        var written: Int64 = 0
        var waiting: [UInt8] = []
        /// The first bytes, by which pictures are recognised.
        var start: [UInt8] = []

        var size: Int64 { written + Int64(waiting.count) }
    }

    init(files: NotebookFiles, account: AuthenticatedAccount, now: Int64) {
        self.files = files
        self.account = account
        arriving = ArrivingBytes(of: account)
        self.now = now
    }

    /// - Throws: `invalidField` for a picture of no known kind, for a file without bytes, and for too many or repeated
    ///   parts; `tooLarge`, `quota`, `unavailable`.
    mutating func receive(_ event: MultipartReader.Event) async throws(Failure) {
        switch (event, current) {
        case (.begin(let head), _): try begin(head)
        case (.bytes(let bytes), .payload): try appendPayload(bytes)
        case (.bytes(let bytes), .upload(var upload)):
            current = .none
            try await write(bytes, to: &upload)
            current = .upload(upload)
        case (.end, .upload(let upload)):
            current = .none
            try await finish(upload)
        case (.end, _): current = .none
        case (.bytes, .none): break
        }
    }

    private mutating func begin(_ head: MultipartReader.Head) throws(Failure) {
        parts += 1
        guard parts <= ServerLimits.upsertPartsMax else { throw Failure(.tooLarge) }
        switch head.name {
        case "payload":
            guard payload == nil else { throw .invalid("payload") }
            payload = Data()
            current = .payload
        case "images[]", "images":
            guard pictures.count < Limits.notebookPicturesMax else { throw .invalid("images") }
            current = .upload(Upload(head: head, field: "images[\(pictures.count)]", isPicture: true))
        case "file":
            guard file == nil else { throw .invalid("file") }
            current = .upload(Upload(head: head, field: "file", isPicture: false))
        // Unknown parts are skipped, like unknown fields in JSON.
        default: current = .none
        }
    }

    private mutating func appendPayload(_ bytes: [UInt8]) throws(Failure) {
        payload?.append(contentsOf: bytes)
        guard (payload?.count ?? 0) <= ServerLimits.upsertPayloadMax else { throw Failure(.tooLarge) }
    }

    private mutating func write(_ bytes: [UInt8], to upload: inout Upload) async throws(Failure) {
        guard upload.size + Int64(bytes.count) <= Int64(Limits.notebookFileBytesMax) else { throw Failure(.tooLarge) }
        if upload.start.count < PictureKind.headBytes {
            upload.start += bytes.prefix(PictureKind.headBytes - upload.start.count)
            // Checked before any byte is written.
            if upload.start.count == PictureKind.headBytes { try check(upload) }
        }
        upload.waiting += bytes
        guard upload.waiting.count >= ServerLimits.uploadPieceBytes else { return }
        try await flush(&upload)
    }

    private func check(_ upload: Upload) throws(Failure) {
        guard upload.isPicture, PictureKind(head: upload.start) == nil else { return }
        throw .invalid(upload.field)
    }

    private mutating func flush(_ upload: inout Upload) async throws(Failure) {
        // Before anything is on the disk.
        try arriving.take(Int64(upload.waiting.count))
        if upload.target == nil {
            let target = try await files.begin(of: account, now: now)
            begun.append(target.0)
            upload.target = target
        }
        guard let file = upload.target?.file else { return }
        let (bytes, place) = (upload.waiting, upload.written)
        try await BlobFile.onDisk { () throws(Failure) in try file.write(bytes, at: place) }
        upload.written += Int64(bytes.count)
        upload.waiting = []
    }

    private mutating func finish(_ upload: Upload) async throws(Failure) {
        var upload = upload
        guard upload.size > 0 else {
            // Browsers send an empty part without a file name if the user chose no file.
            guard !upload.isPicture, (upload.head.fileName ?? "").isEmpty else { throw .invalid(upload.field) }
            return
        }
        try check(upload)
        try await flush(&upload)
        guard let (id, bytes) = upload.target else { return }
        let known = NotebookFile(
            id: id, account: account.id, name: FileName.text(upload.head.fileName),
            media: FileName.media(upload.head.media, start: upload.start), bytes: upload.written)
        let part = Part(id: id, hash: try await files.finish(known, bytes, of: account, arriving))
        if upload.isPicture { pictures.append(part) } else { file = part }
    }
}

/// Sanitises the name that a client gives a file: others save the file under it.
enum FileName {
    /// The name without folders, control characters and marks of writing direction; at most
    /// `ServerLimits.fileNameBytesMax` bytes.
    static func text(_ sent: String?) -> String {
        let last = (sent ?? "").split { $0 == "/" || $0 == "\\" }.last ?? ""
        var name = ""
        for scalar in last.unicodeScalars {
            let isShown = scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
            let isDirection = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            guard isShown, !isDirection else { continue }
            guard name.utf8.count + String(scalar).utf8.count <= ServerLimits.fileNameBytesMax else { break }
            name.unicodeScalars.append(scalar)
        }
        return name == "." || name == ".." ? "" : name
    }

    /// The media type by the first bytes, if they are a picture's; else the client's word, unless that claims a
    /// picture.
    static func media(_ sent: String?, start: [UInt8]) -> String {
        if let picture = PictureKind(head: start) { return picture.rawValue }
        let text = (sent ?? "").prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        guard text.utf8.count <= ServerLimits.mediaTypeBytesMax, !text.hasPrefix("image/"),
            text.wholeMatch(of: /[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*/) != nil
        else { return "application/octet-stream" }
        return text
    }
}
