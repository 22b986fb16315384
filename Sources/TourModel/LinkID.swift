/// Names one connection; the shell assigns each number once.
package struct LinkID: Hashable, Comparable, Sendable {
    /// The shell's number.
    package let value: UInt64

    package init(value: UInt64) { self.value = value }

    package static func < (left: LinkID, right: LinkID) -> Bool { left.value < right.value }
}
