import TourMailbox
import TourModel
import TourNotebook
import TourStore

/// How the notebook of this node stands with the server.
struct NotebookDesk {
    var plan = NotebookPlan()
    var memory = NotebookMemory()
    /// The sync that is under way.
    var task: Task<Void, Never>?
    /// How the last one ended, if not well.
    var problem: NotebookRunError?
    /// When it ended.
    var endedAt: Instant?
    /// What the server did not take before is sent again: a start, and somebody who asks, are occasions.
    var sendsRefused = true
}

/// The notebook in the node's store, as its sync sees it. The disk is read and written beside the loop.
struct StoredNotebook: NotebookPeer {
    let store: TourStore
    let sendsRefused: Bool
    /// Told what went wrong at the disk.
    let report: @Sendable (StoreError) async -> Void

    func claim(for account: NotebookID) async -> Bool? {
        await trying { () throws(StoreError) in try store.claimNotebook(for: account.text) }
    }

    func exchange(after place: Int64, limit: Int) async -> (exchange: DeltaExchange, place: Int64)? {
        await trying { () throws(StoreError) in
            try store.nextNotebookExchange(after: place, limit: limit, withRefused: sendsRefused)
        } ?? nil
    }

    func take(_ answer: DeltaAnswer, to exchange: DeltaExchange) async -> Bool {
        await trying { () throws(StoreError) in try store.take(answer, to: exchange) } ?? false
    }

    func upload(after place: Int64) async -> FileUpload? {
        await trying { () throws(StoreError) in
            try store.nextNotebookUpload(after: place, withRefused: sendsRefused)
        } ?? nil
    }

    func part(of upload: FileUpload, _ number: Int) async -> [UInt8]? {
        await trying { () throws(StoreError) in try store.notebookFilePart(upload.id, number) } ?? nil
    }

    func settle(_ upload: FileUpload, as item: NotebookItem) async {
        _ = await trying { () throws(StoreError) in try store.settle(upload, as: item) }
    }

    func refuse(_ upload: FileUpload, _ words: String) async {
        _ = await trying { () throws(StoreError) in try store.refuse(upload, words) }
    }

    private func trying<Value: Sendable>(
        _ work: @Sendable () throws(StoreError) -> Value
    ) async -> Value? {
        do {
            return try await TourNode.besideTheLoop { try work() }
        } catch {
            if let error = error as? StoreError { await report(error) }
            return nil
        }
    }
}
