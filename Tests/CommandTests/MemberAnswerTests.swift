import Testing
import TourAPI
import TourClient
import TourJSON
import TourNode
import TourNodeWords
import TourPresentation
import TourWords

/// Goal: before something is done to somebody it is said who that is, and before rights go it is said whose.
/// Method: answers made by hand.
@Suite struct MemberAnswerTests {
    private static let id = "8d92c3ad" + String(repeating: "0", count: 56)

    @Test func aMemberIsNamedByMoreThanItsName() throws {
        let json: JSON = ["id": .text(Self.id), "name": "Ben\u{1B}", "words": "bell lilac apple aspen"]
        let member = try MemberAnswer(answered(json))
        #expect(member.id == Self.id)
        #expect(member.title == "Ben\u{241B} (8d92c3ad)")
        #expect(member.description == "Ben\u{241B} (8d92c3ad, “bell lilac apple aspen”)")
        #expect(throws: ContractError("id", .missing)) { try MemberSummary.read(["name": "Ben"]) }
    }

    private static let made: JSON = ["memberID": "0a", "creatorID": "0a"]

    private static func loss(_ members: [JSON], of tour: JSON = made) throws -> RightsLoss? {
        RightsLoss(try answered(tour), try answered(["members": .list(members)]))
    }

    private static func member(_ name: String, _ role: String) -> JSON { ["name": .text(name), "role": .text(role)] }

    @Test func onlyTheCreatorHasRightsToLose() throws {
        #expect(try Self.loss([], of: ["memberID": "0b", "creatorID": "0a"]) == nil)
    }

    @Test func itSaysWhoCanLetOneIn() throws {
        let all = [Self.member("Anna", "guide"), Self.member("Ben", "member"), Self.member("Cem", "creator")]
        let loss = try #require(try Self.loss(all))
        #expect(loss.words.english.contains("Anna, Cem can make one") && !loss.words.english.contains("Ben"))
        let alone = try #require(try Self.loss([Self.member("Ben", "member")]))
        #expect(alone.words.english.contains("Nobody else leads it"))
    }

    @Test func whoIsGoneLetsNobodyIn() throws {
        let gone: JSON = ["name": "Anna", "role": "guide", "left": true]
        let me: JSON = ["name": "Me", "role": "creator", "me": true]
        let loss = try #require(try Self.loss([gone, me]))
        #expect(loss.words.english.contains("Nobody else leads it"))
    }

    @Test func aGuideIsNotSentToTheGuide() {
        let refused = NodeError.notAllowed.advice(on: TerminalSurface())
        #expect(refused?.english.contains("Ask the guide") == false)
        #expect(NodeError.membership(.ownRole(isCreator: true)).advice == nil)
    }
}
