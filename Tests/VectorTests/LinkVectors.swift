import Testing
import TourCrypto
import TourLink
import TourModel
import TourWire

/// `hello.json`, `bind.json`, `padding.json`, `have.json` and `datagram.json`.
enum LinkVectors {
    static func hello(_ vector: VectorCase) throws -> String? {
        let secret = SecretBytes(try vector.bytes("psk"))
        let hello: Hello
        let bytes = try vector.bytes("hello")
        do { hello = try Hello(decoding: bytes) } catch { return error.code }
        guard hello.matches(secret) else { return LinkFault.stranger.code }
        let salt = try vector.bytes("salt")
        #expect(Hello(secret: secret, salt: salt) == hello)
        #expect(Array(hello.salt) == salt)
        #expect(try hello.prologue == vector.bytes("prologue"))
        #expect(try Array(hello.bytes.suffix(16)) == vector.bytes("tag"))
        return nil
    }

    static func bind(_ vector: VectorCase) throws -> String? {
        let decoded: LinkMessage?
        let message = try vector.bytes("message")
        do { decoded = try LinkMessage.decode(message) } catch { return error.code }
        guard case .bind(let bind)? = decoded else { throw VectorCase.Missing(field: "a bind") }
        let genesis = try vector.bytes("genesis")
        #expect(try bind.identity == vector.id("identityKey"))
        #expect(try bind.signature == vector.bytes("signature"))
        #expect(try bind.datagramShare == vector.bytes32("datagramShare"))
        #expect(bind.genesis ?? [] == genesis)
        #expect(try bind.datagramPort == vector.count("datagramPort"))
        #expect(try vector.bytes("path").reduce(0) { $0 << 8 | UInt64($1) } == bind.path)
        #expect(decoded?.encode() == message)
        let role = try #require(HandshakeState.Role(rawValue: UInt8(try vector.count("role"))))
        let isSigned = try bind.isSigned(
            handshakeHash: vector.bytes("handshakeHash"), role: role, tour: vector.id("tour"),
            linkKey: vector.id("linkKey"))
        return isSigned ? nil : LinkFault.badBind.code
    }

    static func have(_ vector: VectorCase) throws -> String? {
        let message: LinkMessage?
        do { message = try LinkMessage.decode(vector.bytes("message")) } catch let error as WireError {
            return error.code
        }
        guard case .have(let have)? = message else { throw VectorCase.Missing(field: "a Have") }
        #expect(try have.salt == vector.word("salt"))
        #expect(try have.heads.map(\.prefix) == vector.texts("authors").map { UInt64($0, radix: 16) })
        #expect(try have.heads.map(\.sequence) == vector.numbers("sequences"))
        try ModelVectors.expect(vector, have.heads, salt: have.salt)
        #expect(try LinkMessage.have(have).encode() == vector.bytes("message"))
        return nil
    }

    static func datagram(_ vector: VectorCase) throws -> String? {
        let key = SecretBytes(try vector.bytes("epochKey"))
        let seal = DatagramSeal(try #require(EpochKey(id: .none, key: key)))
        guard let plaintext = seal.open(try vector.bytes("datagram")) else { return CryptoError.decryptionFailed.code }
        let datagram: Datagram
        do { datagram = try Datagram(decoding: plaintext) } catch { return error.code }
        let length = Int(plaintext[0]) << 8 | Int(plaintext[1])
        #expect(try Array(plaintext[2..<2 + length]) == vector.bytes("payload"))
        #expect(datagram.encode() == plaintext)
        #expect(seal.open(seal.seal(plaintext)) == plaintext)
        return nil
    }

    /// The datagram goes from the side with this role to the other.
    static func pathDatagram(_ vector: VectorCase) throws -> String? {
        let path = try vector.bytes("path").reduce(0) { $0 << 8 | UInt64($1) }
        let isSentByInitiator = try vector.count("role") == 0
        let shares = (try vector.bytes32("initiatorShare"), try vector.bytes32("responderShare"))
        let (own, peer) = isSentByInitiator ? (shares.1, shares.0) : (shares.0, shares.1)
        let keys = DatagramPath(
            own: DatagramPath.Side(share: own, path: path), peer: DatagramPath.Side(share: peer, path: 1),
            isInitiator: !isSentByInitiator)
        guard let opened = keys.open(try vector.bytes("datagram")) else { return CryptoError.decryptionFailed.code }
        let datagram: PathDatagram
        do { datagram = try PathDatagram(decoding: opened.plaintext) } catch { return error.code }
        let length = Int(opened.plaintext[0]) << 8 | Int(opened.plaintext[1])
        #expect(try Array(opened.plaintext[2..<2 + length]) == vector.bytes("payload"))
        #expect(datagram.encode() == opened.plaintext)
        return nil
    }

    static func padding(_ vector: VectorCase) throws -> String? {
        if try vector.text("kind") == "size" {
            let size = Padding.size(Slice.prefixLength + (try vector.count("payloadLength")))
            #expect(try size == vector.count("plaintextLength"))
            return nil
        }
        let plaintext = try vector.bytes("plaintext")
        let slice: Slice
        do { slice = try Slice(decoding: plaintext) } catch { return error.code }
        #expect(try Int(slice.lane.rawValue) == vector.count("lane"))
        #expect(try slice.more == vector.flag("more"))
        #expect(try Array(slice.payload) == vector.bytes("payload"))
        #expect(slice.encode() == plaintext)
        return nil
    }
}
