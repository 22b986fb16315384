import Synchronization
import TourBus

/// Tells when the machine is about to sleep, and when it is awake again, on a thread of its own. Where no logind runs
/// it tells nothing.
///
/// Any program on the machine can send us the same signal: it must cost no more than a wrong word for a while.
/// Source: systemd 252, org.freedesktop.login1(5), "Inhibit" and "PrepareForSleep".
package final class SleepWatch: Sendable {
    package enum Event: Sendable {
        /// The machine sleeps once nobody refers to `hold` any more, or after some seconds; nil: it does not wait.
        case sleeps(hold: BusFile?)
        case wakes
    }

    private static let manager = BusObject(
        service: "org.freedesktop.login1", path: "/org/freedesktop/login1",
        interface: "org.freedesktop.login1.Manager")
    private static let signal = "PrepareForSleep"
    private static let callMilliseconds: Int32 = 2_000
    /// Events that nobody took yet, of which only the last matter.
    private static let eventsMax = 4

    /// For one reader. Ends with the bus, or by `end`.
    package let events: AsyncStream<Event>
    private let source: AsyncStream<Event>.Continuation
    /// Wakes the thread.
    private let bell: WakeBell
    private let isEnding = Mutex(false)

    /// - Returns: nil where the machine has no bus, or no more open files or threads are allowed.
    package init?() {
        guard BusConnection.isOnMachine, let bell = WakeBell() else { return nil }
        self.bell = bell
        (events, source) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(Self.eventsMax))
        guard OwnThread.start({ [self] in work() }) else { return nil }
    }

    /// Ends the thread.
    package func end() {
        isEnding.withLock { $0 = true }
        bell.ring()
    }

    // From here on: code of the thread.

    private func work() {
        defer { source.finish() }
        do throws(BusError) {
            let bus = try BusConnection(.system)
            guard bus.hasOwner(of: Self.manager.service) else { return }
            let manager = Self.manager
            bus.watch(
                "type='signal',sender='\(manager.service)',path='\(manager.path)',interface='\(manager.interface)',"
                    + "member='\(Self.signal)'")
            var hold = Self.hold(on: bus)
            while !isEnding.withLock({ $0 }) {
                bell.silence()
                // A call reads what arrives meanwhile: the descriptor does not tell of that.
                var signals = try bus.signals(waiting: 0)
                while !signals.isEmpty {
                    for signal in signals { heed(signal, &hold, on: bus) }
                    signals = try bus.signals(waiting: 0)
                }
                bell.wait(with: bus.descriptor)
            }
        } catch {
            // Without a bus nobody says when the machine sleeps: the others notice it by our silence.
        }
    }

    private func heed(_ signal: BusSignal, _ hold: inout BusFile?, on bus: BusConnection) {
        guard signal.interface == Self.manager.interface, signal.name == Self.signal,
            case .flag(let sleeps)? = signal.values.first
        else { return }
        if sleeps {
            source.yield(.sleeps(hold: hold))
            hold = nil
        } else {
            source.yield(.wakes)
            if hold == nil { hold = Self.hold(on: bus) }
        }
    }

    /// Makes the machine wait for us before it sleeps.
    private static func hold(on bus: BusConnection) -> BusFile? {
        let asked: [BusValue] = [
            .text("sleep"), .text("Tour Chat"), .text("Tells the members of a tour"), .text("delay"),
        ]
        guard case .file(let file)? = try? bus.call(manager, "Inhibit", asked, milliseconds: callMilliseconds).first
        else { return nil }
        return file
    }
}
