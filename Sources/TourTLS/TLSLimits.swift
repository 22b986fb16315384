import NIOCore

/// The limits of TLS beside the program.
package enum TLSLimits {
    /// A certificate or key file, in bytes.
    static let fileBytesMax = 1_024 * 1_024
    /// From the beginning of a connection until its handshake is through.
    package static let handshakeTime: TimeAmount = .seconds(20)
    /// How long stunnel waits for the next bytes of a handshake, in seconds: it ends those that reach it past us.
    static let busySeconds = 30
    /// How long stunnel keeps a connection one side of which has ended, in seconds. Requests may be answered for as
    /// long; what we end ourselves is not kept for `lingerTime`.
    static let halfOpenSeconds = 3_600
    /// How long stunnel keeps a silent connection, in seconds: we end them long before.
    static let silentSeconds = 43_200
    /// How long a connection that we have ended may make no progress in sending what is left.
    static let lingerTime: TimeAmount = .seconds(5)
    /// How often progress may be made then.
    static let lingersMax = 24
    /// How long a decrypted connection may take to say whose it is.
    static let introductionTime: TimeAmount = .seconds(10)
    /// The buffers of a connection to stunnel, in bytes: what is on its way there has not reached the client.
    static let bufferBytes = 256 * 1_024
    /// Handshakes that wait for stunnel, while it starts again say.
    static let waitingMax: Int32 = 1_024
    /// The pause before stunnel is started again, which doubles each time.
    static let restartPauseMin: Duration = .milliseconds(200)
    static let restartPauseMax: Duration = .seconds(30)
    /// After so long it counts as one that runs.
    static let steadyTime: Duration = .seconds(60)
    /// A line of stunnel's log, in bytes.
    static let lineBytesMax = 4_096
    /// The descriptors that a connection takes: the client's, the one to stunnel, and the decrypted one.
    package static let descriptorsPerConnection = 3
}
