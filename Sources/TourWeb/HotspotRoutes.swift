import Hummingbird
import TourHotspot
import TourPresentation
import TourWords

// The machine's own network, which needs no tour and no open store.
extension LocalAPI {
    /// The machine has one, whoever asks.
    static let hotspot = HotspotSwitch()

    func addHotspot(_ api: RouterGroup<BasicRequestContext>) {
        api.get("hotspot") { _, _ in try await Self.answer { try await Self.hotspot.view() } }
        api.put("hotspot") { request, _ in
            struct Body: Decodable { var name, password, band, security: String? }
            let body = try await request.json(Body.self)
            let order = HotspotOrder(
                name: body.name, password: body.password, band: try Self.choice(body.band) ?? .wide,
                security: try Self.choice(body.security) ?? .wpa2)
            return try await Self.answer { try await Self.hotspot.turnOn(order) }
        }
        api.delete("hotspot") { _, _ in try await Self.answer { try await Self.hotspot.turnOff() } }
    }

    private static func answer(_ work: () async throws -> HotspotView) async throws -> Response {
        try Answer.json(try await work().answer(on: Reader.current.surface))
    }

    /// A word of a request as what it stands for; nil where it says nothing.
    static func choice<Choice: RawRepresentable & CaseIterable>(
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
