import TourModel
import TourWire

/// Where phones reach this node, and what its log tells others of that.
struct SeatDoor {
    /// How long the owner waits for the door, in ticks; then the answer has no address.
    private static let ticksMax = 4

    /// Where it listens; nil: it does not.
    private(set) var port: Int?
    /// `NAME:PORT`, where it listens for https; nil: it does not.
    private(set) var secure: String?
    private var told: [String] = []
    private var isTelling = false
    private var waits: [CheckedContinuation<Void, Never>] = []
    private var ticks = 0

    mutating func opened(port: Int?, secure: String?) {
        (self.port, self.secure) = (port, secure)
        if port != nil { endWaits() }
    }

    /// Once a second.
    mutating func tick() {
        ticks += 1
        if ticks >= Self.ticksMax { endWaits() }
    }

    /// Somebody waits for the door to open.
    mutating func wait(_ answer: CheckedContinuation<Void, Never>) {
        ticks = 0
        waits.append(answer)
    }

    private mutating func endWaits() {
        for wait in waits { wait.resume() }
        waits = []
    }

    /// No seats are given any more.
    mutating func forget() {
        told = []
        endWaits()
    }

    /// `HOST:PORT` for each of these addresses; the last one may be `https://NAME:PORT`.
    func addresses(_ hosts: [String]) -> [String] {
        guard let port, !hosts.isEmpty else { return [] }
        let named = [secure].compactMap { $0.map { "https://\($0)" } }
            .filter { $0.utf8.count <= SeatHost.addressBytesMax }
        return hosts.prefix(SeatHost.addressesMax - named.count).map {
            $0.contains(":") ? "[\($0)]:\(port)" : "\($0):\(port)"
        } + named
    }

    /// `NAME.local:PORT`; nil: it does not listen.
    func named(_ name: String) -> String? { port.map { "\(name).local:\($0)" } }

    /// The addresses of its page, by https and by http; nil where it has none.
    func pages(_ hosts: [String]) -> (secure: String?, plain: String?) {
        let plain = addresses(hosts).first.map { "http://\($0)" }
        return (plain == nil ? nil : secure.map { "https://\($0)" }, plain)
    }

    /// The addresses that others are to be told; nil while they know them, or are being told. `endTelling` follows.
    /// - Parameter said: what our log says already.
    mutating func news(
        _ hosts: [String], said: (key: LinkKey, addresses: [String])?, _ key: LinkKey
    ) -> [String]? {
        let addresses = addresses(hosts)
        guard !isTelling, !addresses.isEmpty, addresses != told else { return nil }
        if told.isEmpty, let said, said.key == key, said.addresses == addresses {
            told = addresses
            return nil
        }
        isTelling = true
        return addresses
    }

    mutating func told(_ addresses: [String]) { told = addresses }

    mutating func endTelling() { isTelling = false }
}
