import Foundation
import Testing
import TourCrypto

/// Goal: this code and the published vectors say the same, byte for byte, and refuse the same with the same fault.
/// Method: every case of every file is given to the functions that nodes use; the fault's code must be the case's. The
/// Noise files are run by `TourCryptoTests`.
struct VectorTests {
    /// Checks a valid case in full; returns the code of the fault that refused the case, nil when none did.
    typealias Runner = @Sendable (VectorCase) throws -> String?

    static let runners: [String: Runner] = [
        "alarm-state": MeaningVectors.alarm,
        "ask": AskVectors.ask,
        "bind": LinkVectors.bind,
        "blob": BlobVectors.blob,
        "cast": CastVectors.cast,
        "clock": ModelVectors.clock,
        "cpace": CPaceVectors.cpace,
        "crowd": CrowdVectors.crowd,
        "datagram": LinkVectors.datagram,
        "path-datagram": LinkVectors.pathDatagram,
        "discovery-tag": ModelVectors.discoveryTag,
        "event": EventVectors.event,
        "event-bad": EventVectors.eventBad,
        "frontier-row": ModelVectors.frontierRow,
        "hash": IdentityVectors.hash,
        "have": LinkVectors.have,
        "hello": LinkVectors.hello,
        "identity": IdentityVectors.identity,
        "invite-code": JoinVectors.inviteCode,
        "join": JoinVectors.join,
        "mailbox": MailboxVectors.mailbox,
        "message": MessageVectors.message,
        "padding": LinkVectors.padding,
        "receipts": ReceiptVectors.receipts,
        "roll-state": MeaningVectors.roll,
        "place": EventVectors.content,
        "alarm": EventVectors.content,
        "aside": AsideVectors.aside,
        "roll": EventVectors.content,
        "quiet-state": AsideVectors.quiet,
        "position-row": ModelVectors.positionRow,
        "roster": RosterVectors.roster, "roster-bounds": RosterVectors.bounds,
        "rekey": EpochVectors.rekey,
        "seat": SeatVectors.seat,
        "seat-channel": SeatChannelVectors.channel,
        "seat-roster": SeatVectors.roster,
        "run": EventVectors.run,
        "share": ModelVectors.share,
        "shared": SharedVectors.shared,
        "trace": TraceVectors.trace,
    ]

    @Test func everyFileIsRun() throws {
        #expect(try VectorFile.names() == Set(RequiredCases.names.keys))
        #expect(Set(Self.runners.keys) == Set(RequiredCases.names.keys))
    }

    @Test func theWordListIsTheProtocols() throws {
        #expect(try VectorFile.lines("words.txt") == WordList.words)
    }

    @Test(arguments: RequiredCases.names.keys.sorted())
    func everyCaseHolds(file: String) throws {
        let runner = try #require(Self.runners[file], "no code runs \(file)")
        var ran = [String]()
        for vector in try VectorFile.cases(file) {
            let name = vector.name
            let code = try runner(vector)
            let expected = try vector.isValid ? nil : vector.text("error")
            #expect(code == expected, "\(file): \(name)")
            ran.append(name)
        }
        #expect(ran == RequiredCases.names[file])
    }
}
