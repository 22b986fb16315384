import Testing
import TourCrypto
import TourModel

/// Goal: the key follows passphrase and parameters, and stored parameters are bounded. Method: the smallest
/// parameters, since the time they take is not the point; the value was computed by the reference Argon2 library.
struct PassphraseTests {
    private let salt = [UInt8](0..<16)

    @Test func keyFollowsPassphraseAndSalt() throws {
        let parameters = try Passphrase.Parameters(operations: 1, memoryBytes: 64 * 1024, salt: salt)
        let key = try Passphrase.key([UInt8]("correct horse".utf8), parameters)
        #expect(Hex.encode(key.exposedCopy()) == "25ce5233cc1e4d37e9bca31bfef41710e40446cd1cb575932791c5fd3780bd3c")
        #expect(try Passphrase.key([UInt8]("correct horsf".utf8), parameters) != key)
        let other = try Passphrase.Parameters(operations: 1, memoryBytes: 64 * 1024, salt: salt.reversed())
        #expect(try Passphrase.key([UInt8]("correct horse".utf8), other) != key)
        #expect(try Passphrase.key([], parameters).count == 32)
    }

    @Test func parametersFollowTheMachine() {
        let small = Passphrase.Parameters.random(machineMemoryBytes: 512 << 20)
        let large = Passphrase.Parameters.random(machineMemoryBytes: 1 << 30)
        #expect(small.operations == 2 && small.memoryBytes == 64 << 20)
        #expect(large.operations == 3 && large.memoryBytes == 256 << 20)
        #expect(small.salt.count == 16 && small.salt != large.salt)
    }

    @Test(arguments: [
        (0, 64 << 20, 16), (11, 64 << 20, 16), (3, (1 << 30) + 1, 16), (3, 0, 16), (3, -1, 16), (3, 64 << 20, 15),
    ])
    func parametersOutOfBoundsAreRefused(operations: UInt64, memory: Int, saltBytes: Int) {
        #expect(throws: CryptoError.badPassphraseParameters) {
            try Passphrase.Parameters(
                operations: operations, memoryBytes: memory, salt: [UInt8](repeating: 0, count: saltBytes))
        }
    }
}
