/// Which files a node fetches unasked. The user's own wish always counts: `save` and `open` fetch whatever the policy
/// says.
package enum FilePolicy: String, Sendable, CaseIterable {
    /// Files of a size up to a bound, of a member without a rank fewer: so every member has them, and can still give
    /// them to others when the sender is gone.
    case small
    /// Every file that fits on the disk, whatever its size and author.
    case always
    /// None: messages and thumbnails arrive, the files only on request.
    case ask
    /// As `small`, but none over Bluetooth.
    case wifiOnly = "wifi-only"
}
