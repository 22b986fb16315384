import Testing
import TourCrypto

/// Goal: a secret keeps its bytes, compares by them and never prints them. Method: a recognisable secret is printed
/// every way the language has; more secrets than fit the locked region are held at once.
struct SecretBytesTests {
    @Test func holdsWhatItWasGiven() {
        for count in [0, 1, 16, 32, 64, 65, 5_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let secret = SecretBytes(bytes)
            #expect(secret.count == count)
            #expect(secret.exposedCopy() == bytes)
            #expect(secret == SecretBytes(bytes))
            #expect(secret.prefix(count / 2).exposedCopy() == Array(bytes.prefix(count / 2)))
        }
    }

    @Test func whatIsTakenOverIsGone() {
        var bytes = [UInt8](repeating: 7, count: 32)
        let secret = SecretBytes(taking: &bytes)
        #expect(secret.exposedCopy() == [UInt8](repeating: 7, count: 32))
        #expect(bytes.isEmpty)
    }

    @Test func whatIsLentStaysWithWhoKeepsIt() {
        let bytes = [UInt8](repeating: 7, count: 4_096)
        let secret = SecretBytes(bytes)
        let kept = secret.withCopy { $0 }
        #expect(kept == bytes && secret.exposedCopy() == bytes)
        #expect(secret.withCopy { copy in copy.reduce(0) { $0 + Int($1) } } == 7 * 4_096)
    }

    @Test func everyBitCounts() {
        let bytes = [UInt8](0..<32)
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x80
            #expect(SecretBytes(bytes) != SecretBytes(other))
        }
        #expect(SecretBytes(bytes) != SecretBytes(bytes.dropLast()))
    }

    @Test func neverPrintsItsContent() {
        let secret = SecretBytes([UInt8](repeating: 0xAB, count: 32))
        var dumped = ""
        dump([secret], to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), "\([secret])", dumped] {
            #expect(!text.lowercased().contains("ab") && !text.contains("171"))
        }
    }

    @Test func manyAreHeldAtOnceAndStayApart() {
        for _ in 0..<2 {
            let secrets = (0..<10_000).map { number in
                SecretBytes(withUnsafeBytes(of: UInt64(number)) { Array($0) })
            }
            for (number, secret) in secrets.enumerated() {
                #expect(secret.withBytes { $0.load(as: UInt64.self) } == UInt64(number))
            }
        }
    }

    @Test func threadsTakeAndGiveBack() async {
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let content = [UInt8](repeating: UInt8(task), count: 64)
                    return (0..<2_000).allSatisfy { _ in
                        let held = (0..<5).map { _ in SecretBytes(content) }
                        return held.allSatisfy { $0.exposedCopy() == content }
                    }
                }
            }
            for await isIntact in group { #expect(isIntact) }
        }
    }

    @Test func randomOnesDiffer() {
        #expect(SecretBytes.random(count: 32) != SecretBytes.random(count: 32))
        #expect(Randomness.bytes(32) != Randomness.bytes(32))
        #expect(Randomness.bytes(0).isEmpty)
    }
}
