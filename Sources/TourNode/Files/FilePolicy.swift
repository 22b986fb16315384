/// Which files a node fetches by itself. Its own user's wish always counts: `save` and `open` fetch whatever this says.
package enum FilePolicy: String, Sendable, CaseIterable {
    /// All that there is room for: so everybody has them, also for the others, when the sender is gone.
    case always
    /// None: their messages and small pictures are there, the rest when it is asked for.
    case ask
    /// All, but nothing comes over Bluetooth.
    case wifiOnly = "wifi-only"
}
