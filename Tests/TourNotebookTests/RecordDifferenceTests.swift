import Testing
import TourModel
import TourNotebook

/// Goal: a difference says all that changed and nothing else, and calls as few stops moved as can be. Method: known
/// changes; random lists, with the difference applied to the old one, and a plain search for the longest rise.
struct RecordDifferenceTests {
    private static func stop(_ number: Int, note: String? = nil) -> SharedStop {
        SharedStop(
            id: NotebookID(high: 0, low: UInt64(number)), title: "Stop \(number)", kind: "stop", note: note, place: nil,
            at: nil)
    }

    private static func record(_ stops: [Int], title: String = "Day 2", text: String? = nil) -> SharedRecord {
        SharedRecord(
            title: title, content: .itinerary(SharedItinerary(description: text, stops: stops.map { stop($0) })))
    }

    @Test func eachChangeIsNamed() throws {
        let old = Self.record([1, 2, 3, 4])
        var new = Self.record([5, 1, 4, 3], title: "Day two", text: "By tram\nor on foot")
        guard case .itinerary(var itinerary) = new.content else { return }
        itinerary.stops[3].note = "closed"
        itinerary.stops[3].at = 60
        new.content = .itinerary(itinerary)
        let difference = try #require(RecordDifference(from: old, to: new))
        typealias Entry = StopDifference.Entry
        #expect(
            difference.stops.entries == [
                Entry(change: .removed, stop: Self.stop(2), from: 2, to: nil),
                Entry(change: .added, stop: Self.stop(5), from: nil, to: 1),
                Entry(change: .moved, stop: Self.stop(4), from: 4, to: 3),
                Entry(change: .changed(["note", "at"]), stop: itinerary.stops[3], from: 3, to: 4),
            ])
        #expect(difference.fields.map(\.name) == ["title"])
        #expect(difference.fields.first?.before == "Day 2" && difference.fields.first?.now == "Day two")
        #expect(difference.lines.lines.map(\.text) == ["By tram", "or on foot"])
        var summary = RecordDifference.Summary()
        (summary.stopsAdded, summary.stopsRemoved, summary.stopsMoved, summary.stopsChanged) = (1, 1, 1, 1)
        summary.linesAdded = 2
        summary.fields = ["title"]
        #expect(difference.summary == summary)
        #expect(RecordDifference(from: old, to: old)?.summary == RecordDifference.Summary())
        #expect(RecordDifference(from: old, to: SharedRecord(title: "Day 2", content: .note(text: ""))) == nil)
    }

    @Test func placesAreComparedByTheirFields() throws {
        func place(_ url: String, _ note: String, _ tags: [String]) -> SharedRecord {
            SharedRecord(title: "Café", content: .place(SharedPlace(url: url, note: note, tags: tags)))
        }
        let difference = try #require(
            RecordDifference(from: place("geo:1,2", "a\nb\nc", ["x"]), to: place("geo:1,3", "a\nc", ["x", "y"])))
        #expect(difference.fields.map(\.name) == ["url", "tags"])
        #expect(difference.fields.map(\.now) == ["geo:1,3", "x, y"])
        #expect(difference.lines.lines == [.init(isAdded: false, number: 2, text: "b")])
    }

    @Test func aDifferenceLeadsFromTheOldOrderToTheNewOne() {
        var rng = SplitMix64(seed: 5)
        for _ in 0..<400 {
            let all = Array(0..<Int.random(in: 0...24, using: &rng))
            let old = all.filter { _ in Bool.random(using: &rng) }.shuffled(using: &rng)
            let new = all.filter { _ in Bool.random(using: &rng) }.shuffled(using: &rng)
            let entries = StopDifference(from: old.map { Self.stop($0) }, to: new.map { Self.stop($0) }).entries
            func numbers(_ change: StopDifference.Change) -> [Int] {
                entries.filter { $0.change == change }.map { Int($0.stop.id.low) }
            }
            let (removed, added, moved) = (numbers(.removed), numbers(.added), numbers(.moved))
            #expect(Set(removed) == Set(old).subtracting(new) && Set(added) == Set(new).subtracting(old))
            // What neither went nor moved stands in its old order.
            let gone = Set(removed + moved)
            let placed = Set(added + moved)
            #expect(old.filter { !gone.contains($0) } == new.filter { !placed.contains($0) })
            #expect(new.count - placed.count == Self.longestRise(new.compactMap { old.firstIndex(of: $0) }))
            #expect(entries.filter { $0.to != nil }.allSatisfy { new[($0.to ?? 0) - 1] == Int($0.stop.id.low) })
            #expect(entries.filter { $0.from != nil }.allSatisfy { old[($0.from ?? 0) - 1] == Int($0.stop.id.low) })
        }
    }

    private static func longestRise(_ numbers: [Int]) -> Int {
        var best = [Int]()
        for (place, number) in numbers.enumerated() {
            best.append(1 + (numbers[..<place].indices.filter { numbers[$0] < number }.map { best[$0] }.max() ?? 0))
        }
        return best.max() ?? 0
    }

    /// Two of which every line is another, and two that share a lot; long ones go another way than short ones.
    @Test(arguments: [3, 40, 900]) func linesLeadFromTheOldTextToTheNewOne(length: Int) {
        var rng = SplitMix64(seed: UInt64(length))
        for words in [2, 7, 5_000] {
            let old = (0..<length).map { _ in String(Int.random(in: 0..<words, using: &rng)) }
            var new = old.filter { _ in Int.random(in: 0..<10, using: &rng) > 0 }
            for _ in 0..<length / 3 {
                new.insert(
                    String(Int.random(in: 0..<words, using: &rng)), at: Int.random(in: 0...new.count, using: &rng))
            }
            Self.check(old, new)
            Self.check(old, new.shuffled(using: &rng))
            Self.check(old, [])
            Self.check([], new)
        }
    }

    private static func check(_ old: [String], _ new: [String]) {
        let difference = LineDifference(from: old.joined(separator: "\n"), to: new.joined(separator: "\n"))
        let gone = Set(difference.lines.filter { !$0.isAdded }.map(\.number))
        let come = Dictionary(difference.lines.filter(\.isAdded).map { ($0.number, $0.text) }) { first, _ in first }
        var kept = old.enumerated().filter { !gone.contains($0.offset + 1) }.map(\.element).makeIterator()
        let made = (1...max(new.count, 1)).compactMap { come[$0] ?? kept.next() }
        #expect(made == new && kept.next() == nil)
        #expect(gone.count == difference.removed && come.count == difference.added)
        #expect(gone.allSatisfy { (1...max(old.count, 1)).contains($0) })
    }

    @Test func lineBreaksAreOfAnyKind() {
        let difference = LineDifference(from: "a\r\nb", to: "a\nb\n")
        #expect(difference.lines == [.init(isAdded: true, number: 3, text: "")])
        #expect(LineDifference(from: "", to: "").lines.isEmpty)
    }
}
