import CAvahi
import Logging
import Synchronization

/// Publishes `_tour-chat._tcp` and finds other nodes that do, over IPv4 and IPv6, through the machine's avahi-daemon.
///
/// Daemon, bus and interfaces may come and go: it keeps trying, and `events` reports the state.
package final class AvahiDiscovery: Sendable {
    /// For one reader. A slow reader misses nothing that matters: see `EventMailbox`.
    package let events: AsyncStream<DiscoveryEvent>

    private let interfaces: [String]
    private let library: String
    private let logger: Logger
    private let naming: @Sendable () -> ServiceName
    private let mailbox: EventMailbox
    private let control = DiscoveryControl()
    private let hasRun = Atomic<Bool>(false)

    /// - Parameters:
    ///   - interfaces: names; empty means all except the loopback.
    ///   - library: the file name of Avahi's client library.
    ///   - naming: called for each interface, and again after a collision.
    package init(
        interfaces: [String], logger: Logger, library: String? = nil,
        naming: @escaping @Sendable () -> ServiceName = ServiceName.random
    ) {
        let mailbox = EventMailbox()
        self.interfaces = interfaces
        self.library = library ?? AvahiLibrary.name
        self.logger = logger
        self.naming = naming
        self.mailbox = mailbox
        events = AsyncStream(unfolding: { await mailbox.next() }, onCancel: { mailbox.abandon() })
    }

    /// Sets what to publish from now on; nil withdraws the service. Returns at once. New tags alone change the record
    /// in place.
    package func advertise(_ advertisement: Advertisement?) { control.advertise(advertisement) }

    /// Sets how much to ask of the network; at the start it watches. Returns at once.
    package func set(_ effort: DiscoveryEffort) { control.set(effort) }

    /// Reports that nobody answered at this service's address: discovery looks for another one. Returns at once.
    package func unreachable(instance: String) { control.unreachable(instance: instance) }

    /// Runs until the task is cancelled or `stop` is called; withdraws the service before it returns. Runs once: a
    /// second call returns at once.
    ///
    /// Returns early only where Avahi's library is missing, or the system has no descriptor or thread left; the state
    /// then says so.
    package func run() async {
        guard !hasRun.exchange(true, ordering: .relaxed) else { return }
        defer { mailbox.finish() }
        mailbox.post(.starting)
        let loop = DiscoveryLoop(
            control: control, mailbox: mailbox, interfaces: interfaces, library: library, naming: naming,
            logger: logger)
        await withTaskCancellationHandler {
            await loop.run()
        } onCancel: {
            control.stop()
        }
    }

    /// Makes `run` return soon; at worst after the D-Bus timeout of a call in progress (25 s, with a daemon that
    /// hangs).
    package func stop() { control.stop() }
}
