import Testing
import TourCrypto

/// Goal: a server's passwords are stored as PHC strings that any library of Argon2id reads, and no stored text makes
/// the server run for minutes.
/// Method: hashes of the reference implementation and of libsodium's; texts that are close to a hash.
struct PasswordHashTests {
    private static let memory = 8 * 1024

    @Test func aHashKnowsItsPassword() throws {
        let hash = try PasswordHash(of: Array("g\u{FC}l bah\u{E7}esi".utf8), operations: 1, memoryBytes: Self.memory)
        #expect(hash.text.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
        #expect(PasswordHash(hash.text) == hash)
        #expect(try hash.matches(Array("g\u{FC}l bah\u{E7}esi".utf8)))
        #expect(try !hash.matches(Array("gul bahcesi".utf8)) && !hash.matches([]))
        let again = try PasswordHash(of: Array("g\u{FC}l bah\u{E7}esi".utf8), operations: 1, memoryBytes: Self.memory)
        #expect(again != hash, "each has a salt of its own")
    }

    /// Source: the tests of the reference implementation, argon2 20190702 (`test.c`, Argon2id, version 19).
    @Test(arguments: [
        (
            "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4", "password"
        ),
        (
            "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "password"
        ),
    ])
    func hashesOfOthersAreRead(text: String, password: String) throws {
        let hash = try #require(PasswordHash(text))
        #expect(try hash.matches(Array(password.utf8)))
        #expect(try !hash.matches(Array("differentpassword".utf8)))
    }

    @Test func anotherCostIsNoticed() throws {
        let hash = try PasswordHash(of: [1, 2, 3], operations: 1, memoryBytes: Self.memory)
        #expect(!hash.isOther(than: 1, memoryBytes: Self.memory))
        #expect(hash.isOther(than: 2, memoryBytes: Self.memory) && hash.isOther(than: 1, memoryBytes: 16 * 1024))
    }

    @Test func costsOutsideTheBoundsAreRefused() {
        for (operations, memory) in [(UInt64(0), Self.memory), (11, Self.memory), (1, 0), (1, Int.max)] {
            #expect(throws: CryptoError.badPassphraseParameters) {
                try PasswordHash(of: [1], operations: operations, memoryBytes: memory)
            }
        }
    }

    @Test(arguments: [
        "", "$", "$argon2id$", "argon2id$1$8192$00$00", "$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA",
        "$argon2id$v=16$m=8,t=1,p=1$c29tZXNhbHQ$AAAA", "$argon2id$v=19$m=8,t=1$c29tZXNhbHQ$AAAA",
        "$argon2id$v=19$m=9999999999999999999,t=1,p=1$c29tZXNhbHQ$AAAA",
        "$argon2id$v=19$m=9223372036854775807,t=1,p=1$c29tZXNhbHQ$AAAA",
        "$argon2id$v=19$m=8,t=99,p=1$c29tZXNhbHQ$AAAA", "$argon2id$v=19$t=1,m=8,p=1$c29tZXNhbHQ$AAAA",
        "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA$more",
    ])
    func otherTextsAreNoHashes(text: String) {
        #expect(PasswordHash(text) == nil)
    }

    /// It has the form, and no hash.
    @Test func aDamagedHashMatchesNothing() throws {
        let hash = try #require(PasswordHash("$argon2id$v=19$m=8,t=1,p=1$c2$!!!!"))
        #expect(throws: CryptoError.outOfMemory) { try hash.matches([1]) }
    }
}
