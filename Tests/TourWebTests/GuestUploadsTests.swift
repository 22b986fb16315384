import Foundation
import Testing
import TourWeb

/// Goal: a picture that comes in parts is whole or not there, goes on where it stopped, and does not stay for ever.
/// Method: uploads in a directory of the test's own, under a clock that the test moves.
@Suite struct GuestUploadsTests {
    private final class Scratch {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tour-guests-\(UUID().uuidString)")
            .path

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path + "/uploads")) ?? [] }
    }

    private static func part(_ id: String, _ offset: UInt64, of size: UInt64, _ bytes: [UInt8]) -> GuestUploads.Part {
        GuestUploads.Part(id: id, offset: offset, size: size, bytes: bytes)
    }

    @Test func partsAddUpAndOnesOutOfPlaceAddNothing() async throws {
        let scratch = try Scratch()
        let uploads = GuestUploads(directory: scratch.path)
        #expect(try await uploads.add(Self.part("a", 0, of: 6, [1, 2]), of: "anna") == 2)
        #expect(try await uploads.add(Self.part("a", 0, of: 6, [1, 2]), of: "anna") == 2)
        #expect(try await uploads.add(Self.part("a", 5, of: 6, [6]), of: "anna") == 2)
        #expect(try await uploads.add(Self.part("a", 2, of: 6, []), of: "anna") == 2)
        #expect(try await uploads.add(Self.part("a", 2, of: 6, [3, 4, 5, 6]), of: "anna") == 6)
        #expect(try await uploads.add(Self.part("a", 6, of: 6, []), of: "anna") == 6)
        #expect(scratch.files.count == 1)
        // Another picture of the seat takes its place; another seat has its own.
        #expect(try await uploads.add(Self.part("b", 0, of: 2, [1]), of: "anna") == 1)
        #expect(try await uploads.add(Self.part("a", 0, of: 2, [1]), of: "ben") == 1)
        #expect(scratch.files.count == 2)
        uploads.remove(of: "anna")
        #expect(scratch.files.count == 1)
        uploads.removeAll()
        #expect(scratch.files.isEmpty)
    }

    @Test func tooMuchIsRefusedAndWhatWaitsTooLongGoes() async throws {
        let scratch = try Scratch()
        let uploads = GuestUploads(directory: scratch.path)
        await #expect(throws: (any Error).self) {
            try await uploads.add(Self.part("a", 0, of: GuestLimits.pictureBytesMax + 1, [1]), of: "anna")
        }
        // More than was announced ends it.
        await #expect(throws: (any Error).self) {
            try await uploads.add(Self.part("a", 0, of: 2, [1, 2, 3]), of: "anna")
        }
        #expect(scratch.files.isEmpty)
        let start = ContinuousClock.now
        #expect(try await uploads.add(Self.part("a", 0, of: 2, [1]), of: "anna", now: start) == 1)
        uploads.expire(now: start + GuestLimits.pictureTime - .seconds(1))
        #expect(scratch.files.count == 1)
        uploads.expire(now: start + GuestLimits.pictureTime)
        #expect(scratch.files.isEmpty)
    }
}
