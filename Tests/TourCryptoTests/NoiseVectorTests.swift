import Testing
import TourCrypto
import TourModel

/// Goal: our Noise is everybody's Noise. Method: vectors of two published sets and of an independent implementation,
/// both roles, byte for byte.
struct NoiseVectorTests {
    private static let patterns: [String: HandshakePattern] = [
        HandshakePattern.XX.protocolName: .XX, HandshakePattern.XXpsk0.protocolName: .XXpsk0,
    ]

    @Test(arguments: ["noise-official.json", "noise-xx.json", "noise-xxpsk0.json"])
    func vectors(file: String) throws {
        for vector in try Vectors.cases(file, list: "vectors") {
            let pattern = try #require(Self.patterns[try vector.text("protocol_name")])
            var initiator = try handshake(vector, pattern, .initiator, "init")
            var responder = try handshake(vector, pattern, .responder, "resp")
            let messages = try messages(vector)
            let handshakeMessages = pattern.messages.count
            try #require(messages.count > handshakeMessages)
            for (index, message) in messages.prefix(handshakeMessages).enumerated() {
                if index.isMultiple(of: 2) {
                    #expect(try initiator.writeMessage(payload: message.payload) == message.ciphertext)
                    #expect(try responder.readMessage(message.ciphertext) == message.payload)
                } else {
                    #expect(try responder.writeMessage(payload: message.payload) == message.ciphertext)
                    #expect(try initiator.readMessage(message.ciphertext) == message.payload)
                }
            }
            var first = initiator.transport()
            var second = responder.transport()
            if vector.fields["handshake_hash"] != nil {
                #expect(first.handshakeHash == (try vector.bytes("handshake_hash")))
            }
            #expect(first.handshakeHash == second.handshakeHash && first.handshakeHash.count == 64)
            for (index, message) in messages.enumerated().dropFirst(handshakeMessages) {
                if index.isMultiple(of: 2) {
                    #expect(try first.encrypt(message.payload) == message.ciphertext)
                    #expect(try second.decrypt(message.ciphertext) == message.payload)
                } else {
                    #expect(try second.encrypt(message.payload) == message.ciphertext)
                    #expect(try first.decrypt(message.ciphertext) == message.payload)
                }
            }
        }
    }

    @Test func bothOfOurSuitesAreCovered() throws {
        let files = ["noise-official.json", "noise-xx.json", "noise-xxpsk0.json"]
        let names = try files.flatMap { try Vectors.cases($0, list: "vectors") }.map { try $0.text("protocol_name") }
        #expect(Set(names) == Set(Self.patterns.keys))
    }

    private func handshake(
        _ vector: Vectors.Case, _ pattern: HandshakePattern, _ role: HandshakeState.Role, _ side: String
    ) throws -> HandshakeState {
        let psks = try (vector.fields["\(side)_psks"] as? [String] ?? []).map { try #require(Hex.decode($0)) }
        return HandshakeState(
            pattern: pattern, role: role, prologue: try vector.bytes("\(side)_prologue"),
            psk: psks.first.map(SecretBytes.init), localStatic: try pair(vector, "\(side)_static"),
            fixedEphemeralForVectorsOnly: try pair(vector, "\(side)_ephemeral"))
    }

    private func pair(_ vector: Vectors.Case, _ field: String) throws -> LinkKeyPair {
        try #require(LinkKeyPair(secret: SecretBytes(try vector.bytes(field))))
    }

    private func messages(_ vector: Vectors.Case) throws -> [(payload: [UInt8], ciphertext: [UInt8])] {
        try #require(vector.fields["messages"] as? [[String: String]]).map { message in
            (
                try #require(message["payload"].flatMap(Hex.decode)),
                try #require(message["ciphertext"].flatMap(Hex.decode))
            )
        }
    }
}
