/// Writes the few forms of DER that libcrypto takes keys and signatures in.
/// Source: X.690, sections 8 and 10.
enum DER {
    static let null: [UInt8] = [0x05, 0x00]

    static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, Array(elements.joined())) }

    /// - Parameter encoded: the bytes of the identifier, which its standard gives.
    static func objectIdentifier(_ encoded: [UInt8]) -> [UInt8] { element(0x06, encoded) }

    static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    /// A number that is not negative, with any number of zeros before it.
    /// - Parameter bytes: the most significant first.
    static func integer(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return element(0x02, (digits.first ?? 0x80) < 0x80 ? digits : [0] + digits)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        let length = withUnsafeBytes(of: content.count.bigEndian) { Array($0.drop { $0 == 0 }) }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
