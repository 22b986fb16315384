/// How many uses between folders, each counted once, may be parts of cycles. Where no exception is: none.
struct FolderCap {
    /// A folder below Sources; the cycles are of the folders inside it.
    let folder: String
    let edges: Int
    let reason: String

    init(_ folder: String, edges: Int, reason: String) {
        self.folder = folder
        self.edges = edges
        self.reason = reason
    }

    static func faults(of graphs: [FolderGraph], exceptions: [FolderCap]) -> [String] {
        let allowed = Dictionary(exceptions.map { ($0.folder, $0.edges) }) { first, _ in first }
        let folders = Set(graphs.map(\.folder))
        let gone = exceptions.filter { !folders.contains($0.folder) }
            .map { "\($0.folder): has no folders beside each other; remove its exception" }
        return gone
            + graphs.compactMap { graph in
                let edges = graph.cyclic.count
                guard edges != allowed[graph.folder, default: 0] else { return nil }
                if edges == 0 { return "\(graph.folder): its folders form no cycle any more; remove its exception" }
                let found = "\(graph.folder): \(edges) edges between its folders are parts of cycles"
                let entry = "    \"\(graph.folder)\", edges: \(edges),"
                guard edges > allowed[graph.folder, default: 0] else {
                    return "\(found), less than its exception allows; write\n\(entry)"
                }
                let lines = graph.lines.map { "    " + $0 }
                return (["\(found): take one out, or let the exception be", entry] + lines).joined(separator: "\n")
            }
    }
}
