import Glibc
import TourWords

/// Standard output and standard error, written at once and without a buffer.
package enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Whether a terminal shows it.
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// - Throws: `ClosedOutput` when the reader has gone, `CommandFailure` for a full disk and the like.
    package func write(_ bytes: some Sequence<UInt8>) throws {
        try FileOutput.write(Array(bytes), to: rawValue)
    }

    /// The same for a line of text.
    package func line(_ text: String) throws { try write((text + "\n").utf8) }

    /// The same for words, in the user's language.
    package func line(_ words: Phrase) throws { try line(words.text) }
}

/// Complete writes to a descriptor.
enum FileOutput {
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        try bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&ready, 1, -1)
                } else if errno == EPIPE {
                    throw ClosedOutput()
                } else if errno != EINTR {
                    throw CommandFailure.system(Phrase("cannot write"), errno: errno)
                }
            }
        }
    }
}
