import NIOCore
import TourLink

/// Decides for one connection when the next slice of a file goes to the system, where nothing overtakes it.
///
/// Lives on the connection's loop.
final class BlobValve {
    typealias Networks = NIOLoopBoundBox<BlobNetworks>

    private let channel: any Channel
    private let address: String
    private let networks: Networks
    private var place: (network: BlobNetwork, link: BlobWay.Link)?
    /// Called when it is this connection's turn, after a refusal.
    var opens: (() -> Void)?

    /// - Parameter address: our own on the connection, which identifies the network.
    init(_ channel: any Channel, address: String, networks: Networks) {
        self.channel = channel
        self.address = address
        self.networks = networks
    }

    /// - Parameter bytes: the size of the next slice.
    /// - Returns: whether it may go. If not, `opens` is called when it makes sense to ask again.
    func acquireTurn(bytes: Int) -> Bool {
        if place == nil {
            let network = networks.value[address]
            place = (network, network.admit(self))
        }
        guard let place else { return false }
        return place.network.acquireTurn(for: place.link, bytes: bytes)
    }

    var reading: BlobPace.Reading? { TCPReading.of(channel) }

    /// Gives up the turn: nothing waits.
    func leave() {
        if let place { place.network.leave(place.link) }
    }

    /// Forgets the connection, which has closed.
    func forget() {
        opens = nil
        guard let place else { return }
        place.network.forget(place.link)
        networks.value.forgetEmpty(address)
        self.place = nil
    }
}
