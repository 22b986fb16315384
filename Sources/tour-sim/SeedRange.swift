import ArgumentParser

/// Seeds as typed: `1..1000`, or one.
struct SeedRange: ExpressibleByArgument {
    let seeds: ClosedRange<UInt64>

    init(_ seeds: ClosedRange<UInt64>) { self.seeds = seeds }

    init?(argument: String) {
        let dots = argument.split(separator: ".", omittingEmptySubsequences: true)
        guard (1...2).contains(dots.count), let first = UInt64(dots[0]), let last = UInt64(dots[dots.count - 1]),
            first <= last, last - first < UInt64(Int32.max)
        else { return nil }
        seeds = first...last
    }

    var defaultValueDescription: String { "\(seeds.lowerBound)..\(seeds.upperBound)" }
}
