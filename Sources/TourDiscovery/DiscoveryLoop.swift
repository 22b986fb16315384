import CAvahi
import Glibc
import Logging
import TourModel

/// The life of Avahi's thread: wakes, ticks, and one `AvahiSession` after the other.
///
/// After `run` has started the thread, only that thread touches anything here and in the session, so no call into
/// libavahi comes from outside and none needs the poll's lock. Avahi's calls block on D-Bus, so they are made there and
/// never on a task's thread.
final class DiscoveryLoop {
    /// How often interfaces are compared and Avahi is tried again.
    private static let tickInterval: Duration = .seconds(2)

    private let control: DiscoveryControl
    private let mailbox: EventMailbox
    private let interfaces: [String]
    private let library: String
    private let names: ServiceNames
    private let logger: Logger
    private var poll: UnsafePointer<AvahiPoll>?
    private var timer: Int32 = -1
    private var timerPeriod: Duration = .zero
    private var hasTried = false
    private var session: AvahiSession?
    private var finished: CheckedContinuation<Void, Never>?

    init(
        control: DiscoveryControl, mailbox: EventMailbox, interfaces: [String], library: String,
        naming: @escaping @Sendable () -> ServiceName, logger: Logger
    ) {
        self.control = control
        self.mailbox = mailbox
        self.interfaces = interfaces
        self.library = library
        self.names = ServiceNames(naming: naming)
        self.logger = logger
    }

    /// Runs until the control says stop.
    func run() async {
        if let reason = AvahiLibrary.load(library) { return fail(reason) }
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        defer { if timer >= 0 { close(timer) } }
        guard timer >= 0, control.descriptor >= 0, let thread = avahi_threaded_poll_new() else {
            return fail(.noDescriptor)
        }
        defer { avahi_threaded_poll_free(thread) }
        let poll: UnsafePointer<AvahiPoll> = avahi_threaded_poll_get(thread)
        self.poll = poll
        let userdata = Unmanaged.passUnretained(self).toOpaque()
        guard let wakes = poll.pointee.watch_new(poll, control.descriptor, AVAHI_WATCH_IN, discoveryWoken, userdata),
            let ticks = poll.pointee.watch_new(poll, timer, AVAHI_WATCH_IN, discoveryTicked, userdata)
        else { return fail(.noMemory) }
        defer {
            poll.pointee.watch_free(wakes)
            poll.pointee.watch_free(ticks)
        }
        setTimer(DiscoveryLoop.tickInterval)
        control.wake()
        var hasStarted = false
        await withCheckedContinuation { continuation in
            finished = continuation
            hasStarted = avahi_threaded_poll_start(thread) == 0
            if !hasStarted { finish() }
        }
        guard hasStarted else { return fail(.noThread) }
        avahi_threaded_poll_stop(thread)
    }

    /// Brings Avahi in line with the wishes, on a wake and on a tick.
    fileprivate func step(isTick: Bool) {
        guard finished != nil else { return }
        guard !control.isStopped else {
            closeSession()
            return finish()
        }
        if session == nil, isTick || !hasTried { openSession() }
        guard let session else { return }
        session.refresh(isTick: isTick)
        if let reason = session.failure {
            logger.info("discovery: \(reason)")
            mailbox.post(.unavailable(reason: reason))
            closeSession()
        }
        setTimer(self.session?.isBusy == true ? CandidateTable.crowdedTick : DiscoveryLoop.tickInterval)
    }

    fileprivate func drainTimer() {
        var count: UInt64 = 0
        _ = read(timer, &count, MemoryLayout<UInt64>.size)
    }

    fileprivate func settle() { control.settle() }

    private func openSession() {
        guard let poll else { return }
        hasTried = true
        let session = AvahiSession(
            poll: poll, control: control, mailbox: mailbox, interfaces: interfaces, names: names, logger: logger)
        self.session = session
        session.open()
    }

    private func closeSession() {
        session?.close()
        session = nil
    }

    private func finish() {
        let waiting = finished
        finished = nil
        waiting?.resume()
    }

    private func fail(_ reason: DiscoveryTrouble) {
        logger.error("discovery: \(reason)")
        mailbox.post(.unavailable(reason: reason))
    }

    /// A monotonic timer of our own: Avahi's timeouts follow the wall clock, which jumps on a machine without a battery
    /// clock.
    private func setTimer(_ period: Duration) {
        guard period != timerPeriod else { return }
        timerPeriod = period
        let microseconds = period.microseconds
        let interval = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
        var setting = itimerspec(it_interval: interval, it_value: interval)
        timerfd_settime(timer, 0, &setting, nil)
    }
}

/// Runs on Avahi's thread, so not a closure: one made in isolated code traps there.
private func discoveryWoken(
    _: OpaquePointer?, _: Int32, _: AvahiWatchEvent, _ userdata: UnsafeMutableRawPointer?
) {
    guard let userdata else { return }
    let loop = Unmanaged<DiscoveryLoop>.fromOpaque(userdata).takeUnretainedValue()
    loop.settle()
    loop.step(isTick: false)
}

private func discoveryTicked(
    _: OpaquePointer?, _: Int32, _: AvahiWatchEvent, _ userdata: UnsafeMutableRawPointer?
) {
    guard let userdata else { return }
    let loop = Unmanaged<DiscoveryLoop>.fromOpaque(userdata).takeUnretainedValue()
    loop.drainTimer()
    loop.step(isTick: true)
}
