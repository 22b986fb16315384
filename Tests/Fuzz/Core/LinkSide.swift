import FuzzSupport
import TourCrypto
import TourLink
import TourModel
import TourWire

/// One machine of a link with its surroundings: what it wrote, what it read, whether it ended.
struct LinkSide: ~Copyable {
    private(set) var machine: LinkMachine
    var now = Instant(microseconds: 1_000_000)
    var standing: PeerStanding = .unknown
    private var credentials: [LinkCredential]
    private var salts = HelloGuard()
    private(set) var hasEnded = false
    private(set) var messages: [LinkMessage] = []
    private var outgoing: [UInt8] = []

    /// The side that was dialled.
    init(accepting credentials: [LinkCredential]) {
        self.credentials = credentials
        machine = LinkMachine(acceptedAt: now, from: "10.0.0.1")
    }

    /// The side that dials.
    init(dialling intent: DialIntent) {
        credentials = []
        var outputs = [LinkMachine.Output]()
        machine = LinkMachine(
            dialling: intent, salt: [UInt8](repeating: 7, count: Hello.saltLength), now: now, into: &outputs)
        take(outputs)
    }

    mutating func receive(_ bytes: [UInt8]) {
        guard !hasEnded, !bytes.isEmpty else { return }
        var outputs = [LinkMachine.Output]()
        let (standing, credentials) = (standing, credentials)
        let surroundings = LinkMachine.Surroundings(
            now: now, standing: { _, _ in standing }, credentials: { credentials })
        do {
            try machine.receive(bytes, in: surroundings, guarding: &salts, into: &outputs)
        } catch {
            hasEnded = true
            check(error.scope == .link, "bytes of a peer end more than their link")
        }
        take(outputs)
    }

    mutating func tick(after pause: Duration) {
        now = now + pause
        guard !hasEnded else { return }
        do { try machine.tick(now: now) } catch { hasEnded = true }
    }

    mutating func enqueue(_ message: LinkMessage) { machine.enqueue(message) }

    mutating func recognise() { machine.recognise() }

    mutating func recordLifeElsewhere() { machine.recordLifeElsewhere(at: now) }

    /// What the machine wants written.
    mutating func written(budget: Int = .max) -> [UInt8] {
        var outputs = [LinkMachine.Output]()
        guard !hasEnded else { return [] }
        do { try machine.drain(budget: budget, now: now, into: &outputs) } catch {
            check(false, "a link cannot write what it queued")
        }
        take(outputs)
        defer { outgoing = [] }
        return outgoing
    }

    private mutating func take(_ outputs: [LinkMachine.Output]) {
        for output in outputs {
            switch output {
            case .write(let bytes): outgoing += bytes
            case .met: break
            case .opened, .openedForAsking: check(machine.isOpen || hasEnded, "a link that is not open says that it is")
            case .message(let message): messages.append(message)
            }
        }
    }
}
