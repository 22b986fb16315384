import TourModel

/// Padmé: hides a length to within 12 %. Source: `Protocol/04-framing.md`, "Padding".
package enum Padding {
    /// The padded size of `count` bytes.
    package static func size(_ count: Int, atLeast least: Int = Limits.paddedPlaintextBytesMin) -> Int {
        let wanted = max(count, least)
        let exponent = Int.bitWidth - 1 - wanted.leadingZeroBitCount
        let significant = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = 1 << (exponent - significant) - 1
        return (wanted + mask) & ~mask
    }
}
