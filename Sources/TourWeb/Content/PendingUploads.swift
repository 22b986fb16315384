import Synchronization
import TourModel
import TourNode
import TourWords

/// An uploaded file, to be used by a later request.
struct Upload: Sendable {
    let file: IncomingFile
    /// The user's name for it.
    let name: String
}

/// Files that wait for the request that uses them: few, for a short time, each for one use.
final class PendingUploads: Sendable {
    static let fileBytesMax: UInt64 = 64 * 1024 * 1024
    static let uploadsMax = 8
    static let lifetime: Duration = .seconds(600)
    private static let nameBytes = 16

    private let uploads = Mutex<[String: (upload: Upload, until: ContinuousClock.Instant)]>([:])

    /// - Throws: `busy`.
    func checkRoom() throws(WebError) {
        guard uploads.withLock({ $0.count }) < Self.uploadsMax else { throw Self.full }
    }

    /// - Returns: its id.
    /// - Throws: `busy`.
    func put(_ upload: Upload) throws(WebError) -> String {
        var random = SystemRandomNumberGenerator()
        let id = Hex.encode((0..<Self.nameBytes).map { _ in UInt8.random(in: 0...255, using: &random) })
        let isKept = uploads.withLock { uploads in
            guard uploads.count < Self.uploadsMax else { return false }
            uploads[id] = (upload, .now + Self.lifetime)
            return true
        }
        guard isKept else { throw Self.full }
        Task { [weak self] in
            try? await Task.sleep(for: Self.lifetime)
            self?.remove(id)
        }
        return id
    }

    /// Lends the file to a request, whose success uses it up.
    /// - Throws: `unknown-upload`.
    func use<Result>(_ id: String, _ work: (Upload) async throws -> Result) async throws -> Result {
        guard let (upload, until) = uploads.withLock({ $0.removeValue(forKey: id) }) else {
            throw WebError(
                "unknown-upload", Phrase("This file was used already, or waited for too long: send it again."))
        }
        do {
            let result = try await work(upload)
            upload.file.discard()
            return result
        } catch {
            if until > .now { uploads.withLock { $0[id] = (upload, until) } } else { upload.file.discard() }
            throw error
        }
    }

    private func remove(_ id: String) {
        uploads.withLock { $0.removeValue(forKey: id) }?.upload.file.discard()
    }

    private static var full: WebError {
        WebError("busy", Phrase("Other files are waiting to be used; try again in a few minutes."))
    }
}
