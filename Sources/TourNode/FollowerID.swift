/// Identifies one reader of a tour's news.
package struct FollowerID: Hashable, Sendable {
    let value: UInt64
}
