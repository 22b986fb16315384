/// How much of one file is here.
package struct FileProgress: Hashable, Sendable {
    /// Bytes of the file that are here, counting complete chunks only.
    package var have: UInt64
    /// Whether all of it is here.
    package var complete: Bool

    package init(have: UInt64, complete: Bool) {
        self.have = have
        self.complete = complete
    }
}
