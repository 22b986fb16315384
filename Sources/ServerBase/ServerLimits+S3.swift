/// The bounds of requests to an S3-compatible service.
extension ServerLimits {
    /// How long a connection to the service may take to open.
    package static let s3ConnectTimeout: Duration = .seconds(5)
    /// How long the service may take to begin an answer.
    package static let s3Timeout: Duration = .seconds(20)
    /// How long it may neither send nor accept a byte.
    package static let s3IdleTimeout: Duration = .seconds(60)
    /// Connections to the service.
    package static let s3ConnectionsMax = 64
    /// Of these, those that store something.
    package static let s3PutsAtOnce = 8
    /// How long something waits to be stored before it is refused.
    package static let s3PutPatience: Duration = .seconds(20)
    /// How long it may take to store a blob: 64 MiB at 2 Mbit/s and some.
    package static let s3PutTimeout: Duration = .seconds(300)
    /// How often a request is sent before it fails.
    package static let s3TriesMax = 2
    /// When a client may try again while the service is away, in seconds.
    package static let s3RetryAfter = 5
    /// The bytes of an object that are asked for at a time: each slow reader has as much in memory.
    package static let s3PieceBytes = 256 * 1024
    /// The body of an answer other than an object, in bytes: a thousand names.
    package static let s3AnswerBytesMax = 4 * 1024 * 1024
}
