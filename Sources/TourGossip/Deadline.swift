import TourModel

/// The earliest time at which something is due; nil while nothing waits.
struct Deadline {
    private(set) var earliest: Instant?

    init(_ first: Instant?) { earliest = first }

    mutating func consider(_ other: Instant?) {
        if let other { earliest = min(earliest ?? other, other) }
    }
}

extension Dictionary {
    /// Visits each value in place; a loop would copy each one.
    mutating func visitValues(_ visit: (inout Value) -> Void) {
        var index = startIndex
        while index != endIndex {
            visit(&values[index])
            formIndex(after: &index)
        }
    }
}
