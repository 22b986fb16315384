import TourModel

/// Bytes that decode to no value of the protocol.
package enum WireError: String, Fault {
    /// An event's bytes are shorter than its header and signature.
    case eventTruncated = "event-truncated"
    /// The event's first byte names a version that this node does not support.
    case eventVersion = "event-version"
    /// A body larger than its class allows, or a sequence of zero.
    case eventMalformed = "event-malformed"
    /// A body, row or request that does not decode.
    case recordMalformed = "record-malformed"
    /// A frame has wrong flags, length or padding.
    case frameMalformed = "frame-malformed"
    /// A message's slices exceed `Limits.linkMessageBytesMax` in total.
    case messageTooLarge = "message-too-large"
    /// A link message that does not decode, or with fields of the wrong length.
    case messageMalformed = "message-malformed"
    /// A datagram that its key opens has a wrong length, padding or fields.
    case datagramMalformed = "datagram-malformed"

    package var code: String { rawValue }

    package var scope: FaultScope {
        switch self {
        case .eventTruncated, .eventVersion, .eventMalformed, .recordMalformed, .datagramMalformed: .record
        case .frameMalformed, .messageTooLarge, .messageMalformed: .link
        }
    }
}
