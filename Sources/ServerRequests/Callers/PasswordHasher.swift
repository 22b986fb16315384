import NIOPosix
import ServerBase
import Synchronization
import TourCrypto
import TourModel

/// Hashes passwords with Argon2id off the event loops: few at once, since each hash needs 64 MiB and a tenth of a
/// second, and with a bounded queue.
package final class PasswordHasher: Sendable {
    /// Argon2id parameters: the cost of one hash.
    /// Source: RFC 9106.
    package struct Cost: Sendable {
        let operations: UInt64
        let memoryBytes: Int

        /// A cost outside the bounds of `Passphrase.Parameters` makes every hash throw `internal`.
        package init(operations: UInt64, memoryBytes: Int) {
            self.operations = operations
            self.memoryBytes = memoryBytes
        }

        /// 2 passes over 64 MiB.
        package static let interactive = Cost(operations: 2, memoryBytes: 64 * 1024 * 1024)
    }

    /// What a password is to a stored hash.
    package enum Match: Sendable {
        case wrong
        case right
        /// Right, and to be hashed anew: the hash has another cost, or is of the password as it was typed.
        case outdated
    }

    private let cost: Cost
    private let threads = NIOThreadPool(numberOfThreads: ServerLimits.hashesAtOnce)
    private let waiting = Mutex(0)
    /// The hash that a password for an unknown account is checked against, so that the check takes as long as for a
    /// known one.
    private let nobody: String

    /// - Throws: `internal` for a cost out of bounds; `unavailable` without the memory for one hash.
    package convenience init(cost: Cost = .interactive) throws(Failure) {
        self.init(cost: cost, nobody: try Self.hash([], cost).text)
    }

    private init(cost: Cost, nobody: String) {
        self.cost = cost
        self.nobody = nobody
        threads.start()
    }

    /// Passwords that are being hashed or wait for it.
    package var queued: Int { waiting.withLock { $0 } }

    /// Stops the threads; later hashes throw `unavailable`.
    package func stop() async { try? await threads.shutdownGracefully() }

    /// The stored form of a password, a PHC string: algorithm, cost, salt and hash.
    /// - Throws: `unavailable` when the queue is full.
    package func hash(_ password: Password) async throws(Failure) -> String {
        let cost = cost
        return try await work { () throws(Failure) in try Self.hash(password.bytes, cost).text }
    }

    /// - Parameter stored: nil for an account that is unknown or has no password: the result is `wrong`, after the
    ///   same time.
    package func match(_ password: Password, _ stored: String?) async throws(Failure) -> Match {
        guard let known = PasswordHash(stored ?? nobody) else {
            throw Failure(.internalError, cause: "a stored password cannot be read")
        }
        let cost = cost
        let found = try await work { () throws(Failure) -> Match in
            if try Self.matches(password.bytes, known) {
                return known.isOther(than: cost.operations, memoryBytes: cost.memoryBytes) ? .outdated : .right
            }
            guard let typed = password.typed, try Self.matches(typed, known) else { return .wrong }
            return .outdated
        }
        return stored == nil ? .wrong : found
    }

    private func work<Value: Sendable>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let isFree = waiting.withLock { count in
            guard count < ServerLimits.hashesWaitingMax else { return false }
            count += 1
            return true
        }
        guard isFree else { throw Failure(.unavailable, retryAfter: 5, cause: "too many passwords wait to be hashed") }
        defer { waiting.withLock { $0 -= 1 } }
        do {
            return try await threads.runIfActive { try body() }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.unavailable, cause: "the server is ending")
        }
    }

    private static func hash(_ password: [UInt8], _ cost: Cost) throws(Failure) -> PasswordHash {
        do {
            return try PasswordHash(of: password, operations: cost.operations, memoryBytes: cost.memoryBytes)
        } catch .badPassphraseParameters {
            throw Failure(.internalError, cause: "passwords are to be hashed outside the bounds")
        } catch {
            throw noMemory
        }
    }

    private static func matches(_ password: [UInt8], _ hash: PasswordHash) throws(Failure) -> Bool {
        do { return try hash.matches(password) } catch { throw noMemory }
    }

    private static let noMemory = Failure(.unavailable, cause: "no memory to hash a password")
}
