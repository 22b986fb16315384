import TourCrypto
import TourModel
import TourWire

/// The datagram parameters of both sides' binds. Source: `Protocol/03-handshake.md`, "Bind".
package struct DatagramAgreement: Hashable, Sendable {
    /// Our side's key share and path number.
    package var own: DatagramPath.Side
    /// The peer's key share and path number.
    package var peer: DatagramPath.Side
    /// The peer's UDP port, at the address of the connection.
    package var peerPort: Int
    /// Whether we dialled.
    package var isInitiator: Bool

    /// Nil unless both sides receive datagrams.
    init?(own: BindMessage?, peer: BindMessage, isInitiator: Bool) {
        guard let own, own.datagramPort > 0, peer.datagramPort > 0 else { return nil }
        self.own = DatagramPath.Side(share: own.datagramShare, path: own.path)
        self.peer = DatagramPath.Side(share: peer.datagramShare, path: peer.path)
        peerPort = peer.datagramPort
        self.isInitiator = isInitiator
    }
}
