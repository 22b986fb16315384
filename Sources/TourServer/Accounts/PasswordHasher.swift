import NIOPosix
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

        func parameters() throws(Failure) -> Passphrase.Parameters {
            let salt = Randomness.bytes(Passphrase.Parameters.saltBytes)
            guard let it = try? Passphrase.Parameters(operations: operations, memoryBytes: memoryBytes, salt: salt)
            else {
                throw Failure(.internalError, cause: "passwords are to be hashed outside the bounds")
            }
            return it
        }
    }

    private let cost: Cost
    private let threads = NIOThreadPool(numberOfThreads: ServerLimits.hashesAtOnce)
    private let waiting = Mutex(0)
    /// The hash that a password for an unknown account is checked against, so that the check takes as long as for a
    /// known one.
    private let nobody: String

    /// - Throws: `internal` for a cost out of bounds; `unavailable` without the memory for one hash.
    package init(cost: Cost = .interactive) throws(Failure) {
        self.cost = cost
        nobody = try Self.stored([], cost.parameters())
        threads.start()
    }

    /// Stops the threads; later hashes throw `unavailable`.
    package func stop() async { try? await threads.shutdownGracefully() }

    /// The stored form of a password: algorithm, parameters, salt and hash.
    /// - Throws: `unavailable` when the queue is full.
    func hash(_ password: Password) async throws(Failure) -> String {
        let parameters = try cost.parameters()
        return try await work { () throws(Failure) in try Self.stored(password.bytes, parameters) }
    }

    /// - Parameter stored: nil for an account that is unknown or has no password: the result is false, after the same
    ///   time.
    func verifies(_ password: Password, _ stored: String?) async throws(Failure) -> Bool {
        let known = stored ?? nobody
        let matches = try await work { () throws(Failure) in
            if try Self.matches(password.bytes, known) { return true }
            return try password.typed.map { typed throws(Failure) in try Self.matches(typed, known) } ?? false
        }
        return matches && stored != nil
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

    private static func stored(_ password: [UInt8], _ parameters: Passphrase.Parameters) throws(Failure) -> String {
        let key = try key(password, parameters)
        return "argon2id$\(parameters.operations)$\(parameters.memoryBytes)$\(Hex.encode(parameters.salt))$"
            + Hex.encode(key.exposedCopy())
    }

    private static func matches(_ password: [UInt8], _ stored: String) throws(Failure) -> Bool {
        let parts = stored.split(separator: "$").map(String.init)
        guard parts.count == 5, parts[0] == "argon2id", let operations = UInt64(parts[1]), let memory = Int(parts[2]),
            let salt = Hex.decode(parts[3]), let hash = Hex.decode(parts[4]),
            let parameters = try? Passphrase.Parameters(operations: operations, memoryBytes: memory, salt: salt)
        else { throw Failure(.internalError, cause: "a stored password cannot be read") }
        return try key(password, parameters) == SecretBytes(hash)
    }

    private static func key(
        _ password: [UInt8], _ parameters: Passphrase.Parameters
    ) throws(Failure) -> SecretBytes {
        do {
            return try Passphrase.key(password, parameters)
        } catch {
            throw Failure(.unavailable, cause: "no memory to hash a password")
        }
    }
}
