import Foundation
import Testing

/// A key pair of this test's own for 127.0.0.1, which nobody trusts.
enum Certificate {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBkDCCATagAwIBAgIUS52jKFBzgm/RKqoKrthWe4PAhfMwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTIwMzI0MloYDzIxMjYxMDI4
        MjAzMjQyWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAATT5NIVQCacGXSBWE1F1E+29ndGFDAJHgVmZqxMN0UcYUZXMn+OC9pO
        5Mfy8PiWrbYfmxNlZNX2d0PoZGE3s2s/o2QwYjAdBgNVHQ4EFgQUx4wuxZxkwbPM
        HgZKMt0yrDXTFJQwHwYDVR0jBBgwFoAUx4wuxZxkwbPMHgZKMt0yrDXTFJQwDwYD
        VR0RBAgwBocEfwAAATAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUC
        IQCEqpOKKwL/nHelCg9+PGMTselKwg2BMLV/M611gA3d3AIgP5hAJ2jCYEKwSm5x
        Z/JLPlrvLt4rO409cVRe0zi5TjY=
        -----END CERTIFICATE-----
        """

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgARA8QeBa6/K9csX4
        tDMaMGeR9T7i6V0Kda2Yi7YiTzihRANCAATT5NIVQCacGXSBWE1F1E+29ndGFDAJ
        HgVmZqxMN0UcYUZXMn+OC9pO5Mfy8PiWrbYfmxNlZNX2d0PoZGE3s2s/
        -----END PRIVATE KEY-----
        """

    /// In front of a server on this machine: speaks TLS with this certificate, in Python, which has the system's
    /// OpenSSL.
    final class Front: Sendable {
        let port: Int
        private let python = Process()
        private let folder: URL

        private static let script = """
            import asyncio, ssl, sys
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1])
            async def pass_on(source, target):
                try:
                    while part := await source.read(65536):
                        target.write(part)
                        await target.drain()
                except OSError:
                    pass
                target.close()
            async def meet(reader, writer):
                far, back = await asyncio.open_connection("127.0.0.1", int(sys.argv[2]))
                await asyncio.gather(pass_on(reader, back), pass_on(far, writer))
            async def main():
                server = await asyncio.start_server(meet, "127.0.0.1", 0, ssl=context)
                print(server.sockets[0].getsockname()[1], flush=True)
                await server.serve_forever()
            asyncio.run(main())
            """

        /// - Parameter port: where the server is.
        init(of port: Int) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("front-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let file = folder.appendingPathComponent("pair.pem")
            try Data("\(certificate)\n\(key)\n".utf8).write(to: file)
            let output = Pipe()
            python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            python.arguments = ["-c", Self.script, file.path, String(port)]
            python.standardOutput = output
            python.standardError = FileHandle.nullDevice
            try python.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            self.port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        }

        deinit {
            python.terminate()
            try? FileManager.default.removeItem(at: folder)
        }
    }
}
