import TourModel

/// The name of a server's file: BLAKE2b-256 of its bytes, without label or lengths, so that other programs compute the
/// same.
/// Source: `Protocol/10-server.md`, "Blobs".
package enum ContentHash {
    /// - Parameter next: the next piece; nil at the end.
    package static func of<Failure: Error>(_ next: () throws(Failure) -> [UInt8]?) throws(Failure) -> Bytes32 {
        var failure: Failure?
        let hash = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Bytes32.count) { output in
            BLAKE2b.hash(into: output, keyed: nil) { state in
                do throws(Failure) {
                    while let piece = try next() { state.update(piece) }
                } catch {
                    failure = error
                }
            }
            return Bytes32(exactly: output)
        }
        if let failure { throw failure }
        return hash
    }
}
