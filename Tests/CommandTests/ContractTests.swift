import Foundation
import Testing
import TourAPI
import TourClient
import TourJSON

/// Goal: the types of the local API have the members that the contract names, read what they write, and name the
/// member that is not as it must be.
/// Method: of each type a value with nothing but what must stand; the schemas of `Protocol/Schema/local-api.yaml`.
struct ContractTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The schema of the contract; nil: it stands in the description of an address alone.
        let schema: String?
        let type: String
        /// A value, written and read from JSON.
        let sample: @Sendable () throws -> JSON
        /// Reads a value, and writes it again.
        let again: @Sendable (JSON) throws -> JSON

        init<Value: JSONObject & Encodable>(_: Value.Type, _ schema: String? = nil) {
            self.schema = schema
            type = "\(Value.self)"
            again = { try ContractTests.written(Value.read($0)) }
            sample = { try ContractTests.written(answered(Value.self, .object([]))) }
        }

        var testDescription: String { type }
    }

    static let rows = [
        Row(Status.self, "Status"), Row(Status.Mailbox.self, "Mailbox"), Row(Problem.self, "SyncProblem"),
        Row(Check.self, "Check"), Row(SyncAnswer.self, "SyncReport"), Row(HotspotStatus.self, "Hotspot"),
        Row(ServerLogin.self, "Account"), Row(Peers.Link.self, "Peer"), Row(Peers.Seen.self, "Candidate"),
        Row(Peers.self), Row(FilesStatus.self, "FilesStatus"), Row(FileSummary.self, "FileSummary"),
        Row(SentFile.self, "SentFile"), Row(SavedFile.self, "SavedFile"), Row(TourSummary.self, "Tour"),
        Row(TourDetails.self), Row(CreatedTour.self, "CreatedTour"), Row(InviteSummary.self, "Invite"),
        Row(CreatedInvite.self, "NewInvite"), Row(RevokedInvite.self), Row(InvitedArchive.self, "InvitedArchive"),
        Row(JoinedTour.self), Row(RankedMember.self, "RankedMember"), Row(RemovedMember.self, "RemovedMember"),
        Row(NearbyTour.self, "NearbyTour"), Row(Ask.self, "Ask"), Row(AskingView.self, "Asking"),
        Row(SeatsView.self, "Seats"), Row(PeopleCount.self, "PeopleCount"), Row(MemberList.self, "MemberList"),
        Row(MemberSummary.self, "Member"), Row(GuestHost.self, "GuestHost"), Row(MeetingView.self, "Meeting"),
        Row(AlarmView.self, "Alarm"), Row(RollView.self, "Roll"), Row(BuddyGroupView.self, "BuddyGroup"),
        Row(StragglerView.self, "Stragglers"), Row(UrgentView.self, "Urgent"), Row(QuietView.self, "Quiet"),
        Row(OpenMatters.self, "OpenMatters"),
        Row(MemberPosition.self, "MemberPosition"), Row(SharingStatus.self, "Sharing"),
        Row(SharedSummary.self, "SharedSummary"), Row(SharedRecordView.self),
        Row(SharedChangesView.self, "SharedChanges"), Row(PublishedRecord.self, "Published"),
        Row(CopiedRecord.self), Row(NotebookImport.self, "NotebookImport"), Row(Receipts.self, "Receipts"),
        Row(Receipts.Counts.self, "ReceiptCounts"), Row(Receipts.Entry.self, "Receipt"),
        Row(Receipts.Moment.self, "Moment"), Row(WithdrawnMessage.self), Row(KeyState.self), Row(BackupStep.self),
        Row(AccountOverview.self, "ServerAccount"), Row(AccountOverview.Session.self), Row(BegunSecondFactor.self),
        Row(RecoveryCodes.self, "RecoveryCodes"), Row(Organisation.self, "Organisation"),
        Row(OrganisationMember.self, "OrganisationMember"), Row(OrganisationTour.self, "OrganisationTour"),
        Row(OrganisationInvitation.self, "OrganisationInvitation"),
    ]

    @Test(arguments: rows) func readsWhatItWrites(row: Row) throws {
        let sample = try row.sample()
        #expect(try row.again(sample) == sample)
    }

    @Test(arguments: rows) func namesTheMemberThatIsNotAsItMustBe(row: Row) throws {
        let sample = try row.sample()
        guard case .object(let members) = sample else { throw ContractError() }
        for (index, member) in members.enumerated() {
            var others = members
            others.remove(at: index)
            if member.value == .null {
                #expect(try row.again(.object(others)) == sample, "\(member.name) may be absent")
            } else {
                #expect(throws: ContractError(member.name, .missing)) { try row.again(.object(others)) }
            }
            let wrong: JSON = member.value.list == nil ? .list([]) : "text"
            let changed = others + [JSONMember(name: member.name, value: wrong)]
            // A list of words that may be absent is the one optional member that a list is right for.
            guard member.value != .null || (try? row.again(.object(changed))) == nil else { continue }
            #expect(throws: ContractError(member.name)) { try row.again(.object(changed)) }
        }
    }

    @Test(arguments: rows) func hasTheMembersOfTheContract(row: Row) throws {
        guard let schema = row.schema, case .object(let members) = try row.sample() else { return }
        #expect(Set(members.map(\.name)) == (try Self.properties(of: schema)))
    }

    @Test func messagesAndDraftsComeBack() throws {
        let contract = try Self.properties(of: "Message").subtracting(["metadata"])
        let message: Message = try answered(["type": "text"])
        var bytes: [UInt8] = []
        message.appendJSON(to: &bytes)
        let written = try JSON(parsing: bytes)
        #expect(try Message.read(written) == message)
        for name in contract { #expect(written[name] != nil, "\(name)") }
        for draft in [
            Draft(text: "a"), Draft(text: "b", isAnnouncement: true, replyTo: "c", urgent: true, expiresSeconds: 7),
        ] {
            #expect(try Draft.read(draft.json) == draft)
        }
        #expect(throws: ContractError("content", .missing)) { try Draft.read(["type": "text"]) }
        #expect(throws: ContractError("type")) { try Draft.read(["type": "song", "content": "x"]) }
        let far: JSON = ["type": "location", "location": ["latitude": 91, "longitude": 0]]
        #expect(throws: ContractError("location.latitude")) { try Draft.read(far) }
    }

    @Test func membersInListsAreNamedByTheirPlace() {
        let answer: JSON = ["alarms": [["id": "a"], ["id": 7]]]
        #expect(throws: ContractError("alarms[0].memberID", .missing)) { try AlarmList.read(answer) }
    }

    private static func written(_ value: some Encodable) throws -> JSON {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try JSON(parsing: encoder.encode(value))
    }

    private static func properties(of schema: String) throws -> Set<String> {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let text = try String(contentsOf: root.appending(path: "Protocol/Schema/local-api.yaml"), encoding: .utf8)
        let lines = text.split(separator: "\n").drop { $0 != "    \(schema):" }.dropFirst()
            .prefix { $0.hasPrefix("     ") }
        return Set(
            lines.drop { $0 != "      properties:" }.dropFirst().compactMap { line in
                line.firstMatch(of: /^ {8}"?(\w+)"?:/).map { String($0.1) }
            })
    }
}
