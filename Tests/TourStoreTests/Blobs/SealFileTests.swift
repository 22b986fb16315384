import Glibc
import Testing
import TourCrypto
import TourModel
import TourStore

// Goal: what is sealed here opens again byte for byte, only what is a file at rest is sealed, and what is cut short
// leaves nothing behind.
// Method: real files of all lengths at the edges of chunks, and of other kinds; files that change while they are read.
@Suite struct SealFileTests {
    private let scratch: Scratch
    private let store: TourStore

    init() throws {
        scratch = try Scratch()
        store = try Sample.store(scratch)
    }

    private var source: String { scratch.path + "/source" }

    private func seal(
        _ path: String? = nil, quota: BlobQuota = .free, progress: (UInt64, UInt64) -> Bool = { _, _ in true }
    ) throws -> TourStore.SealedFile {
        try store.sealFile(
            at: path ?? source, author: Sample.anna, in: Sample.tour, quota: quota, keeping: { _ in false },
            progress: progress)
    }

    /// Names in the tour's directory of files.
    private var names: [String] { Scratch.names("\(scratch.path)/data/blobs/\(Sample.tour.hex)") }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1_300_000])
    func aFileComesBackAsItWas(bytes: Int) throws {
        let blob = try SampleBlob(bytes: bytes)
        Scratch.write(blob.plain, to: source)
        var steps: [UInt64] = []
        let sealed = try seal {
            steps.append($0)
            return $1 == UInt64(bytes)
        }
        #expect(steps == (0..<blob.chunks.count).map { UInt64(min(bytes, ($0 + 1) * 65_536)) })
        #expect(sealed.manifest.shape.size == UInt64(bytes) && sealed.manifest.event == .none)
        #expect(names == [sealed.manifest.id.hex])
        let file = try #require(try store.openBlob(sealed.manifest.id, of: Sample.tour))
        #expect(file.isComplete && file.pages.count == sealed.manifest.shape.pageCount)
        let opener = BlobSeal(key: sealed.key)
        let shape = file.shape
        let opened = try (0..<shape.chunkCount).flatMap { chunk in
            try opener.open(chunk: file.read(chunk), index: chunk, isLast: shape.isLast(chunk))
        }
        #expect(opened == blob.plain)
    }

    /// A key of its own for each: two chunks under one nonce would show what they share.
    @Test func theSameFileTwiceIsTwoFiles() throws {
        Scratch.write([UInt8](repeating: 7, count: 70_000), to: source)
        let first = try seal()
        let second = try seal()
        #expect(first.key != second.key && first.manifest.id != second.manifest.id)
        #expect(try store.blobs(Sample.tour).map(\.manifest) == [first.manifest, second.manifest])
    }

    @Test func onlyRegularFilesAreSealed() throws {
        mkfifo(scratch.path + "/pipe", 0o600)
        mkdir(scratch.path + "/directory", 0o700)
        symlink("loop", scratch.path + "/loop")
        let cases: [(String, StoreError.PathTrouble)] = [
            (scratch.path + "/pipe", .notRegular), (scratch.path + "/directory", .isDirectory),
            ("/dev/zero", .notRegular), (scratch.path + "/none", .noFile), (scratch.path + "/loop", .badName),
            (source + "/below", .noFile), (scratch.path + "/" + String(repeating: "a", count: 300), .badName),
        ]
        for (path, trouble) in cases {
            #expect(throws: StoreError.badPath(path, trouble)) { _ = try seal(path) }
        }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (scratch.path + "/socket").utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        #expect(throws: StoreError.badPath(scratch.path + "/socket", .notRegular)) {
            _ = try seal(scratch.path + "/socket")
        }
        #expect(names.isEmpty)
        #expect(try store.blobs(Sample.tour).isEmpty)
    }

    @Test func aLinkToAFileIsTheFile() throws {
        Scratch.write([1, 2, 3], to: source)
        symlink(source, scratch.path + "/link")
        #expect(try seal(scratch.path + "/link").manifest.shape.size == 3)
    }

    @Test func whatIsTooLongIsRefusedUnread() throws {
        Glibc.close(open(source, O_CREAT | O_WRONLY, 0o600))
        for size in [1024 * 1024 * 1024 + 1, 4 * 1024 * 1024 * 1024] {
            truncate(source, off_t(size))
            #expect(throws: StoreError.badPath(source, .tooLong)) { _ = try seal() }
        }
    }

    /// What says that it is empty and is not; what grows, shrinks or changes under the reader.
    @Test func aFileThatChangesIsRefused() throws {
        #expect(throws: StoreError.badPath("/proc/self/status", .hasChanged)) { _ = try seal("/proc/self/status") }
        let bytes = [UInt8](repeating: 7, count: 200_000)
        let changes: [(String) -> Void] = [
            { path in truncate(path, 199_999) },
            { path in truncate(path, 100) },
            { path in truncate(path, 200_001) },
            { path in
                let descriptor = open(path, O_WRONLY)
                pwrite(descriptor, [8], 1, 5)
                close(descriptor)
                var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
                utimensat(AT_FDCWD, path, &times, 0)
            },
        ]
        for change in changes {
            Scratch.write(bytes, to: source)
            #expect(throws: StoreError.badPath(source, .hasChanged)) {
                _ = try seal { done, _ in
                    if done == 65_536 { change(source) }
                    return true
                }
            }
            #expect(names.isEmpty)
        }
        #expect(try store.blobs(Sample.tour).isEmpty)
    }

    @Test func whoeverEndsItGetsNothing() throws {
        Scratch.write([UInt8](repeating: 7, count: 200_000), to: source)
        var calls = 0
        #expect(throws: StoreError.cancelled) {
            _ = try seal { _, _ in
                calls += 1
                return calls < 2
            }
        }
        #expect(calls == 2 && names.isEmpty)
        #expect(try store.blobs(Sample.tour).isEmpty)
    }

    @Test func aFileThatHasNoRoomIsRefused() throws {
        Scratch.write([UInt8](repeating: 7, count: 200_000), to: source)
        #expect(throws: StoreError.noRoom(.tour)) {
            _ = try seal(quota: BlobQuota(tourBytes: 3 * 65_552, freeBytesMin: 0))
        }
        #expect(throws: StoreError.noRoom(.disk)) {
            _ = try seal(quota: BlobQuota(freeBytesMin: 1 << 60))
        }
        // Its user sends it: what others may take does not bound it.
        _ = try seal(quota: BlobQuota(authorBytes: 0, freeBytesMin: 0))
    }
}
