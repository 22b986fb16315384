import Testing
import TourPrint

struct PrintTests {
    @Test func aDocumentHasItsTitle() { #expect(PrintDocument(title: "Day 1").title == "Day 1") }
}
