import Foundation
import Hummingbird
import TourAPI
import TourHotspot
import TourModel
import TourNode
import TourPresentation
import TourPrint
import TourWords

/// The machine's own network, which needs no tour and no open store, and the page that brings newcomers into it.
struct NetworkRoutes: Sendable {
    let slot: NodeSlot
    let surfaces: ClientSurfaces
    /// The machine has one, whoever asks.
    private static let hotspot = HotspotSwitch()

    func add(to api: RouterGroup<BasicRequestContext>) {
        api.get("hotspot") { _, _ in try await Self.answer { try await Self.hotspot.view() } }
        api.put("hotspot") { [slot] request, _ in
            struct Body: Decodable { var name, password, band, security: String? }
            let body = try await request.json(Body.self)
            let order = HotspotOrder(
                name: body.name, password: body.password, band: try Self.choice(body.band) ?? .wide,
                security: try Self.choice(body.security) ?? .wpa2, pageName: slot.certificate?.name)
            return try await Self.answer { try await Self.hotspot.turnOn(order) }
        }
        api.delete("hotspot") { _, _ in try await Self.answer { try await Self.hotspot.turnOff() } }
        api.post("tours/:tour/card") { request, context in
            struct Body: Decodable {
                var size, language: String?
                var languages: [String]?
                var guests: Bool?
            }
            let body = try await request.json(Body.self)
            return try await card(
                of: context.tour, forGuests: body.guests ?? false, try Self.choice(body.size) ?? .a4,
                in: try Self.languages(body.languages ?? [body.language].compactMap(\.self)))
        }
    }

    private static func answer(_ work: () async throws -> HotspotView) async throws -> Response {
        try Answer.json(try await work().answer(on: Reader.current.surface))
    }

    /// At least one, each once; the reader's where the request names none.
    private static func languages(_ words: [String]) throws(WebError) -> [Language] {
        var languages: [Language] = []
        for word in words {
            guard let language: Language = try choice(word), !languages.contains(language) else { continue }
            languages.append(language)
        }
        return languages.isEmpty ? [Reader.current.language] : languages
    }

    private func card(
        of tour: String?, forGuests: Bool, _ size: PrintCard.Size, in languages: [Language]
    ) async throws -> Response {
        let name = try await slot.node.details(tour).name
        // A machine that cannot say has no network to print.
        let network = try? await Self.hotspot.view()
        let hotspot = network?.state == .on ? network?.hotspot : nil
        let page: PrintCard
        if forGuests {
            let seats = try await slot.node.seats.view(tour)
            guard let link = seats.link else { throw NodeError.seat(.off) }
            let end = Timestamp(seconds: Int(Date().timeIntervalSince1970) + Int(seats.secondsLeft))
            page = try GuestSign(
                tour: name, link: link, plainLink: seats.plainLink, digits: seats.digits, end: LocalMoment(end),
                hotspot: hotspot
            ).printed(size, in: languages)
        } else {
            let invite = try await slot.node.createInvite(tour, InviteTerms.standard, reuses: true)
            page = try TourCard(tour: name, joinCode: invite.joinCode, hotspot: hotspot)
                .printed(size, in: languages[0], on: surfaces.paper)
        }
        do {
            return Answer.pdf(try await besideTheLoop { try PDFPrinter.pdf(page) })
        } catch let error as PrintError { throw WebError(error) }
    }

    /// A word of a request as what it stands for; nil where it says nothing.
    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ word: String?
    ) throws(WebError) -> Choice? where Choice.RawValue == String {
        guard let word else { return nil }
        guard let choice = Choice(rawValue: word) else {
            let known = Choice.allCases.map { Phrase(verbatim: $0.rawValue) }
            throw WebError("bad-request", Phrase("There is no “\(word)” here, but \(Phrase(list: known))."))
        }
        return choice
    }
}
