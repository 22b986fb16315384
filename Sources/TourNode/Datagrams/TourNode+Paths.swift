import NIOCore
import TourCrypto
import TourGossip
import TourLink
import TourModel
import TourTransport
import TourWire

/// Unicast datagrams to neighbours: the port, and each link's keys and address.
struct Paths {
    /// The path beside one link.
    struct Path {
        let tour: TourID
        let link: LinkID
        let keys: DatagramPath
        /// The source of the peer's newest datagram; before the first one, the address of its link with the port of
        /// its bind.
        var address: SocketAddress
    }

    var port: UnicastPort?
    var byOwnPath: [UInt64: Path] = [:]
    var ownPaths: [LinkID: UInt64] = [:]

    /// The port where peers reach us; 0: none.
    var number: Int { port?.port ?? 0 }

    mutating func remove(_ link: LinkID) {
        guard let path = ownPaths.removeValue(forKey: link) else { return }
        byOwnPath[path] = nil
    }
}

extension TourNode {
    /// Opens the port before the first link, since binds name it. Without a port links carry everything.
    func openPaths() async {
        guard !settings.isOffline else { return }
        paths.port = try? await UnicastPort.open(on: loop) { [weak self] batch in
            self?.assumeIsolated { node in
                for envelope in batch { node.receiveUnicast(envelope.data, from: envelope.remoteAddress) }
            }
            return nil
        }
    }

    func closePaths() {
        paths.port?.close()
        paths = Paths()
    }

    /// The link is open: from now on we accept datagrams under its keys, and can send them.
    func keepPath(of connection: LinkConnection, _ peer: LinkPeer, _ link: LinkID, _ session: TourSession) {
        guard let agreement = peer.datagrams, var address = connection.remoteAddress else { return }
        address.port = agreement.peerPort
        let keys = DatagramPath(own: agreement.own, peer: agreement.peer, isInitiator: agreement.isInitiator)
        guard paths.byOwnPath[keys.ownPath] == nil else { return }
        paths.byOwnPath[keys.ownPath] = Paths.Path(tour: session.tour, link: link, keys: keys, address: address)
        paths.ownPaths[link] = keys.ownPath
    }

    func unicast(_ datagram: PathDatagram, on link: LinkID) {
        guard let own = paths.ownPaths[link], let path = paths.byOwnPath[own], let plaintext = datagram.encode(),
            let sealed = path.keys.seal(plaintext)
        else { return }
        paths.port?.send(sealed, to: path.address)
    }

    /// A stranger's datagram costs one look-up.
    private func receiveUnicast(_ buffer: ByteBuffer, from sender: SocketAddress) {
        let bytes = Array(buffer.readableBytesView)
        guard !isStopping, let own = DatagramPath.path(of: bytes), let path = paths.byOwnPath[own],
            let session = sessions[path.tour], let (plaintext, isNewest) = path.keys.open(bytes)
        else { return }
        // The peer may have moved: only the newest datagram that it sealed says where it is.
        if isNewest { paths.byOwnPath[own]?.address = sender }
        session.connections[path.link]?.recordLifeElsewhere(at: NodeClock.now)
        do {
            feed(session, .unicast(path.link, try PathDatagram(decoding: plaintext)))
        } catch { count(error) }
    }
}
