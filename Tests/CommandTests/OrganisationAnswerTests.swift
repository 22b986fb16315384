import Testing
import TourCommands
import TourJSON
import TourWeb

/// Goal: a command about an organisation finds what the user names, or says that it is not there or not one thing.
/// Method: rows as the local API has them.
@Suite struct OrganisationAnswerTests {
    private static let all = [
        OrganisationAnswer(["id": 3, "name": "Bosporus", "invitation": .null]),
        OrganisationAnswer(["id": 4, "name": "3", "invitation": .null]),
        OrganisationAnswer(["id": 5, "name": "Bosporus", "invitation": 9]),
    ].compactMap(\.self)

    private static let members: [JSON] = [
        ["account": 17, "role": "admin", "email": "Office@tours.example", "phone": .null],
        ["account": 18, "role": "guide", "email": .null, "phone": "+905321234567"],
    ]

    private static let tours: [JSON] = [
        ["id": "3fa2c1aa", "name": ""], ["id": "3fa2c1bb", "name": "Oslo"], ["id": "77aa00cc", "name": "Oslo"],
    ]

    private static func code<Found>(_ work: () throws -> Found) -> String? {
        do {
            _ = try work()
            return nil
        } catch {
            return (error as? CommandFailure)?.code
        }
    }

    @Test func anAnswerWithoutNumberOrNameIsNone() {
        #expect(Self.all.count == 3 && Self.all.map(\.invitation) == [nil, nil, 9])
        for answer: JSON in [.null, ["id": 3], ["name": "x"], ["id": "3", "name": "x"]] {
            #expect(OrganisationAnswer(answer) == nil)
        }
        #expect(OrganisationAnswer(["id": 1, "name": "a\u{1B}b"])?.shown.contains("\u{1B}") == false)
    }

    @Test func aNumberGoesBeforeAName() throws {
        #expect(try OrganisationAnswer.named("3", among: Self.all).number == 3)
        #expect(try OrganisationAnswer.named("Bosporus", among: Array(Self.all.prefix(2))).number == 3)
        #expect(try OrganisationAnswer.named(nil, among: Array(Self.all.prefix(1))).number == 3)
    }

    @Test func whatIsNotOneOrganisationIsRefused() {
        #expect(Self.code { try OrganisationAnswer.named("Rome", among: Self.all) } == "organisation-unknown")
        #expect(Self.code { try OrganisationAnswer.named(nil, among: []) } == "organisation-unknown")
        #expect(Self.code { try OrganisationAnswer.named(nil, among: Self.all) } == "ambiguous")
        #expect(Self.code { try OrganisationAnswer.named("Bosporus", among: Self.all) } == "ambiguous")
    }

    @Test func twoInvitationsOfOneOrganisationAreOne() throws {
        let twice = [Self.all[2], Self.all[2]]
        #expect(try OrganisationAnswer.named(nil, among: twice).invitation == 9)
    }

    @Test(arguments: [("17", "17"), ("office@tours.example", "17"), ("+905321234567", "18")])
    func membersHaveSeveralNames(named: String, account: String) throws {
        #expect(try OrganisationAnswer.member(named, among: Self.members).shown("account") == account)
    }

    @Test func membersAreShownByContactOrNumber() {
        let shown = (Self.members + [["account": 19, "email": .null, "phone": .null]]).map(OrganisationAnswer.shown)
        #expect(shown == ["Office@tours.example", "+905321234567", "19"])
        for named in ["1", "", "null", "ben"] {
            #expect(Self.code { try OrganisationAnswer.member(named, among: Self.members) } == "unknown-member")
        }
    }

    @Test func aTourIsFoundByIDOrEitherName() throws {
        let names = ["3fa2c1aa": "Rome 2026"]
        for named in ["Rome 2026", "3fa2c1aa", "3FA2C1A"] {
            let tour = try OrganisationAnswer.tour(named, among: Self.tours, names: names)
            #expect(tour.shown("id") == "3fa2c1aa")
        }
        for named in ["Oslo", "3fa2c1"] {
            #expect(Self.code { try OrganisationAnswer.tour(named, among: Self.tours, names: names) } == "ambiguous")
        }
        for named in ["", "3fa", "Paris"] {
            #expect(Self.code { try OrganisationAnswer.tour(named, among: Self.tours, names: names) } == "unknown-tour")
        }
    }
}
