import TourNotebook

/// The node, as a sync of its notebook sees it. Where it fails at its own disk it says nil or false, and the sync ends.
package protocol NotebookPeer: Sendable {
    /// - Returns: whether the notebook is this account's.
    func claim(for account: NotebookID) async -> Bool?

    /// What goes out next.
    /// - Parameter place: 0, or what the last one gave.
    func exchange(after place: Int64, limit: Int) async -> (exchange: DeltaExchange, place: Int64)?

    /// - Returns: whether the answer was carried out, and is on the disk.
    func take(_ answer: DeltaAnswer, to exchange: DeltaExchange) async -> Bool

    /// - Parameter place: 0, or that of the one before.
    func upload(after place: Int64) async -> FileUpload?

    /// The bytes of a file, in parts from 0.
    func part(of upload: FileUpload, _ number: Int) async -> [UInt8]?

    /// The server took the file.
    func settle(_ upload: FileUpload, as item: NotebookItem) async

    /// It did not, and will not.
    func refuse(_ upload: FileUpload, _ words: String) async
}
