import CSodium
import Glibc
import TourModel

/// In place of the system's random source under libsodium: every input starts with the same numbers, so that it takes
/// the same course each time. What is sealed here is nobody's secret.
enum FixedChance {
    // libFuzzer plays one input after the other, on one thread.
    private nonisolated(unsafe) static var numbers = SplitMix64(seed: 1)

    static func reset() { numbers = SplitMix64(seed: 1) }

    /// Before anything else asks libsodium for something; for the life of the process.
    static func install() {
        let source = UnsafeMutablePointer<randombytes_implementation>.allocate(capacity: 1)
        source.initialize(
            to: randombytes_implementation(
                implementation_name: { fixedName }, random: { FixedChance.word() }, stir: nil, uniform: nil,
                buf: { FixedChance.fill($0, $1) }, close: nil))
        randombytes_set_implementation(source)
    }

    private static func word() -> UInt32 { UInt32(truncatingIfNeeded: numbers.next()) }

    private static func fill(_ start: UnsafeMutableRawPointer?, _ count: Int) {
        for index in 0..<count {
            start?.storeBytes(of: UInt8(truncatingIfNeeded: numbers.next()), toByteOffset: index, as: UInt8.self)
        }
    }
}

// Never written.
private nonisolated(unsafe) let fixedName = UnsafePointer(strdup("fixed"))
