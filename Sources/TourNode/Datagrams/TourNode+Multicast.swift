import NIOCore
import NIOPosix
import TourCrypto
import TourDiscovery
import TourGossip
import TourGroup
import TourModel
import TourTransport
import TourWire

/// Multicast: the ports, and the guard against floods.
struct MulticastPorts {
    /// One interface that supports multicast.
    struct Port {
        let name: String
        /// The interface's addresses: a changed address means another port.
        let addresses: Set<String>
        /// Nil while it is being opened, or when it cannot be.
        var port: MulticastPort?
    }

    var ports: [SegmentID: Port] = [:]
    var window = ReplayWindow()
    var door = DatagramFilter<SocketAddress>()

    var open: [SegmentID] { ports.filter { $0.value.port != nil }.keys.sorted() }

    /// A port has opened.
    /// - Returns: false where its network is gone, or has other addresses by now.
    mutating func set(_ port: MulticastPort?, of id: SegmentID, _ addresses: Set<String>) -> Bool {
        guard ports[id]?.addresses == addresses else { return false }
        ports[id]?.port = port
        return true
    }
}

extension TourNode {
    /// Too short for people to notice, and short against every timer of a cast.
    private static let castGatherTime: TimeAmount = .milliseconds(2)

    /// Opens a port on each of our networks that supports multicast, and closes those of networks that are gone.
    func refreshMulticast() {
        guard settings.usesMulticast, !settings.isOffline, !isStopping else { return }
        let devices = (try? System.enumerateDevices()) ?? []
        let chosen = Set(networks.map { Int($0.index) })
        let usable = devices.filter {
            $0.multicastSupported && $0.address != nil && chosen.contains($0.interfaceIndex)
        }
        let interfaces = Dictionary(grouping: usable) { SegmentID(value: $0.interfaceIndex) }
        for (id, port) in multicast.ports where Self.addresses(interfaces[id] ?? []) != port.addresses {
            port.port?.close()
            multicast.ports[id] = nil
        }
        for (id, devices) in interfaces where multicast.ports[id] == nil { open(id, devices) }
        joinSegments()
    }

    private static func addresses(_ devices: [NIONetworkDevice]) -> Set<String> {
        Set(devices.compactMap { $0.address?.ipAddress })
    }

    private func open(_ id: SegmentID, _ devices: [NIONetworkDevice]) {
        let addresses = Self.addresses(devices)
        multicast.ports[id] = MulticastPorts.Port(name: devices[0].name, addresses: addresses, port: nil)
        MulticastPort.open(devices, on: loop) { [weak self] batch in
            self?.assumeIsolated { $0.receive(batch, on: id) }
        }
        .whenSuccess { [weak self] port in
            self?.assumeIsolated { node in
                guard !node.isStopping, node.multicast.set(port, of: id, addresses) else { return port?.close() ?? () }
                node.joinSegments()
            }
        }
    }

    /// Tells every tour's machine which segments exist.
    func joinSegments() {
        let ids = multicast.open
        for session in sessions.values where session.segments != ids {
            session.segments = ids
            feed(session, .segments(ids))
            session.files.casts.refresh()
        }
    }

    func closeMulticast() {
        for port in multicast.ports.values { port.port?.close() }
        multicast.ports = [:]
    }

    /// Seals a datagram for everybody in the tour and sends it. Sends nothing once we are out of the tour.
    func multicast(_ datagram: Datagram, on segment: SegmentID, _ session: TourSession) {
        guard session.wantsLinks, let epoch = session.group.keyring.sending, let port = multicast.ports[segment]?.port,
            let plaintext = datagram.naming(port: self.port).encode()
        else { return }
        let sealed = session.seal(of: epoch).seal(plaintext)
        _ = multicast.window.insert(sealed)
        port.send(sealed)
    }

    /// Learns a member's address from its datagram: a member on the same network needs no mDNS record.
    private func learnAddress(
        _ datagram: Datagram, from sender: SocketAddress, on segment: SegmentID, _ session: TourSession
    ) {
        guard datagram.port > 0, let member = session.gossip.member(prefix: datagram.sender), member != session.own,
            let address = address(sender, port: datagram.port, on: segment)
        else { return }
        if addressBook.announced(member, at: address, on: segment, of: session.tour, now: NodeClock.now) {
            dialSoon(after: BeaconAddresses.gatherTime(members: session.group.roster.members.count))
        }
        dialer.expect(member, at: Dialer.Target(address: address, tour: session.tour))
    }

    /// The address where the sender of a datagram can be dialled.
    func address(_ sender: SocketAddress, port: Int, on segment: SegmentID) -> Dialer.Address? {
        guard let ip = sender.ipAddress, let name = multicast.ports[segment]?.name else { return nil }
        return Dialer.Address(host: ip.hasPrefix("fe80") ? "\(ip)%\(name)" : ip, port: UInt16(clamping: port))
    }

    /// - Returns: how long the socket may gather further datagrams while a cast is received here: a cast is one
    ///   datagram every half millisecond, and fetching each by itself costs more than handling it.
    private func receive(_ batch: [AddressedEnvelope<ByteBuffer>], on segment: SegmentID) -> TimeAmount? {
        guard !isStopping else { return nil }
        let now = NodeClock.now
        var casts = [[UInt8]]()
        for envelope in batch where multicast.door.admits(envelope.remoteAddress, now: now) {
            let bytes = Array(envelope.data.readableBytesView)
            if CastSeal.tag(of: bytes) == nil {
                receive(bytes, from: envelope.remoteAddress, on: segment)
            } else {
                casts.append(bytes)
            }
        }
        guard !casts.isEmpty else { return nil }
        for session in sessions.values { session.files.casts.receive(casts, on: segment) }
        return sessions.values.contains { $0.files.casts.follows(on: segment) } ? Self.castGatherTime : nil
    }

    private func receive(_ bytes: [UInt8], from sender: SocketAddress, on segment: SegmentID) {
        // A repeated datagram costs no try of a key.
        guard !multicast.window.contains(bytes) else { return }
        for session in sessions.values where session.wantsLinks {
            for epoch in session.group.keyring.heardKeys {
                guard let plaintext = session.seal(of: epoch).open(bytes) else { continue }
                _ = multicast.window.insert(bytes)
                multicast.door.recordMember(sender)
                do {
                    let datagram = try Datagram(decoding: plaintext)
                    learnAddress(datagram, from: sender, on: segment, session)
                    session.files.casts.receive(datagram.castAsks, from: datagram.sender, on: segment)
                    feed(session, .datagram(segment, datagram))
                } catch { count(error) }
                return
            }
        }
        if !receiveJoinDatagram(bytes, from: sender, on: segment) { multicast.door.recordUnopened(from: sender) }
    }
}

extension Datagram {
    /// Adds to beacons the port where their sender can be dialled.
    fileprivate func naming(port: Int) -> Datagram {
        guard !heads.isEmpty || !heard.isEmpty else { return self }
        var named = self
        named.port = port
        return named
    }
}
