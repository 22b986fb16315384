import CAvahi
import Glibc
import Logging
import TourModel

/// One connection to avahi-daemon with everything created through it; after a failure the loop discards it as a whole.
///
/// Callbacks of libavahi record events and wake the loop; only browsers and resolvers are handled directly.
final class AvahiSession {
    static let serviceType = "_tour-chat._tcp"
    static let domain = "local"

    let poll: UnsafePointer<AvahiPoll>
    let control: DiscoveryControl
    let mailbox: EventMailbox
    let chosen: [String]
    let names: ServiceNames
    let logger: Logger

    /// The reason, once the connection is useless.
    private(set) var failure: DiscoveryTrouble?
    var client: OpaquePointer?
    private var clientState = AVAHI_CLIENT_CONNECTING
    var posts: [Int32: InterfacePost] = [:]
    var resolvers: [ServiceKey: OpaquePointer] = [:]
    private var advertisement: Advertisement?
    var table = CandidateTable()
    var schedule = ResolverSchedule()
    private var browsing = BrowseSchedule()
    /// Whether the records of others are followed now.
    private(set) var isBrowsing = false

    /// Whether ticks must be frequent.
    var isBusy: Bool { table.isCrowded || schedule.isBusy }

    init(
        poll: UnsafePointer<AvahiPoll>, control: DiscoveryControl, mailbox: EventMailbox, interfaces: [String],
        names: ServiceNames, logger: Logger
    ) {
        self.poll = poll
        self.control = control
        self.mailbox = mailbox
        self.chosen = interfaces
        self.names = names
        self.logger = logger
    }

    var userdata: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Connects; sets `failure` if that fails.
    func open() {
        var error: Int32 = 0
        client = avahi_client_new(poll, AVAHI_CLIENT_NO_FAIL, avahiClientChanged, userdata, &error)
        if client == nil { fail(error) }
    }

    /// Brings registrations, browsers and resolvers in line with the wishes and the machine's interfaces.
    func refresh(isTick: Bool) {
        guard failure == nil else { return }
        let advertisement = control.advertisement
        if advertisement != self.advertisement {
            schedule.renew()
            self.advertisement = advertisement
        }
        let effort = control.effort
        schedule.seek(effort == .seek)
        var rng = SystemRandomNumberGenerator()
        isBrowsing = browsing.isOpen(effort, now: Self.now(), using: &rng)
        for instance in control.drainUnreachable() { schedule.failed(instance: instance) }
        switch clientState {
        case AVAHI_CLIENT_S_RUNNING:
            mailbox.post(.running)
            if isTick || posts.isEmpty { updateInterfaces() }
            for post in posts.values {
                publish(advertisement, on: post, isTick: isTick)
                publishName(advertisement?.host, on: post)
                follow(on: post)
            }
            if isTick { advanceTurns() }
            openDue()
        case AVAHI_CLIENT_CONNECTING:
            mailbox.post(.unavailable(reason: .noDaemon))
        default:
            // The daemon is still choosing its own host name and refuses registrations meanwhile.
            mailbox.post(.starting)
            for post in posts.values {
                withdraw(post)
                withdrawName(post)
            }
        }
    }

    /// Withdraws everything: the daemon sends goodbyes for a client that disconnects.
    func close() {
        var outputs: [CandidateTable.Output] = []
        table.clear(into: &outputs)
        apply(outputs)
        posts = [:]
        resolvers = [:]
        schedule = ResolverSchedule()
        if let client { avahi_client_free(client) }
        client = nil
    }

    /// - Returns: whether the call succeeded; if the connection is at fault, the session has failed.
    func check(_ result: Int32, _ action: String) -> Bool {
        guard result < 0 else { return true }
        switch Int(result) {
        case AVAHI_ERR_DISCONNECTED, AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DBUS_ERROR, AVAHI_ERR_TIMEOUT,
            AVAHI_ERR_INVALID_OBJECT, AVAHI_ERR_NO_MEMORY:
            fail(result)
        default: logger.debug("discovery: \(action): \(Self.words(for: result))")
        }
        return false
    }

    func clientChanged(_ state: AvahiClientState, error: Int32) {
        clientState = state
        if state == AVAHI_CLIENT_FAILURE { fail(error) }
        control.wake()
    }

    func fail(_ error: Int32) {
        guard failure == nil else { return }
        failure = Self.reason(for: error, hadClient: client != nil)
        control.wake()
    }

    private static func reason(for error: Int32, hadClient: Bool) -> DiscoveryTrouble {
        switch Int(error) {
        case AVAHI_ERR_ACCESS_DENIED: return .accessDenied
        case AVAHI_ERR_VERSION_MISMATCH: return .versionMismatch
        case AVAHI_ERR_DBUS_ERROR, AVAHI_ERR_DISCONNECTED, AVAHI_ERR_NO_DAEMON:
            if hadClient { return .wentAway }
            let address = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
            return .noBus(address: address ?? "/var/run/dbus/system_bus_socket")
        case AVAHI_ERR_TIMEOUT: return .silent
        default: return .refused(words(for: error))
        }
    }

    private static func words(for error: Int32) -> String {
        avahi_strerror(error).map { String(cString: $0) } ?? "error \(error)"
    }
}

/// Runs on Avahi's thread, the first time within `avahi_client_new`.
private func avahiClientChanged(
    _ client: OpaquePointer?, _ state: AvahiClientState, _ userdata: UnsafeMutableRawPointer?
) {
    guard let client, let userdata else { return }
    Unmanaged<AvahiSession>.fromOpaque(userdata).takeUnretainedValue()
        .clientChanged(state, error: avahi_client_errno(client))
}
