import TourMailbox
import TourModel
import TourNotebook
import TourStore

/// The notebook in the node's store, as its sync sees it. Reads and writes the disk off the loop.
struct StoredNotebook: NotebookPeer {
    let store: TourStore
    let sendsRefused: Bool
    /// Receives the errors of the disk.
    let report: @Sendable (StoreError) async -> Void

    func claim(for account: NotebookID) async -> Bool? {
        await trying { () throws(StoreError) in try store.claimNotebook(for: account.text) }
    }

    func exchange(after position: Int64, limit: Int) async -> (exchange: DeltaExchange, position: Int64)? {
        await trying { () throws(StoreError) in
            try store.nextNotebookExchange(after: position, limit: limit, withRefused: sendsRefused)
        } ?? nil
    }

    func receive(_ answer: DeltaAnswer, to exchange: DeltaExchange) async -> Bool {
        await trying { () throws(StoreError) in try store.apply(answer, to: exchange) } ?? false
    }

    func upload(after position: Int64) async -> FileUpload? {
        await trying { () throws(StoreError) in
            try store.nextNotebookUpload(after: position, withRefused: sendsRefused)
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
        do throws(StoreError) {
            return try await Self.besideTheLoop(work)
        } catch {
            await report(error)
            return nil
        }
    }

    static func besideTheLoop<Value: Sendable>(
        _ work: @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { () throws(StoreError) in try work() }
    }
}
