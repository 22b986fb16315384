import TourCrypto
import TourModel
import TourWire

/// What both sides' binds say of datagrams. Source: `Protocol/03-handshake.md`, "Bind".
package struct DatagramAgreement: Hashable, Sendable {
    package var own: DatagramPath.Side
    package var peer: DatagramPath.Side
    /// Where the peer hears them, at the address of the connection.
    package var peerPort: Int
    package var isInitiator: Bool

    /// Nil unless both sides hear datagrams.
    init?(own: BindMessage?, peer: BindMessage, isInitiator: Bool) {
        guard let own, own.datagramPort > 0, peer.datagramPort > 0 else { return nil }
        self.own = DatagramPath.Side(share: own.datagramShare, path: own.path)
        self.peer = DatagramPath.Side(share: peer.datagramShare, path: peer.path)
        peerPort = peer.datagramPort
        self.isInitiator = isInitiator
    }
}
