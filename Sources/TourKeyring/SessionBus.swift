import CDBus
import Glibc

/// A connection to the bus of the user's session, of our own and for a few calls. Calls block.
final class SessionBus {
    private static let promptInterface = "org.freedesktop.Secret.Prompt"
    private static let callMilliseconds: Int32 = 10_000
    /// A person may look for a password.
    private static let promptTime: Duration = .seconds(120)
    private static let promptPause: Int32 = 250

    private let connection: OpaquePointer
    private let service: String

    /// - Parameter service: the bus name that all calls go to; nothing is started that does not run.
    /// - Throws: `unavailable`, `noLibrary`.
    init(service: String) throws(KeyringError) {
        // Without an address the library would start a bus.
        guard let address = getenv("DBUS_SESSION_BUS_ADDRESS"), address.pointee != 0 else { throw .unavailable }
        guard BusLibrary.isLoaded else { throw .noLibrary }
        guard let connection = dbus_bus_get_private(DBUS_BUS_SESSION, nil) else { throw .unavailable }
        self.connection = connection
        self.service = service
        // The library would end the process with the bus.
        dbus_connection_set_exit_on_disconnect(connection, 0)
        guard dbus_bus_name_has_owner(connection, service, nil) != 0 else { throw .unavailable }
    }

    deinit {
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }

    /// One call and its answer.
    func call(
        _ object: String, _ interface: String, _ method: String, _ arguments: [BusValue]
    ) throws(KeyringError) -> [BusValue] {
        guard let message = dbus_message_new_method_call(service, object, interface, method) else {
            throw .failed("no memory")
        }
        defer { dbus_message_unref(message) }
        var target = DBusMessageIter()
        dbus_message_iter_init_append(message, &target)
        for argument in arguments {
            guard argument.append(to: &target) else { throw .failed("no memory") }
        }
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        let answer = dbus_connection_send_with_reply_and_block(connection, message, Self.callMilliseconds, &error)
        guard let reply = answer else {
            let name = error.name.map { String(cString: $0) } ?? "no answer"
            throw name.hasSuffix(".IsLocked") ? KeyringError.locked : KeyringError.failed(name)
        }
        defer { dbus_message_unref(reply) }
        return Self.values(of: reply)
    }

    /// Lets the user be asked, and waits for the answer.
    /// - Throws: `locked` when it is no, or does not come.
    func prompt(_ object: String) throws(KeyringError) {
        let rule = "type='signal',interface='\(Self.promptInterface)',member='Completed',path='\(object)'"
        dbus_bus_add_match(connection, rule, nil)
        defer { dbus_bus_remove_match(connection, rule, nil) }
        _ = try call(object, Self.promptInterface, "Prompt", [.text("")])
        let start = ContinuousClock.now
        while ContinuousClock.now - start < Self.promptTime {
            guard dbus_connection_read_write(connection, Self.promptPause) != 0 else { throw .unavailable }
            while let message = dbus_connection_pop_message(connection) {
                defer { dbus_message_unref(message) }
                guard dbus_message_is_signal(message, Self.promptInterface, "Completed") != 0,
                    dbus_message_has_path(message, object) != 0
                else { continue }
                guard Self.values(of: message).first == .flag(false) else { throw .locked }
                return
            }
        }
        throw .locked
    }

    private static func values(of message: OpaquePointer) -> [BusValue] {
        var source = DBusMessageIter()
        guard dbus_message_iter_init(message, &source) != 0 else { return [] }
        return BusValue.all(from: &source)
    }
}
