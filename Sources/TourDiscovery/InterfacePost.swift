import CAvahi
import TourModel

/// A session's open objects on one interface.
final class InterfacePost {
    /// The service that is published, or about to be.
    struct Published: Equatable {
        let interface: NetworkInterface
        let name: ServiceName
        var advertisement: Advertisement
    }

    /// A name of the machine beside that of the service, which is published, or about to be.
    struct Named: Equatable {
        let host: String
        let addresses: [String]
    }

    var interface: NetworkInterface
    var browser: OpaquePointer?
    /// When the browser was opened.
    var browsedAt = Instant(microseconds: 0)
    /// Services found before that, which it has not found yet.
    var unseen: Set<ServiceKey> = []
    var group: OpaquePointer?
    var published: Published?
    /// Another node has the name: choose another one now.
    var hasCollided = false
    /// The group of `named`; nil as well where somebody else, or another interface of ours, has that name.
    var nameGroup: OpaquePointer?
    var named: Named?
    /// Somebody else has `named`.
    var hasLostName = false
    /// Avahi refused: try again on the next tick.
    var hasFailed = false

    init(interface: NetworkInterface) { self.interface = interface }
}
