import Testing
import TourStore

/// Goal: a file system may say any numbers. Method: some that no disk has.
@Suite struct FreeSpaceTests {
    @Test func roomIsBytes() {
        let room = FreeSpace(blocks: 10, freeBlocks: 3, blockBytes: 4_096)
        #expect(room.bytes == 40_960)
        #expect(room.freeBytes == 12_288)
    }

    @Test func roomWithoutAnEndOverflowsNothing() {
        for (blocks, size) in [(UInt64.max, UInt64.max), (.max, 1), (1 << 52, 4_096)] {
            let room = FreeSpace(blocks: blocks, freeBlocks: blocks, blockBytes: size)
            #expect(room.freeBytes == room.bytes)
            #expect(room.bytes == 1 << 62)
        }
    }

    @Test func directoryThatIsNotThereHasNone() { #expect(FreeSpace(at: "/nowhere/at/all") == nil) }
}
