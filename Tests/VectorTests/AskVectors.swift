import Testing
import TourCrypto
import TourDiscovery
import TourLink
import TourModel
import TourWire

/// `ask.json`.
enum AskVectors {
    static func ask(_ vector: VectorCase) throws -> String? {
        switch try vector.text("kind") {
        case "label": try label(vector)
        case "record": try record(vector)
        case "link": #expect(try ComparedWords.psk(of: tag(vector)) == SecretBytes(vector.bytes("psk")))
        case "commitment": return try commitment(vector)
        case "words": try words(vector)
        case "message": return try message(vector)
        case "exchange":
            var exchange = try AskedExchange(vector)
            return try exchange.run(vector)
        default: throw VectorCase.Missing(field: "a kind of case")
        }
        return nil
    }

    private static func tag(_ vector: VectorCase) throws -> DiscoveryTag {
        try #require(DiscoveryTag(try vector.bytes("tag")))
    }

    private static func label(_ vector: VectorCase) throws {
        let label = ComparedWords.label(of: try tag(vector))
        #expect(try label == vector.text("label"))
        #expect(try vector.numbers("wordIndexes").map { WordList.words[Int($0)] }.joined(separator: " ") == label)
    }

    private static func record(_ vector: VectorCase) throws {
        let strings = [Array("v=1".utf8), Array("t=".utf8), Array("a=".utf8) + (try vector.bytes("a"))]
        let text = try #require(ServiceText(strings: strings))
        let tags = try vector.byteLists("tags").map { bytes in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        #expect(text.asks == tags)
        let again = try #require(ServiceText(strings: text.strings))
        #expect(again == text)
    }

    private static func commitment(_ vector: VectorCase) throws -> String? {
        let made = ComparedWords.commitment(
            handshakeHash: try vector.bytes("handshakeHash"), asker: try vector.bytes32("nonce"))
        return try made == vector.bytes32("commitment") ? nil : AskFault.badCommitment.code
    }

    private static func words(_ vector: VectorCase) throws {
        let words = ComparedWords(
            handshakeHash: try vector.bytes("handshakeHash"), asker: try vector.bytes32("askerNonce"),
            member: try vector.bytes32("memberNonce"))
        #expect(try words.words == vector.texts("words"))
        let list = try VectorFile.lines("compared-words.txt")
        #expect(try vector.numbers("wordIndexes").map { list[Int($0)] } == words.words)
    }

    private static func message(_ vector: VectorCase) throws -> String? {
        let bytes = try vector.bytes("message")
        let decoded: LinkMessage?
        do { decoded = try LinkMessage.decode(bytes) } catch { return error.code }
        guard case .ask(let message)? = decoded else { throw VectorCase.Missing(field: "a message of an ask link") }
        switch message {
        case .commit(let commitment): #expect(try commitment == vector.bytes32("commitment"))
        case .nonce(let nonce): #expect(try nonce == vector.bytes32("nonce"))
        case .reveal(let nonce, let name):
            #expect(try nonce == vector.bytes32("nonce"))
            #expect(try name == vector.text("askerName"))
        case .admitted(let code, let tourName):
            do { _ = try InviteCode(decoding: code) } catch { return error.code }
            #expect(try code == vector.bytes("inviteCode"))
            #expect(try tourName == (vector.has("tourName") ? vector.text("tourName") : ""))
        case .refused(let refusal): #expect(try refusal.rawValue == vector.text("reads"))
        case .share(let share): #expect(try share == vector.bytes32("share"))
        case .proof(let proof): #expect(try proof == vector.bytes("proof"))
        }
        let isKnown = try !vector.has("reads") || vector.text("reads") == vector.text("refusal")
        if isKnown { #expect(decoded?.encode() == bytes) }
        return nil
    }
}

/// Both sides of an exchange of `ask.json`, which get its messages.
private struct AskedExchange {
    private var asker: AskerExchange
    private var member: MemberExchange
    private var askers: [AskerExchange.Output] = []
    private var members: [MemberExchange.Output] = []

    init(_ vector: VectorCase) throws {
        let tag = DiscoveryTag(value: 1)
        let hash = try vector.bytes("handshakeHash")
        let begins = try vector.cases("messages").first { try $0.text("from") == "asker" }?.text("says")
        let name = try vector.has("askerName") ? vector.text("askerName") : "Anna"
        asker = AskerExchange(
            AskLink(tag: tag, tour: nil, handshakeHash: hash),
            begins == "CodeShare" ? .digits(.random()) : .words(name: name), nonce: try vector.bytes32("askerNonce"),
            into: &askers)
        member = MemberExchange(
            AskLink(tag: tag, tour: TourID(raw: .zero), handshakeHash: hash), nonce: try vector.bytes32("memberNonce"))
    }

    /// - Returns: why one of the sides closed the link.
    mutating func run(_ vector: VectorCase) throws -> String? {
        var hasBegun = false
        for message in try vector.cases("messages") {
            let isAskers = try message.text("from") == "asker"
            hasBegun = hasBegun || isAskers
            let decoded: LinkMessage?
            do { decoded = try LinkMessage.decode(try message.bytes("message")) } catch let error as WireError {
                return error.code
            }
            switch decoded {
            case nil, .ping, .pong: continue
            // Our asker speaks in the turn in which its link opens: nothing can come before.
            case .ask(.nonce)? where !hasBegun: return AskFault.unexpectedMessage.code
            case .ask(let ask)?:
                do throws(AskFault) {
                    if isAskers { try tell(member: ask) } else { try asker.receive(ask, into: &askers) }
                } catch { return error.code }
                if try vector.isValid { expectSent(ask, by: isAskers) }
            // The link's own rules say so; `TourLinkTests` plays them.
            default: return LinkFault.unexpectedMessage.code
            }
        }
        try expectEnd(of: vector)
        return nil
    }

    private mutating func tell(member message: AskMessage) throws(AskFault) {
        var outputs = [MemberExchange.Output]()
        try member.receive(message, into: &outputs)
        members += outputs
        for case .triesDigits in outputs { try member.begin(.random(), into: &members) }
    }

    /// What a side says by itself is what the exchange has; a person or the digits decide about answers, and a share is
    /// drawn anew.
    private func expectSent(_ message: AskMessage, by isAskers: Bool) {
        switch message {
        case .admitted, .refused, .share, .proof: return
        case .commit, .nonce, .reveal: break
        }
        let sent: [AskMessage] =
            isAskers
            ? askers.compactMap { if case .send(let message) = $0 { message } else { nil } }
            : members.compactMap { if case .send(let message) = $0 { message } else { nil } }
        #expect(sent.contains(message))
    }

    private func expectEnd(of vector: VectorCase) throws {
        if vector.has("words"), try vector.cases("messages").contains(where: { try $0.text("says") == "AskReveal" }) {
            let expected = try vector.texts("words")
            let shown = askers.compactMap { if case .words(let words) = $0 { words.words } else { nil } }
            let asked = members.compactMap {
                if case .asks(let name, let words) = $0 { (name, words.words) } else { nil }
            }
            #expect(shown == [expected])
            #expect(asked.map(\.1) == [expected])
            #expect(try asked.map(\.0) == [vector.text("askerName")])
        }
        if vector.has("code") {
            let codes = askers.compactMap {
                if case .admitted(let code, let name) = $0 { (code.compact, name) } else { nil }
            }
            #expect(try codes.map(\.0) == [vector.text("code")])
            #expect(try codes.map(\.1) == [vector.text("tourName")])
        }
        if vector.has("refusal") {
            let refusals = askers.compactMap { if case .refused(let refusal) = $0 { refusal.rawValue } else { nil } }
            #expect(try refusals == [vector.text("refusal")])
        }
    }
}

/// `cpace.json`.
enum CPaceVectors {
    static func cpace(_ vector: VectorCase) throws -> String? {
        switch try vector.text("kind") {
        case "draft": try draft(vector)
        case "product":
            let inputs = CPace.Inputs(prs: SecretBytes([1]), ci: [], sid: [], ada: [], adb: [])
            let run = CPace(inputs, isInitiator: true, scalar: SecretBytes(try vector.bytes("scalar")))
            return try run.key(with: vector.bytes32("share")) == nil ? AskFault.badShare.code : nil
        case "exchange": try exchange(vector)
        case "proof": return try proof(vector)
        default: throw VectorCase.Missing(field: "a kind of case")
        }
        return nil
    }

    private static func draft(_ vector: VectorCase) throws {
        let inputs = CPace.Inputs(
            prs: SecretBytes(try vector.bytes("prs")), ci: try vector.bytes("ci"), sid: try vector.bytes("sid"),
            ada: try vector.bytes("askerData"), adb: try vector.bytes("memberData"))
        let asker = CPace(inputs, isInitiator: true, scalar: SecretBytes(try vector.bytes("askerScalar")))
        let member = CPace(inputs, isInitiator: false, scalar: SecretBytes(try vector.bytes("memberScalar")))
        #expect(try asker.share == vector.bytes32("askerShare"))
        #expect(try member.share == vector.bytes32("memberShare"))
        let expected = SecretBytes(try vector.bytes("sharedKey"))
        #expect(asker.key(with: member.share)?.isk == expected)
        #expect(member.key(with: asker.share)?.isk == expected)
    }

    private static func exchange(_ vector: VectorCase) throws {
        let digits = try #require(SpokenDigits(parsing: try vector.text("digits")))
        let hash = try vector.bytes("handshakeHash")
        let asker = digits.run(
            handshakeHash: hash, isAsker: true, scalar: SecretBytes(try vector.bytes("askerScalar")))
        let member = digits.run(
            handshakeHash: hash, isAsker: false, scalar: SecretBytes(try vector.bytes("memberScalar")))
        #expect(try asker.share == vector.bytes32("askerShare"))
        #expect(try member.share == vector.bytes32("memberShare"))
        for key in [asker.key(with: member.share), member.key(with: asker.share)] {
            let key = try #require(key)
            #expect(try key.isk == SecretBytes(vector.bytes("sharedKey")))
            #expect(try key.initiatorProof == vector.bytes("askerProof"))
            #expect(try key.responderProof == vector.bytes("memberProof"))
        }
    }

    /// One side checks the other's proof.
    private static func proof(_ vector: VectorCase) throws -> String? {
        let isAsker = try vector.text("side") == "asker"
        // Some digits are none.
        let inputs = CPace.Inputs(
            prs: SecretBytes(Array(try vector.text("digits").utf8)), ci: Array("tour-chat/1/ask-code".utf8),
            sid: try vector.bytes("handshakeHash"), ada: Array("asker".utf8), adb: Array("member".utf8))
        let run = CPace(inputs, isInitiator: isAsker, scalar: SecretBytes(try vector.bytes("scalar")))
        guard let key = try run.key(with: vector.bytes32("share")) else { return AskFault.badShare.code }
        let expected = isAsker ? key.responderProof : key.initiatorProof
        return try vector.bytes("proof") == expected ? nil : AskFault.wrongCode.code
    }
}
