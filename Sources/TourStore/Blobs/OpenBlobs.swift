import Synchronization
import TourModel

/// The files that somebody holds, so that each is open once, and none is thrown out under its reader.
final class OpenBlobs: Sendable {
    private struct Entry {
        weak var file: BlobFile?
        /// Calls that are about to open it.
        var openings = 0
    }

    private let entries = Mutex<[BlobPlace: Entry]>([:])

    /// - Parameter make: opens it, which may take long; not under a lock.
    func file(
        _ place: BlobPlace, make: () throws(StoreError) -> BlobFile?
    ) throws(StoreError) -> BlobFile? {
        let found = entries.withLock { entries -> BlobFile? in
            entries = entries.filter { $0.value.openings > 0 || $0.value.file != nil }
            if let file = entries[place]?.file { return file }
            entries[place, default: Entry()].openings += 1
            return nil
        }
        if let found { return found }
        defer { entries.withLock { $0[place]?.openings -= 1 } }
        guard let made = try make() else { return nil }
        return entries.withLock { entries in
            // Somebody was quicker: two of one file would not know what the other wrote.
            if let other = entries[place]?.file { return other }
            entries[place]?.file = made
            return made
        }
    }

    func isOpen(_ place: BlobPlace) -> Bool {
        entries.withLock { $0[place].map { $0.openings > 0 || $0.file != nil } ?? false }
    }

    /// They are gone: whoever holds one still reads it, and nobody else gets it.
    func forget(where isGone: (BlobPlace) -> Bool) {
        entries.withLock { entries in
            for place in entries.keys where isGone(place) { entries[place]?.file = nil }
        }
    }
}
