import TourModel
import TourNotebook

/// The node, as a sync of its notebook sees it. nil or false means that the node's own disk failed, which ends the
/// sync.
package protocol NotebookPeer: Sendable {
    /// - Returns: whether the notebook belongs to this account.
    func claim(for account: NotebookID) async -> Bool?

    /// The next changes to send.
    /// - Parameter position: 0, or the position that the previous call returned.
    func exchange(after position: Int64, limit: Int) async -> (exchange: DeltaExchange, position: Int64)?

    /// - Returns: whether the answer was applied, and is on the disk.
    func receive(_ answer: DeltaAnswer, to exchange: DeltaExchange) async -> Bool

    /// - Parameter position: 0, or the position of the previous upload.
    func upload(after position: Int64) async -> FileUpload?

    /// The bytes of a file, in parts from 0.
    func part(of upload: FileUpload, _ number: Int) async -> [UInt8]?

    /// The server accepted the file.
    func settle(_ upload: FileUpload, as item: NotebookItem) async

    /// The server rejected the file for good.
    func refuse(_ upload: FileUpload, _ words: String) async
}
