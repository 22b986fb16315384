import FoundationEssentials
import SwiftProtobuf
import TourModel

// The one place that connects generated messages and our types; nothing outside this target uses SwiftProtobuf.

/// The generated code's type for `bytes`.
typealias WireBytes = FoundationEssentials.Data

func wireData(_ bytes: some Sequence<UInt8>) -> WireBytes { WireBytes(bytes) }

extension WireBytes {
    /// Copies the bytes in place: the generic way takes ten times as long.
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
    // Only a missing proto2 field or a string that is not UTF-8 can fail; proto3 from Swift strings has neither.
    guard let bytes: [UInt8] = try? message.serializedBytes() else {
        preconditionFailure("a proto3 message made from Swift values always encodes")
    }
    return bytes
}

/// Total: nil for anything that is not this message. The schema's own depth bounds the nesting.
/// - Parameter bounds: those of its lists; nil where the message is so short that its size bounds them.
func decoded<Value: SwiftProtobuf.Message>(
    _ type: Value.Type, _ bytes: some Collection<UInt8>, within bounds: ListBounds? = nil
) -> Value? {
    if let bounds, !bounds.hold(for: bytes) { return nil }
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = 8
    options.discardUnknownFields = true
    return try? Value(serializedBytes: Array(bytes), partial: false, options: options)
}
