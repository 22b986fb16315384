import Testing
import TourCrypto
import TourLink
import TourModel
import TourWire

/// Goal: whoever holds a member's link key is that member on links, and nobody else to that member.
/// Method: Eve has Ben's link key and the tour's secret; she shows Ben Anna's key, and mixes in whatever she can
/// compute where only Anna's secret would do. With that secret the same steps go through.
struct ImpersonationTests {
    private enum Proof: CaseIterable {
        /// What Anna would compute: the control.
        case annasSecret
        /// The two static keys: Eve has one of the secrets, so she knows this one.
        case bothStatic
        /// What the pattern has mixed in before, once more.
        case bothEphemeral
        case bensSecret
        case nothing

        func secret(_ forged: ForgedHandshake, anna: LinkKeys, ben: LinkKeys) -> [UInt8]? {
            switch self {
            case .annasSecret: ForgedHandshake.shared(anna.link.secret, forged.remoteEphemeral)
            case .bothStatic: ForgedHandshake.shared(ben.link.secret, anna.link.publicKey.bytes)
            case .bothEphemeral: forged.shared(with: forged.remoteEphemeral)
            case .bensSecret: ForgedHandshake.shared(ben.link.secret, forged.remoteEphemeral)
            case .nothing: nil
            }
        }
    }

    private let world = World()
    private let anna = World.keys(1)
    private let ben = World.keys(2)
    private let ephemeral = LinkKeyPair(secret: SecretBytes([UInt8](repeating: 0x77, count: 32)))!

    @Test func aStolenKeyOpensNoLinkToItsOwnerInAnothersName() throws {
        for proof in Proof.allCases {
            let victim = Peer(world, credentials: [world.credential(ben)], knows: [anna, ben])
            let hello = Hello(secret: world.memberSecret, salt: [UInt8](repeating: 9, count: Hello.saltLength))
            var eve = ForgedHandshake(hello, psk: world.memberSecret, ephemeral: ephemeral)
            let first = eve.writeEphemeral() + eve.write([])
            victim.receive(FrameReader.frame(hello.bytes) + FrameReader.frame(first))
            let answer = try #require(try Adversary.frames(victim.written()).first)
            eve.readEphemeral(Array(answer[..<32]))
            eve.mixKey(eve.shared(with: eve.remoteEphemeral))
            let shown = eve.read(Array(answer[32..<80]))
            #expect(shown == ben.link.publicKey.bytes)
            eve.mixKey(eve.shared(with: shown))
            _ = eve.read(Array(answer[80...]))
            let name = eve.write(anna.link.publicKey.bytes)
            if let secret = proof.secret(eve, anna: anna, ben: ben) { eve.mixKey(secret) }
            victim.receive(FrameReader.frame(name + eve.write([])))
            #expect(victim.fault == (proof == .annasSecret ? nil : .handshakeFailed), "\(proof)")
            #expect(victim.written().isEmpty == (proof != .annasSecret), "\(proof)")
        }
    }

    @Test func aStolenKeyAnswersItsOwnerInNobodysName() throws {
        for proof in Proof.allCases {
            let victim = Peer(world, dialling: .member(world.credential(ben)), knows: [anna, ben])
            let flight = try Adversary.frames(victim.written())
            var eve = ForgedHandshake(
                try Hello(decoding: flight[0]), psk: world.memberSecret, ephemeral: ephemeral)
            eve.readEphemeral(Array(flight[1][..<32]))
            _ = eve.read(Array(flight[1][32...]))
            let point = eve.writeEphemeral()
            eve.mixKey(eve.shared(with: eve.remoteEphemeral))
            let name = eve.write(anna.link.publicKey.bytes)
            if let secret = proof.secret(eve, anna: anna, ben: ben) { eve.mixKey(secret) }
            victim.receive(FrameReader.frame(point + name + eve.write([])))
            #expect(victim.fault == (proof == .annasSecret ? nil : .handshakeFailed), "\(proof)")
            #expect(victim.written().isEmpty == (proof != .annasSecret), "\(proof): Ben's key was shown")
        }
    }
}
