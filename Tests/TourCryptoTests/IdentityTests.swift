import Testing
import TourCrypto
import TourModel

/// Goal: ids, key names, epoch secrets and commitments are those of the specification. Method: the published vectors,
/// and values computed by Python's `hashlib.blake2b`.
struct IdentityTests {
    @Test func memberVectors() throws {
        for vector in try Vectors.cases("identity.json") where try vector.text("kind") == "member" {
            let pair = SigningKeyPair(seed: SecretBytes(try vector.bytes("identitySeed")))
            #expect(pair.publicKey.hex == (try vector.text("identityKey")))
            #expect(MemberID(identity: pair.publicKey).hex == (try vector.text("memberID")))
            let link = try #require(LinkKeyPair(secret: SecretBytes(try vector.bytes("linkSecretKey"))))
            #expect(link.publicKey.hex == (try vector.text("linkKey")))
            let name = KeyName(identity: pair.publicKey)
            let indexes = try #require(vector.fields["wordIndexes"] as? [Int])
            #expect(name.words == indexes.map { WordList.words[$0] })
            #expect(name.color == (try vector.number("color")))
        }
    }

    @Test func tourVectors() throws {
        for vector in try Vectors.cases("identity.json") where try vector.text("kind") == "tour" {
            #expect(TourID(genesis: try vector.bytes("genesis")).hex == (try vector.text("tourID")))
        }
    }

    @Test func epochVectors() throws {
        for vector in try Vectors.cases("identity.json") where try vector.text("kind") == "epoch" {
            let key = SecretBytes(try vector.bytes("epochKey"))
            let author = try #require(SigningKey(try vector.bytes("identityKey")))
            let epoch = try #require(EpochKey(id: .none, key: key))
            let commitment = try vector.text("commitment")
            #expect((epoch.commitment(author: author).hex == commitment) == (try vector.isValid()))
            #expect(epoch.commitment(author: author) == EpochKey.commitment(of: key, author: author))
            if try vector.isValid() {
                #expect(Hex.encode(epoch.linkSecret.exposedCopy()) == (try vector.text("linkSecret")))
            }
        }
    }

    @Test func memberIDByHashlib() throws {
        let key = try #require(SigningKey([UInt8](0..<32)))
        #expect(MemberID(identity: key).hex == "59cf790b4ecc9f1cb9963ea8334caa80350765e1fe96cac36e231122328af8e9")
    }

    @Test func commitmentCoversItsParts() throws {
        let author = SigningKey(raw: .zero)
        let key = EpochKey.randomKey()
        let (first, second) = (EpochID(raw: .zero), try #require(EpochID([UInt8](0..<32))))
        let whole = EpochKey.commitment(of: key, parents: [first, second], roster: .zero, author: author)
        #expect(whole == EpochKey.commitment(of: key, parents: [second, first], roster: .zero, author: author))
        #expect(whole != EpochKey.commitment(of: key, parents: [first], roster: .zero, author: author))
        #expect(whole != EpochKey.commitment(of: key, parents: [first, second], author: author))
        #expect(whole != EpochKey.commitment(of: .random(count: 32), parents: [first, second], author: author))
    }

    @Test func epochKeysOfOtherLengthsAreRefused() {
        for count in [0, 16, 31, 33] { #expect(EpochKey(id: .none, key: .random(count: count)) == nil) }
    }

    @Test func bodyKeysDifferByAuthor() throws {
        let epoch = try #require(EpochKey(id: .none, key: EpochKey.randomKey()))
        let (first, second) = (MemberID(raw: .zero), try #require(MemberID([UInt8](0..<32))))
        #expect(epoch.bodyKey(author: first) == epoch.bodyKey(author: first))
        #expect(epoch.bodyKey(author: first) != epoch.bodyKey(author: second))
        #expect(epoch.bodyKey(author: first) != epoch.linkSecret)
    }

    @Test func wordsAreDistinctShortAndPlain() {
        #expect(WordList.words.count == 256)
        #expect(Set(WordList.words.map { $0.prefix(4) }).count == 256)
        for word in WordList.words {
            #expect((3...9).contains(word.count) && word.allSatisfy { ("a"..."z").contains($0) })
        }
    }
}
