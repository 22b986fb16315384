import HTTPTypes

/// Finds the route of a request: segment by segment, a fixed one before a parameter.
package struct RouteTable: Sendable {
    package struct Match: Sendable {
        package let route: Route
        package let parameters: [String: String]
    }

    private struct Node {
        var fixed: [String: Node] = [:]
        /// The routes below a parameter; its name is each route's own.
        var parameter: [Node] = []
        var routes: [Route] = []
    }

    private let root: Node

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

    /// - Parameter path: without the query, still percent-encoded.
    /// - Throws: `notFound`, `methodNotAllowed`; `badRequest` for escapes that are no UTF-8.
    package func match(_ method: HTTPRequest.Method, _ path: String) throws(Failure) -> Match {
        guard path.hasPrefix("/") else { throw Failure(.badRequest) }
        var segments = [String]()
        for segment in Self.segments(of: path) {
            guard let decoded = segment.removingPercentEscapes else { throw Failure(.badRequest) }
            segments.append(decoded)
        }
        guard let routes = Self.find(segments[...], in: root) else { throw Failure(.notFound) }
        // Who asks for the head only gets the answer to GET without its body.
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

    /// Without the empty ones at both ends.
    private static func segments(of path: String) -> [String] {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.first == "" { parts.removeFirst() }
        if parts.last == "" { parts.removeLast() }
        return parts
    }
}

extension String {
    /// The text behind `%41`; nil for a broken escape, for what is no UTF-8 and for a zero byte.
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
