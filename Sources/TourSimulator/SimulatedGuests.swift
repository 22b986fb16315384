import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Guests of a simulated tour: their phones come to hosts, write, walk and lose answers.
final class SimulatedGuests {
    /// From a phone to a host.
    private static let latency: Duration = .milliseconds(15)
    /// A phone gives up a host after this time without an answer.
    private static let patience: Duration = .seconds(4)
    /// Between two acts of a phone.
    private static let actPause = 200...1_200
    /// One of so many acts is to go elsewhere.
    private static let walkInterval = 8
    private static let tickPause: Duration = .seconds(1)

    let seats: SimulatedSeats
    private(set) var phones: [SimulatedPhone]
    private unowned let simulation: Simulation
    private var rng: SplitMix64
    /// How many of a thousand requests and answers are lost.
    private var lossPerMille = 100
    private var isQuiet = false
    private var requests = 0

    /// - Parameter messages: how many each guest writes.
    init(_ simulation: Simulation, hosts: [Int], count: Int, messages: Int, rng: SplitMix64) {
        var rng = rng
        self.simulation = simulation
        seats = SimulatedSeats(simulation, hosts: hosts, rng: SplitMix64(seed: rng.next()))
        phones = (0..<count).map { number in
            SimulatedPhone(
                secret: SecretBytes(rng.bytes(SeatKeys.secretBytes)), name: "guest \(number)",
                home: hosts[number % hosts.count], messages: messages)
        }
        self.rng = rng
    }

    /// The founder licenses the hosts, and guests come one by one.
    func begin() {
        seats.license()
        simulation.onStored = { [self] node, events in stored(events, at: node) }
        for phone in phones.indices { simulation.after(rng.duration(upTo: .seconds(3))) { [self] in step(phone) } }
        for node in seats.hosts { simulation.after(Self.tickPause) { [self] in tick(node) } }
    }

    /// No answer is lost any more, and nobody writes or walks: every phone comes to a host once more.
    func quieten() {
        lossPerMille = 0
        isQuiet = true
        for phone in phones.indices {
            phones[phone].awaited = nil
            leave(phone)
        }
    }

    /// Events that count, by the word of their guests' phones.
    var confirmed: Int { phones.reduce(0) { $0 + $1.confirmed.count } }

    /// Whether every guest is with a host that has all of its log.
    var areSettled: Bool { phones.allSatisfy(\.isSettled) }

    private func stored(_ events: [Event], at node: Int) {
        guard seats.hosts.contains(node), let author = events.first?.header.author else { return }
        // Before anybody learns of them, as a node does.
        if seats.writes(for: author, at: node) { simulation.nodes[node].store.secure(author) }
        simulation.after(.zero) { [self] in seats.stored(at: node) }
    }

    private var isLost: Bool { Int.random(in: 0..<1_000, using: &rng) < lossPerMille }

    // MARK: - Phones

    private func step(_ phone: Int) {
        act(phone)
        let pause = Duration.milliseconds(Int64(Int.random(in: Self.actPause, using: &rng)))
        simulation.after(pause) { [self] in step(phone) }
    }

    private func act(_ phone: Int) {
        let it = phones[phone]
        guard it.awaited == nil else { return }
        guard let member = it.member else {
            return ask(phone, at: it.home) { [self] in seats.enter(it, at: it.home, $0) }
        }
        guard let host = it.host else {
            let next = seats.hosts[Int.random(in: 0..<seats.hosts.count, using: &rng)]
            return ask(phone, at: next) { [self] in seats.resume(it, at: next, $0) }
        }
        guard it.pending == nil else { return leave(phone) }
        guard !isQuiet else { return }
        if Int.random(in: 0..<Self.walkInterval, using: &rng) == 0 {
            // A phone that is switched off says nothing.
            if Bool.random(using: &rng), simulation.nodes[host].isAlive { seats.release(member, at: host) }
            return leave(phone)
        }
        guard it.unwritten > 0 else { return }
        ask(phone, at: host) { [self] in $0(seats.prepare("\(it.unwritten) of \(it.name)", of: member, at: host)) }
    }

    private func leave(_ phone: Int) { phones[phone].host = nil }

    private func ask(
        _ phone: Int, at node: Int, _ request: @escaping (_ answer: @escaping (SimulatedSeats.Answer) -> Void) -> Void
    ) {
        requests += 1
        let number = requests
        phones[phone].awaited = number
        simulation.after(Self.patience) { [self] in
            guard phones[phone].awaited == number else { return }
            phones[phone].awaited = nil
            leave(phone)
        }
        guard !isLost else { return }
        simulation.after(Self.latency) { [self] in
            guard simulation.nodes[node].isAlive else { return }
            request { [self] answer in
                guard !isLost else { return }
                simulation.after(Self.latency) { [self] in
                    guard phones[phone].awaited == number else { return }
                    phones[phone].awaited = nil
                    receive(answer, phone, from: node)
                }
            }
        }
    }

    private func receive(_ answer: SimulatedSeats.Answer, _ phone: Int, from node: Int) {
        switch answer {
        case .standing(let member, let head, let tail, let prepared):
            if phones[phone].member == nil {
                phones[phone].enter(as: member, head, tail)
            } else {
                phones[phone].arrive(head)
            }
            phones[phone].host = node
            if let prepared { confirm(prepared, phone, at: node) }
        case .prepared(let event): confirm(event, phone, at: node)
        case .confirmed:
            if phones[phone].pending?.header.eventClass == .chat { phones[phone].unwritten -= 1 }
            phones[phone].settle()
        case .refused(.moved) where phones[phone].host == node: phones[phone].forgetPending()
        case .refused(.moved): phones[phone].fail("node \(node) has another event at its head")
        case .refused(.over): phones[phone].fail("node \(node) says that it is over")
        case .refused(.behind), .refused(.busy), .refused(.gone): leave(phone)
        }
    }

    /// Keeps what was prepared, then confirms it.
    private func confirm(_ event: Event, _ phone: Int, at node: Int) {
        guard let member = phones[phone].member, phones[phone].keep(event) else { return leave(phone) }
        ask(phone, at: node) { [self] in seats.confirm(event.id, of: member, at: node, $0) }
    }

    // MARK: - News

    private func tick(_ node: Int) {
        seats.tick(node)
        if simulation.nodes[node].isAlive { for phone in phones.indices { sendNews(to: phone, from: node) } }
        simulation.after(Self.tickPause) { [self] in tick(node) }
    }

    /// What a phone is told of the tour; it says that it has it.
    private func sendNews(to phone: Int, from node: Int) {
        guard phones[phone].host == node, let member = phones[phone].member else { return }
        let news = seats.news(for: member, at: node)
        guard !isLost else { return }
        simulation.after(Self.latency) { [self] in
            guard phones[phone].host == node else { return }
            guard let news else { return leave(phone) }
            phones[phone].show(news.frontier)
            phones[phone].dropTail(through: news.held)
            guard !isLost else { return }
            simulation.after(Self.latency) { [self] in
                if simulation.nodes[node].isAlive { seats.got(news.frontier, member, at: node) }
            }
        }
    }
}
