import TourModel

/// Padmé: hides a length to within 12 %. Source: `Protocol/04-framing.md`, "Padding".
package enum Padding {
    /// The padded size of `count` bytes, at least `Limits.paddedPlaintextBytesMin`.
    package static func size(_ count: Int) -> Int {
        let wanted = max(count, Limits.paddedPlaintextBytesMin)
        let exponent = Int.bitWidth - 1 - wanted.leadingZeroBitCount
        let significant = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = 1 << (exponent - significant) - 1
        return (wanted + mask) & ~mask
    }
}
