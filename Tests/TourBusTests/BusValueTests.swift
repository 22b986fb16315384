import CDBus
import Glibc
import Testing
import TourBus

/// Goal: what goes into a D-Bus message is what is read out of it, and whatever is in one can be read. Method: real
/// messages, which never leave the process; a session with a keyring is a matter of the tests over several hosts.
@Suite struct BusValueTests {
    /// Writes the values into a message and reads it. Nil when a value cannot be written.
    private static func passed(_ values: [BusValue]) -> (values: [BusValue], signature: String)? {
        guard BusLibrary.isLoaded,
            let message = dbus_message_new_method_call("org.example.A", "/a", "org.example.A", "Do")
        else {
            return nil
        }
        defer { dbus_message_unref(message) }
        var target = DBusMessageIter()
        dbus_message_iter_init_append(message, &target)
        for value in values where !value.append(to: &target) { return nil }
        var source = DBusMessageIter()
        guard dbus_message_iter_init(message, &source) != 0 else { return ([], "") }
        return (BusValue.all(from: &source), signature(of: message))
    }

    /// As the library sees it; a node has no use for this one.
    private static func signature(of message: OpaquePointer) -> String {
        typealias Function = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>
        guard let symbol = dlsym(dlopen("libdbus-1.so.3", RTLD_LAZY), "dbus_message_get_signature") else { return "" }
        return String(cString: unsafeBitCast(symbol, to: Function.self)(message))
    }

    @Test(arguments: [
        BusValue.text(""), .text("Grüße"), .path("/org/freedesktop/secrets"), .flag(true), .flag(false), .bytes([]),
        .bytes([0, 1, 255]), .variant(.text("x")), .variant(.variant(.flag(true))), .byte(2), .integer(-1),
        .number(.max), .variant(.byte(1)), .record([.text("a"), .bytes([7])]),
        .record([.record([.path("/")]), .variant(.bytes([1]))]),
    ])
    func whatIsWrittenIsRead(value: BusValue) throws {
        let passed = try #require(Self.passed([value]))
        #expect(passed.values == [value])
        #expect(passed.signature == value.signature)
    }

    @Test func listsKeepTheirOrder() throws {
        let list = BusValue.list([.path("/b"), .path("/a")], of: "o")
        let passed = try #require(Self.passed([list, .list([], of: "o"), .flag(true)]))
        #expect(passed.signature == "aoaob")
        #expect(passed.values == [.list([.path("/b"), .path("/a")], of: ""), .list([], of: ""), .flag(true)])
    }

    /// What a keyring is asked for with, and what it gets.
    @Test func signaturesOfTheCallsThatAreMade() throws {
        let attributes = BusValue.texts(["id": "00ff", "xdg:schema": "s"])
        let properties = BusValue.map(["b": .variant(.text("label")), "a": .variant(attributes)], of: "v")
        let secret = BusValue.record([.path("/s"), .bytes([]), .bytes([1, 2]), .text("t")])
        let passed = try #require(Self.passed([properties, secret, .flag(true), attributes]))
        #expect(passed.signature == "a{sv}(oayays)ba{ss}")
        let known = BusValue.map(["id": .text("00ff"), "xdg:schema": .text("s")], of: "")
        #expect(passed.values.count == 4 && passed.values[3] == known)
        #expect(passed.values[0] == .map(["b": .variant(.text("label")), "a": .variant(known)], of: ""))
    }

    /// What a network manager is given, and answers with.
    @Test func mapsOfMapsAreRead() throws {
        let inner = BusValue.map(["ssid": .variant(.bytes([84])), "flags": .variant(.number(7))], of: "v")
        let passed = try #require(Self.passed([.map(["wifi": inner], of: "a{sv}"), .map([:], of: "a{sv}")]))
        #expect(passed.signature == "a{sa{sv}}a{sa{sv}}")
        let read = BusValue.map(["ssid": .variant(.bytes([84])), "flags": .variant(.number(7))], of: "")
        #expect(passed.values == [.map(["wifi": read], of: ""), .map([:], of: "")])
    }

    /// What logind answers a program that wants to be asked before the machine sleeps.
    @Test func aFileIsHandedOver() throws {
        let null = open("/dev/null", O_RDONLY)
        try #require(null >= 0)
        let file = BusFile(owning: null)
        let passed = try #require(Self.passed([.file(file), .flag(true)]))
        #expect(passed.signature == "hb")
        guard case .file(let received)? = passed.values.first else {
            Issue.record("no file was read")
            return
        }
        #expect(received.descriptor != file.descriptor)
        #expect(fcntl(received.descriptor, F_GETFD) & FD_CLOEXEC != 0, "no child inherits it")
    }

    @Test func whatIsNoValueIsNotWritten() {
        #expect(Self.passed([.other]) == nil)
        #expect(Self.passed([])?.values.isEmpty == true)
    }
}
