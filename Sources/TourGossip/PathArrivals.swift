import TourWire

/// The numbers of the peer that arrived. Source: `Protocol/08-datagrams.md`, "Paths".
struct PathArrivals: Hashable, Sendable {
    private(set) var last: UInt64 = 0
    /// Bit i is set if `last` - 1 - i did not arrive.
    private(set) var missing: UInt64 = 0

    /// - Returns: whether the number is new. One too old to track counts as known.
    mutating func insert(_ number: UInt64) -> Bool {
        guard number > last else {
            guard number < last, last - number <= 64 else { return false }
            let bit = UInt64(1) << (last - number - 1)
            defer { missing &= ~bit }
            return missing & bit != 0
        }
        let step = number - last
        // Shifts of 64 and more leave nothing. All numbers between the two are missing; there is no number 0.
        let between = step > 64 ? UInt64.max : (1 << (step - 1)) - 1
        missing = missing << step | (last == 0 && number <= 64 ? (1 << (number - 1)) - 1 : between)
        last = number
        return true
    }
}

extension PathDatagram {
    /// Whether the datagram acknowledges a number.
    func acknowledges(_ number: UInt64) -> Bool {
        guard number < acknowledged else { return number == acknowledged }
        let back = acknowledged - number - 1
        return back < 64 && missing >> back & 1 == 0
    }
}
