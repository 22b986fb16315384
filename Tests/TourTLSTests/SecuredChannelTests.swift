import Foundation
import Glibc
import NIOCore
import Testing
import TourTLS

/// Goal: what is spoken by TLS beside the program is as if the program spoke it: the client's address, large answers,
/// ends and half ends; strangers that never finish a handshake are let go; nobody but our own connections is taken for
/// a client; stunnel is started again, and shows what it is told.
/// Method: the real stunnel behind a real server; clients in Python.
@Suite(.enabled(if: Stunnel.isInstalled, "stunnel4 is not installed"))
struct SecuredChannelTests {
    @Test func aRequestHasItsClientsAddress() async throws {
        try await SecuredBench.run { bench async throws in
            let script = """
                c = connect(int(sys.argv[1]))
                for _ in range(2):
                    ask(c, "/who")
                    print(c.recv(4096).decode().split("\\r\\n\\r\\n")[1] == str(c.getsockname()[1]))
                """
            #expect(try await Peer.run(script, [bench.port]) == "True\nTrue")
        }
    }

    /// The end of the answer is on its way when the server closes.
    @Test func aLargeAnswerComesWholeToASlowReader() async throws {
        try await SecuredBench.run { bench async throws in
            let script = """
                import time
                c = connect(int(sys.argv[1]))
                ask(c, "/big", "Connection: close")
                got = 0
                while part := c.recv(16384):
                    got += len(part)
                    if got % 7 == 0: time.sleep(0.01)
                print(got > int(sys.argv[2]))
                """
            #expect(try await Peer.run(script, [bench.port, SecuredBench.bigBytes]) == "True")
        }
    }

    /// A client that has said all of it is answered all the same.
    @Test func whoHasEndedItsSideIsAnswered() async throws {
        try await SecuredBench.run { bench async throws in
            let script = """
                c = connect(int(sys.argv[1]))
                ask(c, "/who")
                bare = socket.socket(fileno=c.detach())
                bare.shutdown(socket.SHUT_WR)
                print(len(rest(bare)) > 200)
                """
            #expect(try await Peer.run(script, [bench.port]) == "True")
        }
    }

    @Test func whoGoesWithoutAWordEndsItsStream() async throws {
        try await SecuredBench.run { bench async throws in
            let script = """
                for _ in range(20):
                    c = connect(int(sys.argv[1]))
                    ask(c, "/stream")
                    c.recv(4096)
                    os.close(c.detach())
                c = connect(int(sys.argv[1]))
                ask(c, "/who")
                print(c.recv(4096).startswith(b"HTTP/1.1 200"))
                """
            #expect(try await Peer.run(script, [bench.port]) == "True")
        }
    }

    /// Of those that say nothing, one byte, or something else.
    @Test func whoNeverFinishesAHandshakeIsLetGo() async throws {
        try await SecuredBench.run(handshakeTime: .milliseconds(300)) { bench async throws in
            let script = """
                for first in (b"", b"\\x16", b"\\x16\\x03\\x01\\x02\\x00", b"GET / HTTP/1.1\\r\\n\\r\\n"):
                    c = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
                    c.sendall(first)
                    try:
                        c.recv(4096)
                        print(c.recv(4096))
                    except ConnectionError:
                        print(b"")
                """
            #expect(
                try await Peer.run(script, [bench.port]) == Array(repeating: "b''", count: 4).joined(separator: "\n"))
        }
    }

    /// Another user of this machine reaches stunnel's port, and may even be decrypted, but not answered; and a line
    /// that names none of our connections is not believed.
    @Test func nobodyElseIsTakenForAClient() async throws {
        try await SecuredBench.run { bench async throws in
            let script = """
                port, path = int(sys.argv[1]), sys.argv[2]
                c = connect(port)
                ask(c, "/who")
                print(rest(c))
                ask_who = b"GET /who HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"
                named = b"PROXY TCP4 127.0.0.1 127.0.0.1 5 %d\\r\\n" % port
                for line in (named, b"PROXY UNKNOWN\\r\\n", b"", b"P" * 200):
                    c = socket.socket(socket.AF_UNIX)
                    c.connect(path)
                    c.sendall(line + ask_who)
                    print(rest(c))
                print(oct(os.stat(os.path.dirname(path)).st_mode & 0o777))
                """
            let said = try await Peer.run(script, [bench.stunnel.port, bench.stunnel.socketPath])
            #expect(said == (Array(repeating: "b''", count: 5) + ["0o700"]).joined(separator: "\n"))
        }
    }

    /// Its port is ours all the while: nobody takes it, and who comes meanwhile waits.
    @Test func whatWasKilledIsStartedAgain() async throws {
        try await SecuredBench.run { bench async throws in
            let script = """
                c = connect(int(sys.argv[1]))
                ask(c, "/stream")
                c.recv(4096)
                os.kill(int(sys.argv[2]), signal.SIGKILL)
                rest(c)
                try:
                    socket.create_server(("127.0.0.1", int(sys.argv[3])))
                except OSError as error:
                    print(error.errno == 98)
                c = connect(int(sys.argv[1]))
                ask(c, "/who")
                print(c.recv(4096).startswith(b"HTTP/1.1 200"))
                """
            let before = try #require(bench.stunnel.processID)
            // 98: the address is in use.
            let said = try await Peer.run(script, [bench.port, before, bench.stunnel.port])
            #expect(said == "True\nTrue")
            #expect(bench.stunnel.processID != before && bench.stunnel.trouble == nil)
        }
    }

    @Test func anotherCertificateIsShownFromTheNextConnectionOn() async throws {
        try await SecuredBench.run { bench async throws in
            try bench.certificates.issue("second.test")
            let script = """
                print(b"second.test" in connect(int(sys.argv[1])).getpeercert(True))
                """
            #expect(try await Peer.run(script, [bench.port]) == "False")
            bench.stunnel.show(try bench.certificates.pair("second.test.pem", "second.test.key"))
            while try await Peer.run(script, [bench.port]) == "False" {}
        }
    }

    @Test func nothingIsLeftOfIt() async throws {
        var left: (Int32, String)?
        try await SecuredBench.run { bench async throws in
            left = (try #require(bench.stunnel.processID), bench.stunnel.socketPath)
            #expect(kill(left?.0 ?? 0, 0) == 0)
        }
        let (process, path) = try #require(left)
        #expect(kill(process, 0) != 0)
        #expect(!FileManager.default.fileExists(atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path))
    }
}
