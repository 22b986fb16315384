import TourModel

/// The names of one interface's service: random, so that they reveal nothing about the machine or an earlier start.
package struct ServiceName: Sendable, Equatable {
    /// The service's instance name.
    package let instance: String
    /// The first label of the host name; the domain is `local`.
    package let host: String

    /// Two times 16 hexadecimal digits from the system's generator.
    package static func random() -> ServiceName {
        var generator = SystemRandomNumberGenerator()
        func word() -> String {
            let word = UInt64.random(in: .min ... .max, using: &generator)
            return Hex.encode((0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) })
        }
        return ServiceName(instance: word(), host: word())
    }
}
