import Testing
import TourModel
import TourNotebook

/// Goal: what is shared of an item is what it says, and nothing that is its owner's alone; a copy says the same under
/// ids of its own. Method: items of each kind, shared and copied.
struct SharedCopyTests {
    private static func id(_ number: UInt64) -> NotebookID { NotebookID(high: 3, low: number) }

    private static func copies(_ record: SharedRecord) -> [(id: NotebookID, content: NotebookContent)] {
        var next: UInt64 = 100
        return record.copies(now: 77) {
            next += 1
            return id(next)
        }
    }

    @Test func aNoteIsCopied() {
        let note = Note(title: "Packing", content: "Coat\n<script>")
        let record = SharedRecord(note)
        #expect(record.kind == .note && record.text == note.content)
        #expect(Self.copies(record).map(\.content) == [.note(note)])
    }

    @Test func aPlaceKeepsToItself() throws {
        let place = SavedPlace(
            categoryID: Self.id(1), title: "Café", url: "geo:48.8584,2.2945", note: "", source: "import", isRead: true,
            isFavorite: true, tags: ["food"], imageURLs: ["https://tours.example/api/v1/files/x"], fileURL: "f")
        let record = SharedRecord(place)
        #expect(record.content == .place(SharedPlace(url: place.url, note: nil, tags: ["food"])))
        guard case .place(let copy)? = Self.copies(record).first?.content else {
            Issue.record("no place")
            return
        }
        #expect(copy == SavedPlace(title: "Café", url: place.url, source: "share", tags: ["food"]))
        #expect(copy.coordinate == Coordinate(degreesNorth: 48.8584, degreesEast: 2.2945))
    }

    @Test func anItineraryIsCopiedWithItsStops() throws {
        let stops = [
            Stop(
                title: "Gate", materialType: "museum", note: "North", place: Coordinate(latitude: 1, longitude: 2),
                at: 60),
            Stop(title: "Hall", note: "", at: 0),
        ]
        let itinerary = Itinerary(
            title: "Day 2", description: "By tram",
            stops: [.init(id: Self.id(1), addedAt: 5), .init(id: Self.id(2), addedAt: 6)])
        let record = SharedRecord(itinerary, stops: [(Self.id(1), stops[0]), (Self.id(2), stops[1])])
        #expect(record.stops.map(\.id) == [Self.id(1), Self.id(2)])
        let copies = Self.copies(record)
        #expect(copies.map(\.id) == [Self.id(101), Self.id(102), Self.id(103)])
        // What says nothing is nothing.
        #expect(copies.map(\.content).prefix(2) == [.stop(stops[0]), .stop(Stop(title: "Hall"))])
        #expect(
            copies.last?.content
                == .itinerary(
                    Itinerary(
                        title: "Day 2", description: "By tram",
                        stops: [.init(id: Self.id(101), addedAt: 77), .init(id: Self.id(102), addedAt: 77)])))
    }

    @Test func kindsAreThoseOfItems() {
        for kind in SharedKind.allCases {
            #expect(SharedKind(kind.item) == kind && SharedKind(word: kind.word) == kind)
        }
        #expect(SharedKind(.stop) == nil && SharedKind(word: "stop") == nil)
    }
}
