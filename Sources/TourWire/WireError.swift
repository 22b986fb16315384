import TourModel

/// Bytes that are no value of the protocol.
package enum WireError: String, Fault {
    /// An event's bytes are shorter than its header and signature.
    case eventTruncated = "event-truncated"
    /// The event's first byte names a version that this node does not speak.
    case eventVersion = "event-version"
    /// A body larger than its class allows, or a sequence of zero.
    case eventMalformed = "event-malformed"
    /// A body, row or request that does not decode.
    case recordMalformed = "record-malformed"
    /// Flags, length or padding of a frame are wrong.
    case frameMalformed = "frame-malformed"
    /// A message's slices add up to more than `Limits.linkMessageBytesMax`.
    case messageTooLarge = "message-too-large"
    /// A link message that does not decode, or with fields of the wrong length.
    case messageMalformed = "message-malformed"
    /// A datagram that its key opens and that is none: length, padding or fields are wrong.
    case datagramMalformed = "datagram-malformed"

    package var code: String { rawValue }

    package var scope: FaultScope {
        switch self {
        case .eventTruncated, .eventVersion, .eventMalformed, .recordMalformed, .datagramMalformed: .record
        case .frameMalformed, .messageTooLarge, .messageMalformed: .link
        }
    }
}
