import Hummingbird
import TourHotspot
import TourNode
import TourPresentation
import TourPrint
import TourWords

// A page for newcomers.
extension LocalAPI {
    func addCard(_ api: RouterGroup<BasicRequestContext>) {
        api.post("tours/:tour/card") { [slot, surfaces] request, context in
            struct Body: Decodable { var size, language: String? }
            let body = try await request.json(Body.self)
            let size: PrintCard.Size = try Self.choice(body.size) ?? .a4
            let language: Language = try Self.choice(body.language) ?? Reader.current.language
            let tour = try await slot.node.details(context.tour).name
            let invite = try await slot.node.createInvite(context.tour, InviteTerms.standard, reuses: true)
            // A machine that cannot say has no network to print.
            let network = try? await Self.hotspot.view()
            let card = TourCard(
                tour: tour, joinCode: invite.joinCode, hotspot: network?.state == .on ? network?.hotspot : nil)
            let page = try card.printed(size, in: language, on: surfaces.paper)
            do {
                return Answer.pdf(try await besideTheLoop { try PDFPrinter.pdf(page) })
            } catch let error as PrintError { throw WebError(error) }
        }
    }
}
