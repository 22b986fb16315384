import Foundation
import Testing
import TourModel
import TourNotebook

/// Goal: a request has what fits, in JSON as the specification says; an answer is read item by item, whatever else is
/// in it. Method: small exchanges, and answers as a server writes them, sound and not.
struct DeltaExchangeTests {
    private static func local(_ number: UInt64, deleted: Bool = false) throws -> LocalItem {
        let content = NotebookContent.note(Note(title: "note \(number)", content: ""))
        var local = LocalItem(new: content, id: NotebookID(high: 0, low: number), now: 0)
        local.sent = 1
        if deleted { _ = local.delete(now: 0) }
        return local
    }

    private static func exchange(limit: Int, cursor: String? = nil) -> DeltaExchange {
        DeltaExchange(cursor: cursor, device: "0011223344556677", account: "an account", limit: limit)
    }

    @Test func aRequestIsBoundedByNumberAndBytes() throws {
        var exchange = Self.exchange(limit: 2)
        var added = [
            exchange.add(try Self.local(1), size: 10), exchange.add(try Self.local(2, deleted: true), size: 10),
        ]
        #expect(added == [true, true] && !exchange.isFull)
        added = [exchange.add(try Self.local(3), size: 10)]
        #expect(added == [false] && exchange.isFull)
        #expect(exchange.sent == [NotebookID(high: 0, low: 1), NotebookID(high: 0, low: 2)])
        var large = Self.exchange(limit: 10)
        // One goes out however large it is.
        added = [
            large.add(try Self.local(1), size: DeltaExchange.bytesMax + 1), large.add(try Self.local(2), size: 1),
        ]
        #expect(added == [true, false])
    }

    @Test func aRequestInJSON() throws {
        var exchange = Self.exchange(limit: 5, cursor: "2026-06-01T08:00:00.000001Z")
        _ = exchange.add(try Self.local(1), size: 10)
        _ = exchange.add(try Self.local(2, deleted: true), size: 10)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode(exchange.request), as: UTF8.self)
        let zeros = "00000000-0000-0000-0000-00000000000"
        #expect(
            text
                == #"{"deletions":[{"base_version":0,"id":"\#(zeros)2","kind":"notes"}],"device":"0011223344556677","#
                + #""kinds":["notes","bookmarks","categories","collections","samples","lost"],"#
                + #""last_sync_timestamp":"2026-06-01T08:00:00.000001Z","limit":5,"#
                + #""notes":[{"base_version":0,"content":"","created_at":"1970-01-01T00:00:00Z","id":"\#(zeros)1","#
                + #""sync_version":1,"title":"note 1","updated_at":"1970-01-01T00:00:00Z"}]}"#)
    }

    @Test func anAnswerIsReadItemByItem() throws {
        let zeros = "00000000-0000-0000-0000-00000000000"
        let text = #"""
            {"updated_notes":[{"id":"\#(zeros)1","title":"held","content":"","sync_version":4},
             {"id":"\#(zeros)2"},7,null,{"id":"no id","title":"a","content":""}],
             "updated_bookmarks":null,"updated_later":[{}],
             "deleted_ids":{"notes":["\#(zeros)3",9,"x"],"later":[1]},
             "rejected":[{"kind":"notes","id":"\#(zeros)4","code":"quota","field":null,"message":"no room"},
                         {"code":"invalid-field","message":"what is that"}],
             "current_server_time":"2026-06-01T08:00:00.000001Z","has_more":true}
            """#
        let answer = try JSONDecoder().decode(DeltaAnswer.self, from: Data(text.utf8))
        #expect(answer.updated.map(\.id) == [NotebookID(high: 0, low: 1)])
        #expect(answer.deleted == [NotebookID(high: 0, low: 3)] && answer.hasMore)
        let reading = DeltaReading(answer)
        #expect(reading.outcome(of: NotebookID(high: 0, low: 1)) == answer.updated.first.map { .held($0) })
        #expect(reading.outcome(of: NotebookID(high: 0, low: 3)) == .deleted)
        #expect(reading.outcome(of: NotebookID(high: 0, low: 4)) == .refused("no room"))
        #expect(reading.outcome(of: NotebookID(high: 0, low: 5)) == .stored)
        #expect(reading.outcome(ofDeleting: NotebookID(high: 0, low: 3)) == .stored)
        #expect(reading.outcome(ofDeleting: NotebookID(high: 0, low: 4)) == .refused("no room"))
    }

    @Test(arguments: ["{}", "[]", #"{"current_server_time":7,"deleted_ids":{}}"#, #"{"current_server_time":"x"}"#])
    func whatIsNoAnswerIsRefused(text: String) {
        #expect(throws: (any Error).self) { try JSONDecoder().decode(DeltaAnswer.self, from: Data(text.utf8)) }
    }

    @Test func aServerThatFellBackIsNoticed() {
        func wentBack(_ cursor: String?, _ time: String) -> Bool {
            Self.exchange(limit: 1, cursor: cursor).wentBack(
                DeltaAnswer(updated: [], deleted: [], serverTime: time))
        }
        #expect(!wentBack(nil, "2026-06-01T08:00:00.000001Z"))
        #expect(!wentBack("2026-06-01T08:00:00.000001Z", "2026-06-01T08:00:00.000001Z"))
        #expect(wentBack("2026-06-01T08:00:00.000001Z", "2026-05-31T23:59:59.999999Z"))
        #expect(!wentBack("2026-06-01T08:00:00.000001Z", "another form"))
    }

    @Test func filesAreKnownByTheEndOfTheirAddresses() {
        let id = NotebookID(high: 1, low: 2)
        #expect(PlaceFile(address: "https://tours.example/x/api/v1/files/\(id.text)")?.id == id)
        #expect(PlaceFile(address: "/api/v1/files/\(id.digits)")?.id == id)
        #expect(PlaceFile(address: "https://tours.example/files/\(id.text)") == nil)
        #expect(PlaceFile(address: "https://tours.example/api/v1/files/\(id.text)/more") == nil)
        #expect(PlaceFile(address: "") == nil)
    }
}
