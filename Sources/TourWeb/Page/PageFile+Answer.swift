import HTTPTypes
import Hummingbird
import NIOCore
import TourGzip

extension PageFile {
    /// The file as a browser takes it, or that it has it already.
    func answer(to request: Request) -> Response {
        let compressed = Gzip.isTaken(by: request.headers[.acceptEncoding]) ? self.compressed : nil
        // To a cache the same page in other bytes is another entity.
        let tag = compressed == nil ? self.tag : "\(self.tag.dropLast())-gzip\""
        var headers: HTTPFields = [
            .contentType: mediaType, .eTag: tag, .cacheControl: "no-cache", .vary: "Accept-Encoding",
        ]
        let known = (request.headers[.ifNoneMatch] ?? "").split(separator: ",").map { tag in
            let tag = tag.drop { $0 == " " }
            return tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
        }
        guard !known.contains(Substring(tag)) else { return Response(status: .notModified, headers: headers) }
        if compressed != nil { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: compressed ?? content))
    }
}
