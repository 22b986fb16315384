import Synchronization
import TourModel

/// What guests make this device read for them: parts of files, and the whole tour in a search. Each seat has a share of
/// its own, and one request of each kind at a time, so that no phone takes the others' turn.
/// Source: `Protocol/15-seats.md`, "Limits".
package final class GuestShares: Sendable {
    /// A kind of reading.
    package enum Kind: CaseIterable, Hashable, Sendable {
        case filePart, search

        fileprivate var rate: TokenBucket.Rate {
            switch self {
            case .filePart: GuestLimits.fileParts
            case .search: GuestLimits.searches
            }
        }
        fileprivate var atOnceMax: Int {
            switch self {
            case .filePart: GuestLimits.readersMax
            case .search: GuestLimits.searchersMax
            }
        }
    }

    private struct Share {
        var bucket: TokenBucket
        var isBusy = false
    }
    private struct Key: Hashable {
        let kind: Kind
        let seat: String
    }

    private let shares = Mutex<[Key: Share]>([:])

    package init() {}

    /// Begins to read something for a seat; if that succeeds, `end` follows.
    /// - Returns: nil, or in how many seconds the phone may ask again.
    package func begin(_ kind: Kind, of seat: String, now: Instant) -> Int? {
        shares.withLock { shares in
            // A share that is full again says nothing about its seat.
            shares = shares.filter { key, share in
                share.isBusy || (now - share.bucket.at).microseconds < key.kind.rate.refillMicroseconds
            }
            let key = Key(kind: kind, seat: seat)
            var share = shares[key] ?? Share(bucket: TokenBucket(full: kind.rate, at: now))
            let running = shares.count { $0.key.kind == kind && $0.value.isBusy }
            guard !share.isBusy, running < kind.atOnceMax else { return 1 }
            guard share.bucket.hasOne(now: now) else { return kind.rate.pauseSeconds }
            share.bucket.acquire()
            share.isBusy = true
            shares[key] = share
            return nil
        }
    }

    /// What began is done.
    package func end(_ kind: Kind, of seat: String) {
        shares.withLock { $0[Key(kind: kind, seat: seat)]?.isBusy = false }
    }
}
