import Testing
import TourModel
import TourWire

/// Goal: a shared record comes back from its parts as it was, and only whole; what others would refuse is not cut at
/// all. Method: records of each kind up to their limits; parts left out, doubled and mixed.
struct SharedRecordTests {
    private static let id = NotebookID(high: 1, low: 2)

    private static func stop(_ number: Int, title: String? = nil, note: String? = nil) -> SharedStop {
        SharedStop(
            id: NotebookID(high: 7, low: UInt64(number)), title: title ?? "Stop \(number)", kind: "stop", note: note,
            place: Coordinate(latitude: Int32(number), longitude: -5), at: number % 2 == 0 ? nil : -Int64(number))
    }

    private static func itinerary(_ stops: [SharedStop]) -> SharedRecord {
        SharedRecord(title: "Day 2", content: .itinerary(SharedItinerary(description: "By tram", stops: stops)))
    }

    private static let records = [
        SharedRecord(title: "n", content: .note(text: "")),
        SharedRecord(title: "Grüße", content: .note(text: String(repeating: "é\n", count: 80_000))),
        SharedRecord(
            title: "Café", content: .place(SharedPlace(url: "geo:1,2", note: "<b>six</b>", tags: ["food", "late"]))),
        SharedRecord(title: "Nothing", content: .place(SharedPlace(url: nil, note: nil, tags: []))),
        itinerary([]), itinerary((1...2_000).map { stop($0, note: "Meet at the gate, \($0)") }),
    ]

    @Test(arguments: records) func recordsComeBack(record: SharedRecord) throws {
        let parts = try #require(record.parts(of: Self.id, version: Limits.sharedVersionMax))
        #expect(parts.count <= Limits.sharedPartsMax)
        #expect(parts.dropLast().allSatisfy { $0.data.count == Limits.sharedPartBytesMax && $0.head == nil })
        // Each goes through an event of its own.
        for part in parts {
            let content = Content.shared(part)
            #expect(content.eventClass == (part.head == nil ? .profile : .file))
            let bytes = content.encode()
            #expect(bytes.count + 24 + 16 <= Limits.sealedBodyBytesMax)
            #expect(try Content(decoding: bytes) == content)
        }
        #expect(try SharedRecord(parts: parts) == record)
    }

    @Test func onlyTheWholeIsARecord() throws {
        let record = Self.itinerary((1...900).map { Self.stop($0) })
        let parts = try #require(record.parts(of: Self.id, version: 1))
        #expect(parts.count > 2)
        let newer = try #require(record.parts(of: Self.id, version: 2))
        let other = try #require(record.parts(of: NotebookID(high: 9, low: 9), version: 1))
        var wrong = [[], Array(parts.dropLast()), Array(parts.dropFirst()), parts.reversed(), parts + parts]
        wrong += [[newer[0]] + parts.dropFirst(), [other[0]] + parts.dropFirst(), [parts[1]] + parts.dropFirst()]
        wrong.append([.takingBack(Self.id, version: 1, SharedPart.Head(kind: .itinerary, title: "Day 2"))])
        for parts in wrong {
            #expect(throws: WireError.recordMalformed) { try SharedRecord(parts: parts) }
        }
    }

    @Test func whatOthersWouldRefuseIsNotCut() {
        let long = String(repeating: "n", count: Limits.notebookTextBytesMax)
        let wrong = [
            SharedRecord(title: "", content: .note(text: "")),
            SharedRecord(
                title: String(repeating: "t", count: Limits.notebookTitleBytesMax + 1), content: .note(text: "")),
            SharedRecord(title: "t", content: .note(text: long + "n")),
            SharedRecord(title: "t", content: .place(SharedPlace(url: nil, note: nil, tags: [""]))),
            Self.itinerary((1...Limits.notebookStopsMax + 1).map { Self.stop($0) }),
            Self.itinerary([Self.stop(1), Self.stop(1)]), Self.itinerary([Self.stop(1, title: "")]),
            // Each note for itself is short enough: all of them are over a mebibyte.
            Self.itinerary((1...5).map { Self.stop($0, note: long) }),
        ]
        for record in wrong { #expect(record.parts(of: Self.id, version: 1) == nil, "\(record.title)") }
        let sound = SharedRecord(title: "t", content: .note(text: long))
        #expect(sound.parts(of: Self.id, version: 1)?.count == 17)
        #expect(sound.parts(of: Self.id, version: 0) == nil)
        #expect(sound.parts(of: Self.id, version: Limits.sharedVersionMax + 1) == nil)
    }

    /// 2,001 stops of two bytes each: refused before any of them is made.
    @Test func listsAreCountedFirst() throws {
        let head = SharedPart.Head(kind: .itinerary, title: "Day 2")
        func record(_ stops: Int) throws -> SharedRecord {
            let data = [UInt8]((0..<stops).flatMap { _ in [0x12, 0x00] as [UInt8] })
            let part = SharedPart(record: Self.id, version: 1, part: 0, parts: 1, data: data, head: head)
            return try SharedRecord(parts: [part])
        }
        #expect(throws: WireError.recordMalformed) { try record(Limits.notebookStopsMax + 1) }
        // Within the bound they are read, and have no id.
        #expect(throws: WireError.recordMalformed) { try record(1) }
        #expect(try record(0).title == "Day 2")
    }

    @Test func kindsOfALaterVersionAreUnsupported() throws {
        // record, version 1, parts 1, kind 4, title "x"
        let part: [UInt8] =
            [0x0A, 16] + [UInt8](repeating: 1, count: 16) + [0x10, 1, 0x20, 1, 0x30, 4, 0x3A, 1, 0x78]
        #expect(try Content(decoding: [0x6A, UInt8(part.count)] + part) == .unsupported)
    }
}
