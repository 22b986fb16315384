import Foundation
import Testing

/// Goal: the description of the local API names every address that the node answers, and no other.
/// Method: compares the routes in the source of `TourWeb` with the paths and methods of
/// `Protocol/Schema/local-api.yaml`.
struct LocalRouteTests {
    @Test func theDescriptionHasEveryRouteAndNoOther() throws {
        let lines = Repository.sources.filter { $0.target == "TourWeb" }
            .flatMap { $0.lines(with: ["api.", "router."], in: \.text) }
        let answered = Self.routes(in: lines.map(\.text))
        let described = Self.paths(
            in: try String(contentsOf: Repository.url("Protocol/Schema/local-api.yaml"), encoding: .utf8))
        #expect(answered.count > 60)
        #expect(answered.subtracting(described).sorted() == [], "answered, and not described")
        #expect(described.subtracting(answered).sorted() == [], "described, and not answered")
    }

    @Test func routesAndPathsAreReadRight() {
        let lines = [
            "api.get(\"tours/:tour\") { [slot] _, context in", "  router.get(\"download/:ticket\") { request, _ in",
            "api.post(\"qr\") { request, _ in", "router.get(\"**\") { request, _ in",
            "router.get(\"/\") { request, _ in",
        ]
        #expect(Self.routes(in: lines) == ["GET /v1/tours/{}", "GET /download/{}", "POST /v1/qr"])
        let text = """
            paths:
              /v1/a/{x}/b:
                parameters:
                get:
                delete:
              /c:
                post:
            components:
                put:
            """
        #expect(Self.paths(in: text) == ["GET /v1/a/{}/b", "DELETE /v1/a/{}/b", "POST /c"])
    }

    /// As `GET /v1/tours/{}`; the files of the page are no addresses of the API.
    private static func routes(in lines: [String]) -> Set<String> {
        let route = /\b(api|router)\.(get|post|put|patch|delete)\("([^"]+)"\)/
        return Set(
            lines.compactMap { line in
                guard let found = line.firstMatch(of: route), found.3 != "**", found.3 != "/" else { return nil }
                let path = found.3.split(separator: "/").map { $0.hasPrefix(":") ? "{}" : String($0) }
                return "\(found.2.uppercased()) \(found.1 == "api" ? "/v1" : "")/\(path.joined(separator: "/"))"
            })
    }

    private static func paths(in text: String) -> Set<String> {
        var found = Set<String>()
        var path: String?
        for line in text.split(separator: "\n") {
            if let start = line.wholeMatch(of: #/  (/\S+):/#) {
                path = String(start.1).replacing(/\{[^}]+\}/, with: "{}")
            } else if !line.hasPrefix("  ") {
                path = nil
            } else if let path, let method = line.wholeMatch(of: #/    (get|post|put|patch|delete):/#) {
                found.insert("\(method.1.uppercased()) \(path)")
            }
        }
        return found
    }
}
