import CAvahi

/// What a session holds open on one interface.
final class InterfacePost {
    /// What is on the network, or on its way there.
    struct Published: Equatable {
        let interface: NetworkInterface
        let name: ServiceName
        var advertisement: Advertisement
    }

    var interface: NetworkInterface
    var browser: OpaquePointer?
    var group: OpaquePointer?
    var published: Published?
    /// Somebody else has the name: take another one, now.
    var hasCollided = false
    /// Avahi refused: try again on the next tick.
    var hasFailed = false

    init(interface: NetworkInterface) { self.interface = interface }
}
