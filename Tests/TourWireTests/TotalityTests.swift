import Testing
import TourModel
import TourWire

/// Goal: no bytes make a decoder trap; what it refuses has a typed error, and what it takes it can write again.
/// Method: random bytes, every truncation, and damaged copies of good values, the same ones on every run.
struct TotalityTests {
    private static let rounds = 2_000

    /// Random bytes, truncations of each seed, and damaged copies of them.
    private func inputs(_ seeds: [[UInt8]], seed: UInt64) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        var inputs = (0..<Self.rounds).map { generator.bytes($0 % 300) }
        for good in seeds {
            let cuts = good.count < 2_000 ? Array(0...good.count) : [0, 1, good.count / 2, good.count - 1]
            inputs += cuts.map { Array(good.prefix($0)) }
            let copies = good.count < 2_000 ? Self.rounds / 4 : 20
            inputs += (0..<copies).map { _ in generator.damage(good) }
        }
        return inputs
    }

    @Test func linkMessages() throws {
        for input in inputs(Samples.messages.map { $0.encode() }, seed: 1) {
            do {
                guard let message = try LinkMessage.decode(input) else { continue }
                let again = message.encode()
                #expect(try LinkMessage.decode(again) == message)
            } catch {
                #expect(error == .messageMalformed)
                #expect(error.scope == .link)
            }
        }
    }

    @Test func controlBodies() throws {
        for input in inputs(Samples.controls.map { $0.encode() }, seed: 2) {
            do {
                let body = try ControlBody(decoding: input)
                if body != .unknown { #expect(try ControlBody(decoding: body.encode()) == body) }
            } catch { #expect(error == .recordMalformed) }
        }
    }

    @Test func contents() throws {
        for input in inputs(Samples.contents.map { $0.encode() }, seed: 3) {
            do {
                let content = try Content(decoding: input)
                if content != .unsupported { #expect(try Content(decoding: content.encode()) == content) }
            } catch { #expect(error == .recordMalformed) }
        }
    }

    private static func named(_ prefix: UInt64) -> MemberID? {
        prefix == Samples.claim.member.prefix ? Samples.claim.member : nil
    }

    @Test func claims() throws {
        for input in inputs([Samples.claim.encode()], seed: 4) {
            do {
                guard let claim = try FrontierClaim.decode(input, named: Self.named) else { continue }
                #expect(try FrontierClaim.decode(claim.encode(), named: Self.named) == claim)
            } catch { #expect(error == .recordMalformed) }
        }
    }

    @Test func slices() throws {
        let seeds = [
            Slice(lane: .chat, more: false, payload: [1, 2, 3]).encode(),
            Slice(lane: .catchUp, more: true, payload: [UInt8](repeating: 5, count: 900)[...]).encode(),
        ]
        for input in inputs(seeds, seed: 5) {
            do {
                let slice = try Slice(decoding: input)
                #expect(slice.encode() == input)
            } catch { #expect(error == .frameMalformed) }
        }
    }

    @Test func events() throws {
        let event = Samples.header.exactBytes + Samples.signature + [UInt8](repeating: 3, count: 60)
        for input in inputs([event], seed: 6) {
            do {
                let raw = try RawEvent(decoding: input)
                #expect(raw.encode() == input)
                #expect(raw.header.sequence > 0)
            } catch { #expect(error.scope == .record) }
            do {
                let header = try EventHeader(decoding: input)
                #expect(header.exactBytes == Array(input.prefix(EventHeader.length)))
            } catch { #expect(error.scope == .record) }
        }
    }

    @Test func frames() {
        for input in inputs([FrameReader.frame([1, 2, 3])], seed: 7) {
            var reader = FrameReader()
            reader.feed(input)
            do {
                while let frame = try reader.next() { #expect(!frame.isEmpty) }
            } catch { #expect(error == .frameMalformed) }
        }
    }

    @Test func pathDatagrams() throws {
        var good = PathDatagram(number: .max)
        (good.acknowledged, good.missing, good.answered, good.patience) = (9, .max, 3, Limits.pathPatienceMax)
        good.messages = Samples.messages.filter(\.mayGoByDatagram).prefix(1).map { $0 }
        for input in inputs([try #require(good.encode())], seed: 8) {
            do {
                let datagram = try PathDatagram(decoding: input)
                if let again = datagram.encode() { #expect(try PathDatagram(decoding: again) == datagram) }
            } catch { #expect(error == .datagramMalformed) }
        }
    }

    @Test func mailboxAnswers() throws {
        let controls = MailboxControls(events: [[1, 2], [3]], next: .max, more: true)
        for input in inputs([controls.encode()], seed: 9) {
            do {
                let answer = try MailboxControls.decode(input)
                #expect(try MailboxControls.decode(answer.encode()) == answer)
            } catch { #expect(error == .messageMalformed) }
            do {
                let answer = try MailboxEvents.decode(input)
                #expect(try MailboxEvents.decode(answer.encode()) == answer)
            } catch { #expect(error == .messageMalformed) }
        }
    }
}
