import TourModel

extension SplitMix64 {
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }

    /// A random time from 0 to this one.
    mutating func duration(upTo most: Duration) -> Duration {
        .microseconds(Int64.random(in: 0...max(most.microseconds, 0), using: &self))
    }
}
