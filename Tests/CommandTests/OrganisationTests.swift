import Testing
import TourAPI
import TourClient
import TourJSON

/// Goal: a command about an organisation finds what the user names, or says that it is not there or not one thing.
/// Method: rows as the local API has them.
@Suite struct OrganisationTests {
    private static let all = [
        organisation(3, "Bosporus"), organisation(4, "3"), organisation(5, "Bosporus", invitation: 9),
    ]

    private static let members = [
        member(17, email: "Office@tours.example"), member(18, phone: "+905321234567"),
    ]

    private static let tours = [
        tour("3fa2c1aa", ""), tour("3fa2c1bb", "Oslo"), tour("77aa00cc", "Oslo"),
    ]

    private static func organisation(_ id: Int64, _ name: String, invitation: Int64? = nil) -> Organisation {
        Organisation(id: id, name: name, role: .guide, createdAt: "", joinedAt: nil, invitation: invitation)
    }

    private static func member(_ account: Int64, email: String? = nil, phone: String? = nil) -> OrganisationMember {
        OrganisationMember(
            account: account, role: .guide, joinedAt: "", tours: 0, email: email, phone: phone, own: false)
    }

    private static func tour(_ id: String, _ name: String) -> OrganisationTour {
        OrganisationTour(
            id: id, name: name, account: nil, planned: false, active: true, startDate: nil, endDate: nil, createdAt: "")
    }

    private static func code<Found>(_ work: () throws -> Found) -> String? {
        do {
            _ = try work()
            return nil
        } catch {
            return (error as? CommandFailure)?.code
        }
    }

    @Test func anAnswerWithoutNumberOrNameIsNone() {
        for answer: JSON in [.null, ["id": 3], ["name": "x"], ["id": "3", "name": "x"]] {
            #expect(throws: ContractError.self) { try Organisation.read(answer) }
        }
        #expect(!Self.organisation(1, "a\u{1B}b").shown.contains("\u{1B}"))
    }

    @Test func aNumberGoesBeforeAName() throws {
        #expect(try Organisation.named("3", among: Self.all).id == 3)
        #expect(try Organisation.named("Bosporus", among: Array(Self.all.prefix(2))).id == 3)
        #expect(try Organisation.named(nil, among: Array(Self.all.prefix(1))).id == 3)
    }

    @Test func whatIsNotOneOrganisationIsRefused() {
        #expect(Self.code { try Organisation.named("Rome", among: Self.all) } == "organisation-unknown")
        #expect(Self.code { try Organisation.named(nil, among: []) } == "organisation-unknown")
        #expect(Self.code { try Organisation.named(nil, among: Self.all) } == "ambiguous")
        #expect(Self.code { try Organisation.named("Bosporus", among: Self.all) } == "ambiguous")
    }

    @Test func twoInvitationsOfOneOrganisationAreOne() throws {
        let twice = [Self.all[2], Self.all[2]]
        #expect(try Organisation.named(nil, among: twice).invitation == 9)
    }

    @Test(arguments: [("17", 17 as Int64), ("office@tours.example", 17), ("+905321234567", 18)])
    func membersHaveSeveralNames(named: String, account: Int64) throws {
        #expect(try OrganisationMember.named(named, among: Self.members).account == account)
    }

    @Test func membersAreShownByContactOrNumber() {
        let shown = (Self.members + [Self.member(19)]).map(\.shown)
        #expect(shown == ["Office@tours.example", "+905321234567", "19"])
        for named in ["1", "", "null", "ben"] {
            #expect(Self.code { try OrganisationMember.named(named, among: Self.members) } == "unknown-member")
        }
    }

    @Test func aTourIsFoundByIDOrEitherName() throws {
        let names = ["3fa2c1aa": "Rome 2026"]
        for named in ["Rome 2026", "3fa2c1aa", "3FA2C1A"] {
            let tour = try OrganisationTour.named(named, among: Self.tours, names: names)
            #expect(tour.id == "3fa2c1aa")
        }
        for named in ["Oslo", "3fa2c1"] {
            #expect(Self.code { try OrganisationTour.named(named, among: Self.tours, names: names) } == "ambiguous")
        }
        for named in ["", "3fa", "Paris"] {
            #expect(Self.code { try OrganisationTour.named(named, among: Self.tours, names: names) } == "unknown-tour")
        }
    }
}
