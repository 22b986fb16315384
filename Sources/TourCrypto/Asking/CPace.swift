import TourModel

/// One side of a run of CPace on ristretto255 with SHA-512: two who know one short secret agree on a key, and somebody
/// who does not know it may guess once for each run. Source: `draft-irtf-cfrg-cpace`, the initiator-responder setting,
/// with the names used there.
package struct CPace: Sendable {
    /// What both sides put in.
    package struct Inputs: Sendable {
        /// The short secret.
        package var prs: SecretBytes
        /// Names the use.
        package var ci: [UInt8]
        /// Names the run.
        package var sid: [UInt8]
        /// The initiator's associated data.
        package var ada: [UInt8]
        /// The responder's associated data.
        package var adb: [UInt8]

        package init(prs: SecretBytes, ci: [UInt8], sid: [UInt8], ada: [UInt8], adb: [UInt8]) {
            self.prs = prs
            self.ci = ci
            self.sid = sid
            self.ada = ada
            self.adb = adb
        }
    }

    /// What a run leads to.
    package struct Key: Sendable {
        /// 64 bytes.
        package let isk: SecretBytes
        /// 64 bytes: proves to the responder that the initiator has the key.
        package let initiatorProof: [UInt8]
        /// 64 bytes: proves it to the initiator.
        package let responderProof: [UInt8]
    }

    /// The side that sends its share first.
    package let isInitiator: Bool
    /// Ya or Yb: goes to the other side.
    package let share: Bytes32
    private let inputs: Inputs
    private let scalar: SecretBytes

    private static let dsi = Array("CPaceRistretto255".utf8)
    private static let iskLabel = Array("CPaceRistretto255_ISK".utf8)
    private static let macLabel = Array("CPaceMac".utf8)

    package init(_ inputs: Inputs, isInitiator: Bool) {
        self.init(inputs, isInitiator: isInitiator, scalar: Ristretto255.randomScalar())
    }

    /// - Parameter scalar: 32 bytes, little-endian, drawn for this run alone.
    package init(_ inputs: Inputs, isInitiator: Bool, scalar: SecretBytes) {
        self.inputs = inputs
        self.isInitiator = isInitiator
        self.scalar = scalar
        guard let share = Ristretto255.product(scalar, Self.generator(inputs)) else {
            preconditionFailure("a scalar is not zero, and a hash leads to the identity by no computation that ends")
        }
        self.share = share.withBytes { Bytes32($0) } ?? .zero
    }

    /// - Returns: nil when the share encodes no element, or the product is the identity: the run must end.
    package func key(with peer: Bytes32) -> Key? {
        guard let product = Ristretto255.product(scalar, SecretBytes(peer.bytes)) else { return nil }
        let initiator = Self.listed([isInitiator ? share.bytes : peer.bytes, inputs.ada])
        let responder = Self.listed([isInitiator ? peer.bytes : share.bytes, inputs.adb])
        let isk = SHA512.hash(
            [
                .open(Self.listed([Self.iskLabel, inputs.sid]) + Self.length(product.count)), .secret(product),
                .open(initiator + responder),
            ])
        let macKey = SHA512.hash([.open(Self.macLabel + inputs.sid), .secret(isk)])
        return Key(
            isk: isk, initiatorProof: SHA512.authenticator(of: initiator, key: macKey),
            responderProof: SHA512.authenticator(of: responder, key: macKey))
    }

    /// `calculate_generator`: the encoded element that the inputs derive.
    private static func generator(_ inputs: Inputs) -> SecretBytes {
        let start = listed([dsi]) + length(inputs.prs.count)
        // The secret ends with the first block, so that the hash of the rest shows nothing of its length.
        let padding = max(0, SHA512.blockBytes - 1 - start.count - inputs.prs.count)
        let rest = listed([[UInt8](repeating: 0, count: padding), inputs.ci, inputs.sid])
        return Ristretto255.element(from: SHA512.hash([.open(start), .secret(inputs.prs), .open(rest)]))
    }

    /// `lv_cat`: each part behind its length.
    private static func listed(_ parts: [[UInt8]]) -> [UInt8] {
        parts.reduce(into: []) { $0 += length($1.count) + $1 }
    }

    /// A length in LEB128.
    private static func length(_ count: Int) -> [UInt8] {
        var bytes = [UInt8]()
        var rest = count
        repeat {
            let low = UInt8(rest & 0x7f)
            rest >>= 7
            bytes.append(rest == 0 ? low : low | 0x80)
        } while rest > 0
        return bytes
    }
}
