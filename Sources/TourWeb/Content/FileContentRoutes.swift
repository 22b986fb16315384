import HTTPTypes
import Hummingbird
import NIOCore
import TourModel
import TourNode
import TourWords

// The contents of a tour's files.
extension LocalAPI {
    func addFileContent(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/files/:id/content") { [slot] request, context in
            Self.answer(request, with: try await slot.node.readFile(context.id, in: context.tour))
        }
        api.post("tours/:tour/files/:id/ticket") { [slot, door] _, context in
            guard let door else {
                throw WebError("no-page", Phrase("No page is served here: run the node without --web off."))
            }
            let tour = try await slot.node.view(context.tour).tour.hex
            let file = try await slot.node.readFile(context.id, in: context.tour)
            return try Answer.json(["url": Self.downloads + door.tickets.issue(Ticket(tour: tour, file: file.id))])
        }
    }

    /// The beginning of the path of such links.
    static let downloads = "/download/"

    /// Downloads by links without a token: each contains a ticket for one download.
    func addDownloads(_ router: Router<BasicRequestContext>, _ door: PageListener) {
        router.get("download/:ticket") { [slot] request, context in
            guard let ticket = door.tickets.redeem(context.parameters.get("ticket") ?? "") else {
                throw WebError(
                    "unknown-ticket", Phrase("This link was for one download, within a minute: ask for another."))
            }
            return Self.answer(request, with: try await slot.node.readFile(ticket.file, in: ticket.tour))
        }
    }

    private static func answer(_ request: Request, with file: FileReader) -> Response {
        let tag = "\"\(file.blobID)\""
        var headers = HTTPFields.download(named: file.name, media: file.media)
        headers[.acceptRanges] = "bytes"
        headers[.eTag] = tag
        // A client with the beginning of another content gets all of this one.
        let isSame = request.headers[.ifRange].map { $0 == tag } ?? true
        let range: Range<UInt64>
        switch ByteRange(isSame ? request.headers[.range] : nil, size: file.size) {
        case .none:
            headers[.contentRange] = "bytes */\(file.size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        case .whole: range = 0..<file.size
        case .part(let part):
            range = part
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"
        }
        return Response(
            status: headers[.contentRange] == nil ? .ok : .partialContent, headers: headers,
            body: ResponseBody(contentLength: range.count) { writer in
                var rest = range
                while !rest.isEmpty {
                    let wanted = rest
                    let bytes = try await besideTheLoop { try file.read(wanted) }
                    try await writer.write(ByteBuffer(bytes: bytes))
                    rest = rest.lowerBound + UInt64(bytes.count)..<rest.upperBound
                }
                try await writer.finish(nil)
            })
    }
}
