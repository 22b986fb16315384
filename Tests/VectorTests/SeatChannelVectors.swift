import Testing
import TourCrypto
import TourModel

/// `seat-channel.json`: both ends, each with the ephemeral key of the case.
enum SeatChannelVectors {
    private static let refused = "no-channel"

    /// What both ends have once a channel stands.
    private struct Ends {
        var host: SeatChannel
        var guest: SeatChannel
        var answer: [UInt8]
        var number: UInt64
    }

    static func channel(_ vector: VectorCase) throws -> String? {
        let key = try pair(vector, "channelSecretKey")
        let ephemeral = try pair(vector, "guestEphemeralSecretKey")
        let hello = try vector.has("hello") ? vector.bytes("hello") : SeatChannel.hello(ephemeral)
        let session = try vector.bytes("session")
        guard
            let (answer, host) = SeatChannel.accept(
                hello: hello, key: key, ephemeral: try pair(vector, "hostEphemeralSecretKey"), session: session)
        else { return refused }
        let kind = try vector.text("kind")
        let said = try kind == "answer" ? vector.bytes("answer") : answer
        guard let (named, guest) = SeatChannel.begin(said, key: key.publicKey, ephemeral: ephemeral) else {
            return refused
        }
        #expect(named == session)
        let number = try vector.has("n") ? vector.word("n") : 0
        var ends = Ends(host: host, guest: guest, answer: answer, number: number)
        switch kind {
        case "hello":
            #expect(SeatChannel.hello(ephemeral) == hello)
            #expect(try answer == vector.bytes("answer"))
            return nil
        case "request": return try request(vector, &ends)
        case "requests": return try requests(vector, &ends)
        case "answer-box": return try answerBox(vector, ends)
        case "news": return try news(vector, ends)
        default: throw VectorCase.Missing(field: "a kind of case")
        }
    }

    private static func pair(_ vector: VectorCase, _ field: String) throws -> LinkKeyPair {
        try #require(LinkKeyPair(secret: SecretBytes(try vector.bytes(field))))
    }

    private static func request(_ vector: VectorCase, _ ends: inout Ends) throws -> String? {
        let box = try vector.bytes("box")
        guard let plaintext = ends.host.open(request: box, number: ends.number) else { return refused }
        #expect(try plaintext == vector.bytes("plaintext"))
        #expect(ends.guest.seal(request: plaintext, number: ends.number) == box)
        return nil
    }

    /// One after the other; a number is used by a request that was opened, and by no other.
    private static func requests(_ vector: VectorCase, _ ends: inout Ends) throws -> String? {
        for request in try vector.cases("requests") {
            let number = try request.word("n")
            let plaintext = ends.host.open(request: try request.bytes("box"), number: number)
            let expected = try request.flag("taken") ? request.bytes("plaintext") : nil
            #expect(plaintext == expected, "\(vector.name): \(number)")
        }
        return nil
    }

    private static func answerBox(_ vector: VectorCase, _ ends: Ends) throws -> String? {
        let box = try vector.bytes("box")
        guard let plaintext = ends.guest.open(answer: box, number: ends.number) else { return refused }
        #expect(try plaintext == vector.bytes("plaintext"))
        #expect(ends.host.seal(answer: plaintext, number: ends.number) == box)
        return nil
    }

    private static func news(_ vector: VectorCase, _ ends: Ends) throws -> String? {
        var frames = [[UInt8]]()
        let boxes = try vector.byteLists("boxes")
        for (index, box) in boxes.enumerated() {
            guard let frame = ends.guest.open(frame: box, number: ends.number, index: UInt64(index)) else {
                return refused
            }
            frames.append(frame)
        }
        #expect(try frames == vector.byteLists("plaintexts"))
        let sealed = frames.enumerated().map {
            ends.host.seal(frame: $1, number: ends.number, index: UInt64($0))
        }
        #expect(sealed == boxes)
        return nil
    }
}
