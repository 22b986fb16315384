import Synchronization
import TourModel
import TourNode

/// Pictures that guests send in parts, until the request that uses them: one of each seat, for a short time, in the
/// scratch of the data directory.
package final class GuestUploads: Sendable {
    /// A part of a picture.
    package struct Part: Sendable {
        /// The phone's name for the picture.
        package let id: String
        /// Where the part begins.
        package let offset: UInt64
        /// The whole picture's.
        package let size: UInt64
        package let bytes: [UInt8]

        package init(id: String, offset: UInt64, size: UInt64, bytes: [UInt8]) {
            self.id = id
            self.offset = offset
            self.size = size
            self.bytes = bytes
        }
    }

    private struct Upload {
        let id: String
        let size: UInt64
        let file: IncomingFile
        var have: UInt64 = 0
        var isWriting = false
        var until: ContinuousClock.Instant
    }

    private let directory: String
    private let uploads = Mutex<[String: Upload]>([:])

    package init(directory: String) { self.directory = directory }

    /// Adds a part; one that does not begin where the last one ended adds nothing.
    /// - Returns: how much of the picture is here.
    /// - Throws: `file-too-large`, `disk-full`, `slow-down`.
    package func add(
        _ part: Part, of seat: String, now: ContinuousClock.Instant = .now
    ) async throws -> UInt64 {
        if uploads.withLock({ $0[seat]?.id != part.id || $0[seat]?.size != part.size }) {
            try await begin(part, of: seat, now: now)
        }
        let file = uploads.withLock { uploads -> IncomingFile? in
            guard let upload = uploads[seat], upload.id == part.id, !upload.isWriting, upload.have == part.offset,
                !part.bytes.isEmpty
            else { return nil }
            uploads[seat]?.isWriting = true
            return upload.file
        }
        guard let file else { return have(part.id, of: seat) }
        do {
            try await TourNode.besideTheLoop {
                try file.write(part.bytes)
                if part.offset + UInt64(part.bytes.count) == part.size { try file.finish() }
            }
        } catch {
            remove(of: seat, ifItIs: part.id)
            throw error
        }
        return uploads.withLock { uploads in
            guard var upload = uploads[seat], upload.file === file else { return 0 }
            upload.have += UInt64(part.bytes.count)
            upload.isWriting = false
            upload.until = now + GuestLimits.pictureTime
            uploads[seat] = upload
            return upload.have
        }
    }

    /// A whole picture, for a request that uses it; it stays, since an answer may be lost.
    /// - Throws: `unknown-upload`.
    func whole(_ id: String, of seat: String) throws -> IncomingFile {
        let upload = uploads.withLock { $0[seat] }
        guard let upload, upload.id == id, upload.have == upload.size else {
            throw NodeError.seat(.unknownUpload)
        }
        return upload.file
    }

    /// Forgets the picture of a seat.
    package func remove(of seat: String) { discard(uploads.withLock { $0.removeValue(forKey: seat) }) }

    /// Forgets the pictures that waited for too long.
    package func expire(now: ContinuousClock.Instant = .now) {
        let old = uploads.withLock { uploads in
            let old = uploads.filter { $0.value.until <= now }
            for seat in old.keys { uploads[seat] = nil }
            return old
        }
        for upload in old.values { discard(upload) }
    }

    /// Forgets all pictures.
    package func removeAll() {
        let all = uploads.withLock { uploads in
            defer { uploads = [:] }
            return uploads
        }
        for upload in all.values { discard(upload) }
    }

    private func begin(_ part: Part, of seat: String, now: ContinuousClock.Instant) async throws {
        guard part.size <= GuestLimits.pictureBytesMax else {
            throw NodeError.file(.tooLarge(bytesMax: GuestLimits.pictureBytesMax))
        }
        guard uploads.withLock({ $0[seat] != nil || $0.count < GuestLimits.picturesMax }) else {
            throw NodeError.seat(.slowDown(10))
        }
        let file = try await TourNode.besideTheLoop { [directory] in
            try IncomingFile(in: directory, bytes: part.size, bytesMax: GuestLimits.pictureBytesMax)
        }
        let before = uploads.withLock { uploads in
            uploads.updateValue(
                Upload(id: part.id, size: part.size, file: file, until: now + GuestLimits.pictureTime), forKey: seat)
        }
        discard(before)
    }

    private func have(_ id: String, of seat: String) -> UInt64 {
        uploads.withLock { $0[seat]?.id == id ? $0[seat]?.have ?? 0 : 0 }
    }

    private func remove(of seat: String, ifItIs id: String) {
        let upload = uploads.withLock { $0[seat]?.id == id ? $0.removeValue(forKey: seat) : nil }
        discard(upload)
    }

    private func discard(_ upload: Upload?) { upload?.file.discard() }
}
