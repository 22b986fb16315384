import Testing
import TourCrypto

/// Goal: sealed bytes open with their key and data only. Method: round trips, then every bit position in turn.
struct SealTests {
    private let key = SecretBytes([UInt8](repeating: 5, count: 32))
    private let data = [UInt8]("events/body/1".utf8)

    @Test func roundTrips() throws {
        for count in [0, 1, 300, 20_000] {
            let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let sealed = Seal.seal(plaintext, key: key, associatedData: data)
            #expect(sealed.count == count + Seal.overheadBytes)
            #expect(try Seal.open(sealed, key: key, associatedData: data) == plaintext)
            #expect(try Seal.open(([1, 2] + sealed)[2...], key: key, associatedData: data[...]) == plaintext)
        }
    }

    @Test func sealsDifferentlyEachTime() {
        #expect(Seal.seal([1], key: key, associatedData: data) != Seal.seal([1], key: key, associatedData: data))
    }

    @Test func everyChangedByteAndTruncationIsRefused() {
        let sealed = Seal.seal([UInt8](0..<40), key: key, associatedData: data)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            refuses(changed)
            refuses(Array(sealed.prefix(index)))
        }
        refuses(sealed + [0])
    }

    @Test func bindsAssociatedDataAndKey() {
        let sealed = Seal.seal([1, 2, 3], key: key, associatedData: data)
        for index in data.indices {
            var changed = data
            changed[index] ^= 1
            #expect(throws: CryptoError.decryptionFailed) {
                try Seal.open(sealed, key: key, associatedData: changed)
            }
        }
        #expect(throws: CryptoError.decryptionFailed) {
            try Seal.open(sealed, key: .random(count: 32), associatedData: data)
        }
        #expect(throws: CryptoError.badKey) { try Seal.open(sealed, key: key.prefix(31), associatedData: data) }
    }

    private func refuses(_ sealed: [UInt8]) {
        #expect(throws: CryptoError.decryptionFailed) {
            try Seal.open(sealed, key: key, associatedData: data)
        }
    }
}
