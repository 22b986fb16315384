import TourSimulator

/// The goals and the measured figures, one column for each size of the tour.
struct MeasureTable {
    private let results: [BroadcastResult]
    private let members: [Int]
    private let losses: [Int]

    init(_ results: [BroadcastResult], members: [Int], losses: [Int]) {
        self.results = results
        self.members = members
        self.losses = losses
    }

    /// One figure: for each size, at each of these losses.
    private struct Row {
        let title: String
        let losses: [Int]
        let usesMulticast: Bool
        /// The upper limit of each value, by size; nil: none.
        let goals: [Int: [Double]]
        let values: (BroadcastResult) -> [Double]
    }

    var lines: [String] {
        var cells = [["members"] + members.map { String($0) }]
        for row in rows where isMeasured(row) {
            let values = members.map { self.values(row, members: $0) }
            cells.append([row.title] + values.map { $0.map(Self.text) ?? "-" })
            let verdicts = zip(members, values).map { count, values in
                Self.verdict(on: values, goal: row.goals[count])
            }
            if verdicts.contains(where: { !$0.isEmpty }) { cells.append(["    goal"] + verdicts) }
        }
        return Self.aligned(cells)
    }

    private func isMeasured(_ row: Row) -> Bool {
        !row.losses.isEmpty && results.contains { $0.plan.conditions.usesMulticast == row.usesMulticast }
    }

    private func values(_ row: Row, members count: Int) -> [Double]? {
        var values = [Double]()
        for loss in row.losses {
            let matching = results.first { result in
                let conditions = result.plan.conditions
                return result.plan.members == count && conditions.usesMulticast == row.usesMulticast
                    && conditions.lossPerMille == loss * 10
            }
            guard let matching else { return nil }
            values += row.values(matching)
        }
        return values
    }

    private static func text(_ values: [Double]) -> String {
        values.map { Figure.short($0) }.joined(separator: "/")
    }

    private static func verdict(on values: [Double]?, goal: [Double]?) -> String {
        guard let values, let goal, values.count == goal.count else { return "" }
        let isMet = zip(values, goal).allSatisfy { value, goal in value <= goal }
        return goal.map { Figure.plain($0) }.joined(separator: "/") + (isMet ? " met" : " MISSED")
    }

    private static func aligned(_ cells: [[String]]) -> [String] {
        let columns = cells.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            cells.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return cells.map { row in
            var line = ""
            for (column, text) in row.enumerated() where !text.isEmpty {
                let start = widths[..<column].reduce(0) { $0 + $1 + 2 }
                line += String(repeating: " ", count: max(0, start - line.count)) + text
            }
            return line
        }
    }

    private var rows: [Row] {
        // The goals are for these losses.
        let hasGoals = losses == [0, 10, 30]
        let all = losses.map { String($0) }.joined(separator: "/")
        return figures(multicast: true, all, hasGoals ? Self.ratioGoals : [:], hasGoals)
            + figures(multicast: false, all, hasGoals ? Self.linkGoals : [:], hasGoals)
    }

    private func figures(
        multicast: Bool, _ all: String, _ ratioGoals: [Int: [Double]], _ hasGoals: Bool
    ) -> [Row] {
        let lossy = losses.filter { $0 > 0 }
        let some = lossy.map { String($0) }.joined(separator: "/")
        let mode = multicast ? "" : "no multicast: "
        let hasLatencyGoals = hasGoals && multicast
        return [
            Row(
                title: mode + "p50/p99 ms at 0 % loss", losses: losses.filter { $0 == 0 }, usesMulticast: multicast,
                goals: hasLatencyGoals ? Self.calmGoals : [:],
                values: { [Figure.milliseconds($0.latencies.p50), Figure.milliseconds($0.latencies.p99)] }),
            Row(
                title: mode + "p99 ms at \(some) % loss", losses: lossy, usesMulticast: multicast,
                goals: hasLatencyGoals ? Self.tailGoals : [:], values: { [Figure.milliseconds($0.latencies.p99)] }),
            Row(
                title: mode + "bytes/((N-1) x event) at \(all) %, total", losses: losses, usesMulticast: multicast,
                goals: ratioGoals, values: { [$0.ratio] }),
            Row(
                title: mode + "the same less idle traffic", losses: losses, usesMulticast: multicast,
                goals: ratioGoals, values: { [$0.ratioBeyondIdle] }),
            Row(
                title: mode + "the same less claims too", losses: losses, usesMulticast: multicast,
                goals: ratioGoals, values: { [$0.ratioOfBroadcast] }),
            Row(
                title: mode + "idle kB/s, whole network, at \(all) %", losses: losses, usesMulticast: multicast,
                goals: Self.idleGoals.mapValues { Array(repeating: $0, count: losses.count) },
                values: { [$0.idleBytesPerSecond / 1_000] }),
        ]
    }

    private static let calmGoals: [Int: [Double]] = [8: [5, 15], 50: [10, 40], 200: [10, 60]]
    private static let tailGoals: [Int: [Double]] = [8: [60, 120], 50: [80, 200], 200: [100, 250]]
    private static let ratioGoals: [Int: [Double]] = [
        8: [0.25, 0.45, 0.75], 50: [0.08, 0.15, 0.3], 200: [0.015, 0.03, 0.06],
    ]
    private static let linkGoals: [Int: [Double]] = [8: [1.4, 1.7, 2.4], 50: [1.4, 1.7, 2.4], 200: [1.4, 1.7, 2.4]]
    private static let idleGoals: [Int: Double] = [8: 0.3, 50: 2, 200: 7]
}
