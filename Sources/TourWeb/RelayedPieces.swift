/// A body that arrives from elsewhere while it is passed on: each piece is waited for, so that few are in memory. Who
/// brings it is cancelled once nobody can take it any more.
package final class RelayedPieces: Sendable {
    private let handover = Handover()
    private let task: Task<Void, Never>

    /// - Parameter bring: passes on the pieces, one after the other, by its argument, which returns once the piece was
    ///   taken.
    package init(_ bring: @escaping @Sendable (@escaping @Sendable ([UInt8]) async -> Void) async throws -> Void) {
        task = Task { [handover] in
            do {
                try await bring { await handover.give($0) }
                await handover.end(.success(()))
            } catch {
                await handover.end(.failure(error))
            }
        }
    }

    deinit { task.cancel() }

    /// The next piece; nil at the end.
    /// - Throws: the error that ended the body.
    package func next() async throws -> [UInt8]? { try await handover.next() }

    /// One place between the two, for one piece.
    private actor Handover {
        private var piece: [UInt8]?
        private var outcome: Result<Void, any Error>?
        private var giver: CheckedContinuation<Void, Never>?
        private var taker: CheckedContinuation<Void, Never>?

        /// Returns once the piece was taken, or nobody takes it any more.
        func give(_ bytes: [UInt8]) async {
            guard outcome == nil, !Task.isCancelled else { return }
            piece = bytes
            wake()
            await withTaskCancellationHandler {
                // The taker may have been faster than this.
                guard piece != nil, outcome == nil else { return }
                await withCheckedContinuation { giver = $0 }
            } onCancel: {
                Task { await end(.failure(CancellationError())) }
            }
        }

        func end(_ result: Result<Void, any Error>) {
            if outcome == nil { outcome = result }
            wake()
        }

        func next() async throws -> [UInt8]? {
            while piece == nil, outcome == nil {
                await withCheckedContinuation { taker = $0 }
            }
            guard let taken = piece else {
                try outcome?.get()
                return nil
            }
            piece = nil
            wake()
            return taken
        }

        private func wake() {
            for waiting in [giver, taker] { waiting?.resume() }
            (giver, taker) = (nil, nil)
        }
    }
}
