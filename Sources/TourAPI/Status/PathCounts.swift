/// How many neighbours unicast datagrams reach. Source: `Protocol/08-datagrams.md`, "Paths".
package struct PathCounts: Encodable, Hashable, JSONObject {
    /// No datagram was needed yet, or the first is on its way.
    package var untested: Int = 0
    /// Datagrams come through.
    package var working: Int = 0
    /// Datagrams do not come through, or one side has no port for them: the link carries everything.
    package var blocked: Int = 0
    /// Switched off.
    package var off: Int = 0
}

/// Whether multicast works on a network. Source: `Protocol/08-datagrams.md`, "Proof".
package enum MulticastState: String, Encodable, JSONReadable {
    /// Members confirm that they hear us.
    case working
    /// Members are linked, yet for a while none of them has heard us.
    case blocked
    /// Nobody is there who could hear us, or it is too early to judge.
    case unknown
    /// Switched off, or the interface does not support multicast.
    case off
}
