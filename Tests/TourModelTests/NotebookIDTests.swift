import Testing
import TourModel

/// Goal: ids are UUIDs, and read back as they were written. Method: known ones, and many from a seed.
struct NotebookIDTests {
    @Test func aUUIDReadsBack() throws {
        let text = "00112233-4455-6677-8899-aabbccddeeff"
        let id = try #require(NotebookID(text))
        #expect(id.text == text && NotebookID(text.uppercased()) == id && NotebookID(id.digits) == id)
        #expect(
            id.bytes == [
                0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff,
            ])
        #expect(NotebookID(id.bytes) == id)
    }

    @Test(arguments: [
        "", "0011", "00112233-4455-6677-8899-aabbccddeef", "00112233445566778899-aabbccddeeff--", "é",
        "zz112233445566778899aabbccddeeff",
    ])
    func whatIsNoUUIDIsRefused(text: String) { #expect(NotebookID(text) == nil) }

    @Test func newOnesAreOfVersionFour() {
        var rng = SplitMix64(seed: 1)
        for _ in 0..<1_000 {
            let id = NotebookID.random(using: &rng)
            #expect(id.bytes[6] >> 4 == 4 && id.bytes[8] >> 6 == 2)
        }
    }
}
