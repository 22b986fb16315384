import NIOCore
import TourLink

/// Says for one connection when the next slice of a file goes to the system, which nothing overtakes in there.
///
/// Lives on the connection's loop.
final class BlobValve {
    typealias Networks = NIOLoopBoundBox<BlobNetworks>

    private let channel: any Channel
    private let address: String
    private let networks: Networks
    private var place: (network: BlobNetwork, link: BlobWay.Link)?
    /// Called when it is this connection's turn, after it was refused one.
    var opens: (() -> Void)?

    /// - Parameter address: our own on the connection, which names the network.
    init(_ channel: any Channel, address: String, networks: Networks) {
        self.channel = channel
        self.address = address
        self.networks = networks
    }

    /// - Parameter bytes: of the next slice.
    /// - Returns: whether it may go. If not, `opens` tells when it is worth the while to ask again.
    func takes(bytes: Int) -> Bool {
        if place == nil {
            let network = networks.value[address]
            place = (network, network.admit(self))
        }
        guard let place else { return false }
        return place.network.takes(place.link, bytes: bytes)
    }

    var reading: BlobPace.Reading? { TCPReading.of(channel) }

    /// Nothing waits.
    func leave() {
        if let place { place.network.leave(place.link) }
    }

    /// The connection is gone.
    func forget() {
        opens = nil
        guard let place else { return }
        place.network.forget(place.link)
        networks.value.forgetEmpty(address)
        self.place = nil
    }
}
