import Foundation
import Testing

/// A client of the test's own: a few lines of Python, which has the system's OpenSSL.
enum Peer {
    /// `connect(port)` makes a connection by TLS; `ask(connection, path)` sends a request; `rest(connection)` reads
    /// until its end.
    private static let prelude = """
        import os, signal, socket, ssl, sys
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        def connect(port):
            return context.wrap_socket(socket.create_connection(("127.0.0.1", port)))
        def ask(connection, path, *more):
            connection.sendall("\\r\\n".join([f"GET {path} HTTP/1.1", "Host: x", *more, "", ""]).encode())
        def rest(connection):
            got = bytearray()
            while True:
                try:
                    part = connection.recv(65536)
                except (ConnectionError, ssl.SSLError):
                    return bytes(got)
                if not part:
                    return bytes(got)
                got += part

        """

    /// Runs it to its end, on a thread of its own.
    /// - Returns: what it printed, without the last line's end.
    static func run(_ script: String, _ arguments: [Any]) async throws -> String {
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        python.arguments = ["-c", prelude + script] + arguments.map { "\($0)" }
        let output = Pipe()
        python.standardOutput = output
        try python.run()
        let (text, status) = await withCheckedContinuation { continuation in
            Thread {
                let bytes = output.fileHandleForReading.readDataToEndOfFile()
                python.waitUntilExit()
                continuation.resume(returning: (String(decoding: bytes, as: UTF8.self), python.terminationStatus))
            }.start()
        }
        #expect(status == 0, "\(text)")
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
