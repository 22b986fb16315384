/// Metrics in the text format of Prometheus: all samples of a metric stand together, behind its help and type.
/// Source: Prometheus, "Text-based format", version 0.0.4.
package struct MetricsText {
    /// The media type of the format.
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// One value of a metric.
    package struct Sample {
        /// Names and values, in the order in which they are written.
        let labels: KeyValuePairs<String, String>
        let value: String

        package init(_ value: Int, _ labels: KeyValuePairs<String, String> = [:]) {
            self.value = "\(value)"
            self.labels = labels
        }

        package init(_ value: Double, _ labels: KeyValuePairs<String, String> = [:]) {
            self.value = "\(value)"
            self.labels = labels
        }
    }

    /// Everything that was added so far.
    package private(set) var text = ""

    package init() {}

    /// Writes a counter or a gauge; without a sample nothing.
    package mutating func add(_ metric: Metric, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        head(metric)
        for sample in samples { line(metric.rawValue, sample.labels.map { ($0.key, $0.value) }, sample.value) }
    }

    /// Writes a counter or a gauge without labels.
    package mutating func add(_ metric: Metric, _ value: Int) { add(metric, [Sample(value)]) }

    /// Writes a gauge of which nothing may be known.
    package mutating func add(_ metric: Metric, _ value: Int64?) {
        if let value { add(metric, [Sample(Int(value))]) }
    }

    /// Writes histograms, each with labels of its own.
    mutating func add(_ metric: Metric, _ histograms: [(labels: [(String, String)], histogram: Histogram)]) {
        guard !histograms.isEmpty else { return }
        head(metric)
        for (labels, histogram) in histograms {
            var count = 0
            for (bound, part) in zip(Histogram.bounds.map { "\($0)" } + ["+Inf"], histogram.counts) {
                count += part
                line(metric.rawValue + "_bucket", labels + [("le", bound)], "\(count)")
            }
            line(metric.rawValue + "_sum", labels, "\(histogram.sum)")
            line(metric.rawValue + "_count", labels, "\(count)")
        }
    }

    private mutating func head(_ metric: Metric) {
        text += "# HELP \(metric.rawValue) \(metric.help)\n# TYPE \(metric.rawValue) \(metric.kind.rawValue)\n"
    }

    private mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
        let words = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        text += words.isEmpty ? "\(name) \(value)\n" : "\(name){\(words)} \(value)\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

/// Durations, counted by fixed bounds.
struct Histogram: Sendable {
    /// Seconds: from what one read of the database takes to what clients wait for at most.
    static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// Durations by the first bound that they did not exceed; the last element counts those beyond every bound.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// Seconds.
    private(set) var sum = 0.0

    mutating func add(_ seconds: Double) {
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }
}
