import FoundationEssentials
import SwiftProtobuf
import TourModel

// The one place where generated messages and our types meet; nothing outside this target sees SwiftProtobuf.

/// How the generated code spells `bytes`.
typealias WireBytes = FoundationEssentials.Data

func wireData(_ bytes: some Sequence<UInt8>) -> WireBytes { WireBytes(bytes) }

extension WireBytes {
    /// Copied as they lie: the general way takes ten times as long.
    var array: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension Identifier {
    var data: WireBytes { wireData(bytes) }

    /// - Returns: nil unless there are 32 bytes.
    init?(_ data: WireBytes) {
        guard let raw = data.withUnsafeBytes({ Bytes32($0) }) else { return nil }
        self.init(raw: raw)
    }
}

func encoded(_ message: some SwiftProtobuf.Message) -> [UInt8] {
    // Only a missing proto2 field or a string that is no UTF-8 can fail; proto3 from Swift strings has neither.
    guard let bytes: [UInt8] = try? message.serializedBytes() else {
        preconditionFailure("a proto3 message made from Swift values always encodes")
    }
    return bytes
}

/// Total: nil for anything that is not this message. Nesting is bounded by the schema's own depth.
/// - Parameter bounds: of the lists in it; nil where the message is so short that its size bounds them.
func decoded<Value: SwiftProtobuf.Message>(
    _ type: Value.Type, _ bytes: some Collection<UInt8>, within bounds: ListBounds? = nil
) -> Value? {
    if let bounds, !bounds.hold(for: bytes) { return nil }
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = 8
    options.discardUnknownFields = true
    return try? Value(serializedBytes: Array(bytes), partial: false, options: options)
}
