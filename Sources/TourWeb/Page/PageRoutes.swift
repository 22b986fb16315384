import HTTPTypes
import Hummingbird
import NIOCore
import TourAPI
import TourCode
import TourModel
import TourNode
import TourPrint
import TourWords

// The page itself: its files, and its features on this machine.
extension LocalAPI {
    func addPage(_ api: RouterGroup<BasicRequestContext>) {
        api.get("page") { [door] _, _ in
            // Detecting the features loads libraries.
            let features = try await besideTheLoop { PageReport.Features.here }
            return try Answer.json(
                PageReport(
                    version: ProgramVersion.number, features: features,
                    languages: Language.allCases.map(\.rawValue), address: door?.openAddress))
        }
    }

    /// Addresses for programs that open the page in a browser: requested at the Unix socket, used at the page's door.
    func addEntries(_ api: RouterGroup<BasicRequestContext>) {
        api.post("page/ticket") { [door] request, _ in
            struct Body: Decodable { var route: String? }
            let route = try await request.json(Body.self).route ?? ""
            guard let address = door?.entryAddress(route: route) else {
                throw WebError("no-page", Phrase("The node runs without a page: start it without '--web off'."))
            }
            return try Answer.json(PageEntry(address: address))
        }
    }

    static func addEntrance(_ router: Router<BasicRequestContext>, _ door: PageListener) {
        router.post("v1/page/enter") { request, _ in
            struct Body: Decodable { var ticket: String }
            struct Entrance: Encodable { var token: String }
            return try Answer.json(Entrance(token: try door.enter(ticket: try await request.json(Body.self).ticket)))
        }
    }

    static func addFiles(of page: [String: PageFile], to router: Router<BasicRequestContext>) {
        router.get("/") { request, _ in try answer(request, "index.html", page) }
        router.get("**") { request, _ in try answer(request, String(request.uri.path.dropFirst()), page) }
    }

    /// Looks up the path literally: there is no folder on the disk that it could lead out of.
    private static func answer(_ request: Request, _ path: String, _ page: [String: PageFile]) throws -> Response {
        guard let file = page[path] else { throw HTTPError(.notFound) }
        return file.answer(to: request)
    }
}

extension PageReport.Features {
    fileprivate static var here: PageReport.Features {
        PageReport.Features(
            scan: QRScanner.isAvailable, qr: QRCode.isAvailable, print: PDFPrinter.isAvailable,
            pictures: TourNode.preparesPictures)
    }
}
