import Synchronization
import TourModel

/// The files in use, so that each is opened only once, and none is evicted while somebody reads it.
final class OpenBlobs: Sendable {
    private struct Entry {
        weak var file: BlobFile?
        /// The number of calls that are opening it.
        var openings = 0
    }

    private let entries = Mutex<[BlobPlace: Entry]>([:])

    /// - Parameter make: opens the file, which may take long; runs without the lock.
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
            // Another call was quicker: two objects for one file would miss each other's writes.
            if let other = entries[place]?.file { return other }
            entries[place]?.file = made
            return made
        }
    }

    func isOpen(_ place: BlobPlace) -> Bool {
        entries.withLock { $0[place].map { $0.openings > 0 || $0.file != nil } ?? false }
    }

    /// Forgets files that are gone: their holders may still read them, and nobody else gets them.
    func forget(where isGone: (BlobPlace) -> Bool) {
        entries.withLock { entries in
            for place in entries.keys where isGone(place) { entries[place]?.file = nil }
        }
    }
}
