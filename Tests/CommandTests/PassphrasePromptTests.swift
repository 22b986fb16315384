import Testing
import TourClient
import TourPresentation
import TourWords

/// Goal: each key at a hidden prompt does what it does at others; a wrong passphrase may be typed again, twice.
/// Method: keys byte by byte; a work that takes one passphrase only.
@Suite struct PassphrasePromptTests {
    private static func outcome(_ bytes: [UInt8]) -> HiddenLineEditor.Outcome {
        var editor = HiddenLineEditor()
        return bytes.reduce(.typing) { _, byte in editor.receive(byte) }
    }

    @Test func enterEndsTheLine() {
        #expect(Self.outcome(Array("lantern\n".utf8)) == .line(Array("lantern".utf8)))
        #expect(Self.outcome(Array("a b\tc\r".utf8)) == .line(Array("a b\tc".utf8)))
        #expect(Self.outcome([0x0A]) == .line([]))
    }

    @Test func keysActAtOnce() {
        #expect(Self.outcome(Array("lan".utf8) + [0x03]) == .interrupted)
        #expect(Self.outcome(Array("lan".utf8) + [0x04]) == .nothing)
        #expect(Self.outcome(Array("lan".utf8) + [0x1A]) == .suspended)
        #expect(Self.outcome(Array("lan".utf8)) == .typing)
    }

    @Test func whatWasTypedCanBeTakenBack() {
        #expect(Self.outcome(Array("laé".utf8) + [0x7F, 0x0A]) == .line(Array("la".utf8)))
        #expect(Self.outcome(Array("l👍".utf8) + [0x08, 0x0A]) == .line(Array("l".utf8)))
        #expect(Self.outcome([0x7F, 0x61, 0x0A]) == .line([0x61]))
        #expect(Self.outcome(Array("wrong".utf8) + [0x15, 0x61, 0x0A]) == .line([0x61]))
        // Who comes back to it begins anew.
        #expect(Self.outcome(Array("wrong".utf8) + [0x1A, 0x61, 0x0A]) == .line([0x61]))
    }

    @Test func aLineIsBounded() {
        let typed = [UInt8](repeating: 0x61, count: HiddenLineEditor.bytesMax + 10)
        #expect(Self.outcome(typed + [0x0A]) == .line(Array(typed.prefix(HiddenLineEditor.bytesMax))))
    }

    private static let wrong = CommandFailure(code: "passphrase-wrong", message: Phrase(verbatim: "no"))

    @Test(arguments: [1, 2, 3])
    func theRightOneOpens(after tries: Int) async throws {
        var asked = 0
        let opened = try await PassphraseTries.run(
            ask: {
                asked += 1
                return asked == tries ? [1] : [0]
            },
            { passphrase -> Bool in
                guard passphrase == [1] else { throw Self.wrong }
                return true
            })
        #expect(opened && asked == tries)
    }

    @Test func threeTriesAreAll() async throws {
        var asked = 0
        do {
            try await PassphraseTries.run(
                ask: {
                    asked += 1
                    return []
                },
                { (_: [UInt8]) -> Void in throw Self.wrong })
            Issue.record("opened without the passphrase")
        } catch let failure as CommandFailure {
            #expect(failure.code == "passphrase-wrong" && failure != Self.wrong)
        }
        #expect(asked == 3)
    }

    @Test func triesWithinTriesAreNotMultiplied() async throws {
        var asked = 0
        do {
            try await PassphraseTries.run(
                ask: { [] },
                { (_: [UInt8]) -> Void in
                    try await PassphraseTries.run(
                        ask: {
                            asked += 1
                            return []
                        },
                        { (_: [UInt8]) -> Void in throw Self.wrong })
                })
            Issue.record("opened without the passphrase")
        } catch let failure as CommandFailure {
            #expect(failure.code == "passphrase-wrong")
        }
        #expect(asked == 3)
    }

    @Test func whatElseFailsIsNotTriedAgain() async throws {
        var asked = 0
        do {
            try await PassphraseTries.run(
                ask: {
                    asked += 1
                    return []
                },
                { (_: [UInt8]) -> Void in throw CommandFailure(code: "disk-full", message: Phrase(verbatim: "no room"))
                })
            Issue.record("went on with a full disk")
        } catch let failure as CommandFailure {
            #expect(failure.code == "disk-full")
        }
        #expect(asked == 1)
    }

    @Test func theAdviceSaysWhatToDo() {
        #expect(Advice.retypePassphrase.phrase(on: TerminalSurface()).english.contains("--passphrase-file"))
    }
}
