import ServerBase
import ServerStorage

/// The places of answers that last as long as their readers like.
package struct AnswerPlaces: Sendable {
    /// The open event streams of this process: each holds a connection.
    package let listeners = CallerPlaces(
        "listeners", inAll: ServerLimits.listenersMax, perCaller: ServerLimits.listenersPerCaller,
        retryAfter: ServerLimits.listenersRetry)
    /// The places of callers that receive files.
    package let files = FilePlaces()
}

/// Bounds the blobs and files that this process sends at once: each holds an open file, or a piece of a bucket's
/// object, for as long as its reader takes.
/// Source: `Protocol/10-server.md`, "Slow clients".
package struct FilePlaces: Sendable {
    /// Free again once the last copy is gone, however its request ended.
    package struct Place: Sendable {
        fileprivate let ofAddress: CallerPlaces.Place
        fileprivate let ofCaller: CallerPlaces.Place
    }

    private let addresses: CallerPlaces
    private let callers: CallerPlaces

    /// - Parameter inAll: how many are sent at once.
    /// - Parameter perCaller: how many of these to one account or member.
    /// - Parameter perAddress: how many of these to one address.
    package init(
        inAll: Int = ServerLimits.filesMax, perCaller: Int = ServerLimits.filesPerCaller,
        perAddress: Int = ServerLimits.filesPerAddress
    ) {
        addresses = CallerPlaces(
            "files", inAll: inAll, perCaller: perAddress, retryAfter: ServerLimits.filesRetry)
        callers = CallerPlaces("files", perCaller: perCaller, retryAfter: ServerLimits.filesRetry)
    }

    /// - Parameter caller: the account or member, as rate limits name it.
    /// - Parameter address: the client's, as rate limits count it.
    /// - Throws: `tooManyRequests` when the caller or its address has its maximum; `unavailable` when all have theirs.
    package func place(for caller: String, at address: String) throws(Failure) -> Place {
        let ofAddress = try addresses.place(for: address)
        return Place(ofAddress: ofAddress, ofCaller: try callers.place(for: caller))
    }
}

/// Stored bytes that an answer sends, with its place.
package struct PlacedBytes: StoredBytes {
    let bytes: any StoredBytes
    let place: FilePlaces.Place

    package init(bytes: any StoredBytes, place: FilePlaces.Place) {
        self.bytes = bytes
        self.place = place
    }

    /// See `StoredBytes.size`.
    package func size() throws(Failure) -> Int64 { try bytes.size() }

    /// See `StoredBytes.read`.
    package func read(_ range: Range<Int64>, _ take: ([UInt8]) async throws -> Void) async throws {
        defer { withExtendedLifetime(place) {} }
        try await bytes.read(range, take)
    }
}
