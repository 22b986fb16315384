import Testing
import TourMailbox
import TourModel
import TourNotebook
import TourStore

/// Goal: whatever two devices do to one notebook, apart and at once, over a network that loses requests and answers,
/// with clocks that step, they end with the same, nothing that somebody wrote is lost unseen, and nothing deleted comes
/// back. Method: random acts from fixed seeds on two real stores, through the node's own client, against the real
/// server; a model of what people did and saw says what the end must be.
struct NotebookModelTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func devicesEndEqual(seed: UInt64) async throws {
        try await RunningServer.run { server in
            _ = try await server.newAccount("a@example.org")
            try await NotebookDevice.run(server, limits: [3, 40, 5]) { devices in
                for device in devices { try await device.logIn() }
                let world = NotebookWorld(server, Array(devices.prefix(2)), seed: seed)
                for _ in 0..<Self.acts { try await world.act() }
                try await world.settle()
                let faults = try await world.faults
                #expect(faults.isEmpty, "seed \(seed): \(faults)")
                // Not all was plain sailing.
                let tally = await world.tally
                #expect(tally.lostAnswers > 8 && tally.keptEdits > 4 && tally.editsDuring > 30, "\(tally)")
                // Whoever comes new has the same.
                try await devices[2].sync()
                #expect(try devices[2].items == devices[0].items)
            }
        }
    }

    private static let acts = 700
}

/// Two people with a device each, and what they do.
private actor NotebookWorld {
    /// What came to pass.
    struct Tally: Sendable {
        var syncs = 0
        var lostAnswers = 0
        var editsDuring = 0
        /// The largest number of edits that stood as lost at once.
        var keptEdits = 0
    }

    private let server: RunningServer
    private let devices: [NotebookDevice]
    private var clocks: [Int64] = [1_780_272_000, 1_780_272_000]
    /// Acts so far, and by which one a device has a network again.
    private var acts = 0
    private var offlineUntil = [0, 0]
    /// What was deleted on each of them.
    private var deletions: [Set<NotebookID>] = [[], []]
    private var rng: SplitMix64
    private var model = NotebookReference()
    private(set) var tally = Tally()

    init(_ server: RunningServer, _ devices: [NotebookDevice], seed: UInt64) {
        self.server = server
        self.devices = devices
        rng = SplitMix64(seed: seed)
    }

    private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &rng) < percent }

    /// One thing that happens.
    func act() async throws {
        acts += 1
        server.clock.advance(seconds: 2)
        let one = Int.random(in: 0..<devices.count, using: &rng)
        switch Int.random(in: 0..<100, using: &rng) {
        case 0..<62: try edit(on: one)
        case 62..<66: try addTheSameStop()
        case 66..<69: clocks[one] += Int64.random(in: -100_000...100_000, using: &rng)
        case 69..<72:
            // Full buckets of a limit empty a little before the next request.
            server.clock.advance(seconds: Int64.random(in: -3_000...3_000, using: &rng))
        default: try await sync(one)
        }
    }

    // MARK: The network

    private func sync(_ one: Int) async throws {
        guard acts >= offlineUntil[one] else { return }
        if chance(10) { offlineUntil[one] = acts + Int.random(in: 10...80, using: &rng) }
        tally.syncs += 1
        var cut: (UnsteadyCourier.Cut, exchange: Int)?
        if chance(35) {
            let isLost = chance(70)
            cut = (isLost ? .after : .before, Int.random(in: 0...2, using: &rng))
        }
        devices[one].transport.begin(cut: cut) { await self.during(one) }
        do {
            try await devices[one].sync()
        } catch .api(.network(.cancelled)) {
            if cut?.0 == .after { tally.lostAnswers += 1 }
        } catch .api(let refusal) where Self.isTooMany(refusal) {
            // The server may still work on requests that this device has given up.
        } catch .api(.unauthenticated) {
            server.clock.advance(seconds: 60)
            try await devices[one].logIn()
        }
        tally.keptEdits = max(tally.keptEdits, try devices[one].store.notebook(.lost).count)
    }

    private static func isTooMany(_ refusal: APIError) -> Bool {
        if case .http(status: 429, code: _, retryAfter: _) = refusal { true } else { false }
    }

    /// While an answer is on its way, somebody goes on writing.
    private func during(_ one: Int) {
        guard chance(35) else { return }
        tally.editsDuring += 1
        do { try edit(on: one) } catch { Issue.record(error) }
    }

    /// The network is good again, and nobody writes.
    func settle() async throws {
        for device in devices { device.transport.begin() }
        for _ in 0..<8 {
            for device in devices {
                server.clock.advance(seconds: 5)
                try await device.sync()
            }
        }
        for device in devices { #expect(try device.store.notebookPending() == 0) }
    }

    var faults: [String] {
        get throws {
            let ends = try devices.map { try $0.items }
            guard ends[0] == ends[1] else {
                let mine = Set(ends[0])
                let theirs = Set(ends[1])
                return ["one has \(mine.subtracting(theirs)), the other \(theirs.subtracting(mine))"]
            }
            return model.faults(in: ends[0])
        }
    }

    // MARK: People

    private func entries(_ kind: NotebookKind, on one: Int) throws -> [NotebookItem] {
        // By id: of items with equal times the order is the same on all devices, and so the acts are from run to run.
        try devices[one].store.notebook(kind).map(\.item).sorted { $0.id < $1.id }
    }

    private func commit(_ edits: [NotebookEdit], on one: Int) throws {
        clocks[one] += 1
        for case .delete(let id) in edits { deletions[one].insert(id) }
        try devices[one].store.editNotebook(edits, now: clocks[one])
    }

    private func edit(on one: Int) throws {
        switch Int.random(in: 0..<100, using: &rng) {
        case 0..<22: try create(on: one)
        case 22..<52: try change(on: one)
        case 52..<64: try delete(on: one)
        case 64..<76: try addStop(on: one)
        case 76..<86: try reorder(on: one)
        case 86..<92: try dismiss(on: one)
        case 92..<96: try restore(on: one)
        default: try write(overDeletedOn: one)
        }
    }

    private static let kinds: [NotebookKind] = [.note, .place, .category, .itinerary, .stop]

    private func content(_ kind: NotebookKind, _ edit: Int, stops: [Itinerary.Entry] = []) -> NotebookContent {
        let title = "\(edit)"
        switch kind {
        case .note, .lost: return .note(Note(title: title, content: "note <b>\(edit)</b>"))
        case .place:
            return .place(SavedPlace(title: title, url: "geo:1.5,\(edit % 90)", isFavorite: edit.isMultiple(of: 2)))
        case .category:
            return .category(PlaceCategory(name: title, icon: "pin", color: "#ffffff", order: edit))
        case .itinerary: return .itinerary(Itinerary(title: title, description: "day", stops: stops))
        case .stop: return .stop(Stop(title: title, at: 1_780_000_000 + Int64(edit)))
        }
    }

    private func create(on one: Int) throws {
        let kind = Self.kinds[Int.random(in: 0..<Self.kinds.count, using: &rng)]
        let id = NotebookID.random(using: &rng)
        let edit = model.nextEdit()
        try commit([.put(id, content(kind, edit))], on: one)
        model.wrote(edit, on: id, over: nil)
    }

    private func any(_ kinds: [NotebookKind], on one: Int) throws -> NotebookItem? {
        let items = try kinds.flatMap { try entries($0, on: one) }
        guard !items.isEmpty else { return nil }
        // Some are in everybody's hands more than others.
        let places = (0..<2).map { _ in Int.random(in: 0..<items.count, using: &rng) }
        return items[min(places[0], places[1])]
    }

    private func change(on one: Int) throws {
        guard let item = try any(Self.kinds, on: one) else { return }
        var stops: [Itinerary.Entry] = []
        if case .itinerary(let itinerary) = item.content { stops = itinerary.stops }
        let edit = model.nextEdit()
        try commit([.put(item.id, content(item.kind, edit, stops: stops))], on: one)
        model.wrote(edit, on: item.id, over: item.content)
    }

    private func delete(on one: Int) throws {
        guard let item = try any(Self.kinds, on: one) else { return }
        try commit([.delete(item.id)], on: one)
        model.deleted(item.id, item.content)
    }

    private func setStops(_ stops: [Itinerary.Entry], of item: NotebookItem, on one: Int) throws {
        let edit = model.nextEdit()
        try commit([.put(item.id, content(.itinerary, edit, stops: stops))], on: one)
        model.wrote(edit, on: item.id, over: item.content)
    }

    private func addStop(on one: Int) throws {
        guard let item = try any([.itinerary], on: one), case .itinerary(let itinerary) = item.content,
            let stop = try any([.stop], on: one), !itinerary.stops.contains(where: { $0.id == stop.id })
        else { return }
        let place = Int.random(in: 0...itinerary.stops.count, using: &rng)
        var stops = itinerary.stops
        stops.insert(Itinerary.Entry(id: stop.id, addedAt: max(clocks[one], 0)), at: place)
        try setStops(stops, of: item, on: one)
    }

    /// Both put the same stop into the same itinerary, each without knowing of the other.
    private func addTheSameStop() throws {
        guard let item = try any([.itinerary], on: 0), let stop = try any([.stop], on: 0) else { return }
        for one in devices.indices {
            guard let own = try entries(.itinerary, on: one).first(where: { $0.id == item.id }),
                try entries(.stop, on: one).contains(where: { $0.id == stop.id }),
                case .itinerary(let itinerary) = own.content,
                !itinerary.stops.contains(where: { $0.id == stop.id })
            else { continue }
            let entry = Itinerary.Entry(id: stop.id, addedAt: max(clocks[one], 0))
            try setStops(itinerary.stops + [entry], of: own, on: one)
        }
    }

    private func reorder(on one: Int) throws {
        guard let item = try any([.itinerary], on: one), case .itinerary(let itinerary) = item.content,
            itinerary.stops.count > 1
        else { return }
        try setStops(itinerary.stops.shuffled(using: &rng), of: item, on: one)
    }

    private func dismiss(on one: Int) throws {
        guard let item = try any([.lost], on: one) else { return }
        try commit([.delete(item.id)], on: one)
        model.deleted(item.id, item.content)
    }

    private func restore(on one: Int) throws {
        guard let item = try any([.lost], on: one), case .lost(let edit) = item.content else { return }
        let id = NotebookID.random(using: &rng)
        try commit([.put(id, edit.item.content), .delete(item.id)], on: one)
        model.restored(item.id, as: id, edit.item.content)
    }

    /// Somebody had it open while the other one deleted it. Who deletes something and writes it again before anybody
    /// heard of that has deleted nothing.
    private func write(overDeletedOn one: Int) throws {
        let others = model.deleted.subtracting(deletions[one])
        let gone = try devices[one].store.deletedNotebookIDs(among: others).sorted()
        guard !gone.isEmpty else { return }
        let id = gone[Int.random(in: 0..<gone.count, using: &rng)]
        let edit = model.nextEdit()
        for kind in Self.kinds {
            do {
                try commit([.put(id, content(kind, edit))], on: one)
            } catch StoreError.notThisKind {
                continue
            }
            return model.wrote(edit, on: id, over: nil)
        }
    }
}
