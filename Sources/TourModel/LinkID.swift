/// Names one connection, as the shell does. Never used twice.
package struct LinkID: Hashable, Comparable, Sendable {
    package let value: UInt64

    package init(value: UInt64) { self.value = value }

    package static func < (left: LinkID, right: LinkID) -> Bool { left.value < right.value }
}
