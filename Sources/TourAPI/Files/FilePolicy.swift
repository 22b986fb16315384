/// Which files a node fetches unasked. The user's own wish always counts: `save` and `open` fetch whatever the policy
/// says.
package enum FilePolicy: String, Sendable, CaseIterable {
    /// Every file that fits on the disk: so every member has it, and can still give it to others when the sender is
    /// gone.
    case always
    /// None: messages and thumbnails arrive, the files only on request.
    case ask
    /// Every file, but none over Bluetooth.
    case wifiOnly = "wifi-only"
}
