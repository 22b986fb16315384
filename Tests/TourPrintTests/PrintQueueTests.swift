import Testing
import TourPrint

/// Goal: however many ask at once, few documents wait, and all who were let in get theirs.
/// Method: a room for two, and more askers than that at the same time.
struct PrintQueueTests {
    private enum Outcome: Hashable { case printed, busy, unprinted }

    @Test func fewWait() async {
        let room = PrintQueue(label: "test", waitingMax: 2)
        let outcomes = await withTaskGroup { group in
            for number in 0..<16 {
                group.addTask { await Self.outcome(of: PrintDocument(title: "Document \(number)"), in: room) }
            }
            return await group.reduce(into: [Outcome]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .printed } >= 2)
        #expect(!outcomes.contains(.unprinted))
        // There is room again.
        #expect(await Self.outcome(of: PrintDocument(title: "x"), in: room) == .printed)
        let long = String(repeating: "x", count: PrintLimits.textBytesMax)
        for _ in 0..<3 {
            #expect(await Self.outcome(of: PrintDocument(title: "x", body: [.text(long)]), in: room) == .unprinted)
        }
    }

    @Test func whereThereIsNoRoomNothingIsPrinted() async {
        let room = PrintQueue(label: "test", waitingMax: 0)
        #expect(await Self.outcome(of: PrintDocument(title: "x"), in: room) == .busy)
    }

    private static func outcome(of document: PrintDocument, in room: PrintQueue) async -> Outcome {
        do throws(PrintQueue.Refusal) {
            return try await room.pdf(document, for: "a").starts(with: "%PDF-".utf8) ? .printed : .unprinted
        } catch {
            return error == .busy ? .busy : .unprinted
        }
    }
}
