import Testing
import TourCrypto
import TourModel

/// Goal: a wrapped epoch key opens for its device and for nobody else. Method: round trips and changed bytes.
struct WrappingKeyPairTests {
    @Test func opensOnlyForItsKey() throws {
        let pair = WrappingKeyPair()
        let key = EpochKey.randomKey()
        let wrapped = try #require(pair.publicKey.wrap(key))
        #expect(wrapped.count == WrappingKey.wrappedBytes)
        #expect(pair.open(wrapped) == key)
        #expect(pair.open(([0] + wrapped)[1...]) == key)
        #expect(WrappingKeyPair().open(wrapped) == nil)
        #expect(try #require(WrappingKeyPair(secret: pair.secret)).open(wrapped) == key)
    }

    @Test func changedOrCutWrapIsRefused() throws {
        let pair = WrappingKeyPair()
        let wrapped = try #require(pair.publicKey.wrap(EpochKey.randomKey()))
        for index in wrapped.indices {
            var changed = wrapped
            changed[index] ^= 1
            #expect(pair.open(changed) == nil)
            #expect(pair.open(wrapped.prefix(index)) == nil)
        }
        #expect(pair.open(wrapped + [0]) == nil)
    }

    @Test func pointOfLowOrderGetsNoWrap() {
        #expect(WrappingKey(raw: .zero).wrap(EpochKey.randomKey()) == nil)
    }

    @Test func secretsOfOtherLengthsAreRefused() {
        for count in [0, 31, 33] {
            #expect(WrappingKeyPair(secret: .random(count: count)) == nil)
            #expect(LinkKeyPair(secret: .random(count: count)) == nil)
        }
    }
}
