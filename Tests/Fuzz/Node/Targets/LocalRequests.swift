import FuzzSupport

/// Requests to a node's local API, a line each: every head and body that its routes read, and what the node makes of
/// it.
enum LocalRequestHarness {
    private static let requestsMax = 24

    static func run(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).prefix(requestsMax)
        let requests = lines.compactMap { NodeRequest(line: $0) }
        guard !requests.isEmpty else { return }
        check(FuzzNode.run(on: FuzzNode.directory(), requests), "a node starts on what a node left")
    }
}
