import HTTPTypes
import ServerBase

/// Finds the route of a request, segment by segment; a fixed segment goes before a parameter.
package struct RouteTable: Sendable {
    /// A route, and the request's values of its parameters.
    package struct Match: Sendable {
        /// The route that the path and method match.
        package let route: Route
        /// The decoded segments by parameter name.
        package let parameters: [String: String]
    }

    private struct Node {
        var fixed: [String: Node] = [:]
        /// At most one node: the routes below a parameter. Each route names the parameter itself.
        var parameter: [Node] = []
        var routes: [Route] = []
    }

    private let root: Node

    /// - Parameter routes: no two with the same method and path; else a precondition fails.
    package init(_ routes: [Route]) {
        var root = Node()
        for route in routes { Self.insert(route, Self.segments(of: route.path)[...], into: &root) }
        self.root = root
    }

    private static func insert(_ route: Route, _ segments: ArraySlice<String>, into node: inout Node) {
        guard let segment = segments.first else {
            precondition(
                !node.routes.contains { $0.method == route.method }, "two routes \(route.method) \(route.path)")
            node.routes.append(route)
            return
        }
        if segment.hasPrefix("{") {
            if node.parameter.isEmpty { node.parameter.append(Node()) }
            insert(route, segments.dropFirst(), into: &node.parameter[0])
        } else {
            insert(route, segments.dropFirst(), into: &node.fixed[segment, default: Node()])
        }
    }

    /// - Parameter path: the path without the query, still percent-encoded.
    /// - Throws: `notFound`; `methodNotAllowed`; `badRequest` for a path without a leading slash, or with escapes that
    ///   are not UTF-8.
    package func match(_ method: HTTPRequest.Method, _ path: String) throws(Failure) -> Match {
        guard path.hasPrefix("/") else { throw Failure(.badRequest) }
        var segments = [String]()
        for segment in Self.segments(of: path) {
            guard let decoded = segment.removingPercentEscapes else { throw Failure(.badRequest) }
            segments.append(decoded)
        }
        guard let routes = Self.find(segments[...], in: root) else { throw Failure(.notFound) }
        // A HEAD request gets the answer to GET without its body.
        let wanted = method == .head ? .get : method
        guard let route = routes.first(where: { $0.method == wanted }) else {
            throw Failure(.methodNotAllowed, allowed: routes.map(\.method))
        }
        let pairs = zip(Self.segments(of: route.path), segments).filter { $0.0.hasPrefix("{") }
        return Match(
            route: route,
            parameters: Dictionary(pairs.map { (String($0.0.dropFirst().dropLast()), $0.1) }) { first, _ in first })
    }

    private static func find(_ segments: ArraySlice<String>, in node: Node) -> [Route]? {
        guard let segment = segments.first else { return node.routes.isEmpty ? nil : node.routes }
        if let next = node.fixed[segment], let routes = find(segments.dropFirst(), in: next) { return routes }
        guard !segment.isEmpty, let next = node.parameter.first else { return nil }
        return find(segments.dropFirst(), in: next)
    }

    /// The segments, without an empty first and last one.
    private static func segments(of path: String) -> [String] {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.first == "" { parts.removeFirst() }
        if parts.last == "" { parts.removeLast() }
        return parts
    }
}

extension String {
    /// The text with escapes such as `%41` decoded; nil for a broken escape, for bytes that are not UTF-8 and for a
    /// zero byte.
    fileprivate var removingPercentEscapes: String? {
        var bytes = [UInt8]()
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] * 16 + digits[1]))
            rest = rest.dropFirst(2)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
}
