import CSodium

/// A secret: wiped when its last reference is released, compared in constant time, never printed.
///
/// A class so that collections and states can share one secret without copying its bytes; it is immutable.
package final class SecretBytes: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The number of bytes.
    package let count: Int

    // Written only before `init` returns, and read only afterwards: no two threads can race.
    private nonisolated(unsafe) let storage: UnsafeMutableRawPointer

    /// - Parameter fill: writes all `count` bytes (1 or more), which start as zeros. If it throws, the bytes are wiped.
    init<Failure: Error>(
        count: Int, _ fill: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        self.count = count
        let slot = count <= SecretArena.slotBytes ? SecretArena.acquire() : nil
        storage = slot ?? .allocate(byteCount: max(count, 1), alignment: 16)
        storage.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        try fill(storage.assumingMemoryBound(to: UInt8.self))
    }

    /// Copies the bytes; does not touch the caller's copy.
    package convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { target in
            bytes.withBytes { source in
                if let base = source.baseAddress { target.update(from: base, count: source.count) }
            }
        }
    }

    /// Moves the bytes: wipes the caller's array, as far as nobody else has a copy.
    package convenience init(taking bytes: inout [UInt8]) {
        self.init(bytes)
        bytes.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) }
        bytes = []
    }

    deinit {
        sodium_memzero(storage, count)
        if !SecretArena.give(storage) { storage.deallocate() }
    }

    /// Random bytes, for a new key.
    package static func random(count: Int) -> SecretBytes {
        SecretBytes(count: count) { target in
            Randomness.fill(UnsafeMutableRawBufferPointer(start: target, count: count))
        }
    }

    /// Lends the bytes; the pointer must not outlive the call.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { extendLifetime(self) }
        return try body(UnsafeRawBufferPointer(start: storage, count: count))
    }

    func withPointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        defer { extendLifetime(self) }
        return body(UnsafePointer(storage.assumingMemoryBound(to: UInt8.self)))
    }

    /// The first `length` bytes (at most `count`) as another secret.
    package func prefix(_ length: Int) -> SecretBytes {
        precondition(length <= count, "a prefix is not longer than its secret")
        return SecretBytes(count: length) { target in withPointer { target.update(from: $0, count: length) } }
    }

    /// Lends a copy in ordinary memory, for functions that take no pointer; wipes it afterwards, unless the body kept
    /// it.
    package func withCopy<Result, Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var copy = exposedCopy()
        defer { copy.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) } }
        return try body(copy)
    }

    /// A copy in ordinary memory, for a sealed message or row. Nobody wipes it.
    package func exposedCopy() -> [UInt8] { withBytes { Array($0) } }

    /// Runs in constant time for equal lengths; lengths are not secret.
    package static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        guard left.count == right.count else { return false }
        return left.withPointer { first in right.withPointer { sodium_memcmp(first, $0, left.count) == 0 } }
    }

    package var description: String { "secret of \(count) bytes" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
