import CDBus
import Glibc

/// Our own connection to a bus. Calls block, for a bounded time; use from one thread at a time.
package final class BusConnection {
    /// Which bus.
    package enum Bus: Sendable {
        /// Of the user's session: programs of this user.
        case session
        /// Of the machine: its services.
        case system
    }

    private let connection: OpaquePointer

    /// - Throws: `unavailable`, `noLibrary`.
    package init(_ bus: Bus = .session) throws(BusError) {
        // Without an address the library would start a bus for the session.
        guard bus == .system || Self.isThere else { throw .unavailable }
        guard BusLibrary.isLoaded else { throw .noLibrary }
        let kind = bus == .session ? DBUS_BUS_SESSION : DBUS_BUS_SYSTEM
        guard let connection = dbus_bus_get_private(kind, nil) else { throw .unavailable }
        self.connection = connection
        // Otherwise the library would end the process with the bus.
        dbus_connection_set_exit_on_disconnect(connection, 0)
    }

    deinit {
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }

    /// Whether this process is in a session with a bus.
    package static var isThere: Bool { getenv("DBUS_SESSION_BUS_ADDRESS").map { $0.pointee != 0 } ?? false }

    /// Whether the machine seems to have a bus. Asked first where nobody waits for it: connecting loads the library.
    package static var isOnMachine: Bool {
        getenv("DBUS_SYSTEM_BUS_ADDRESS") != nil || access("/run/dbus/system_bus_socket", F_OK) == 0
    }

    /// Whether a program on the bus owns this name.
    package func hasOwner(of service: String) -> Bool { dbus_bus_name_has_owner(connection, service, nil) != 0 }

    /// From here on `signals` returns matching signals. Source: D-Bus Specification 0.43, "Match Rules".
    package func watch(_ rule: String) { dbus_bus_add_match(connection, rule, nil) }

    /// Ends a `watch` with the same rule.
    package func unwatch(_ rule: String) { dbus_bus_remove_match(connection, rule, nil) }

    /// One call and its answer.
    /// - Throws: `failed`, `unavailable` where no program owns the service's name.
    package func call(
        _ target: BusObject, _ method: String, _ arguments: [BusValue], milliseconds: Int32
    ) throws(BusError) -> [BusValue] {
        guard
            let message = dbus_message_new_method_call(target.service, target.path, target.interface, method)
        else { throw .failed("no memory") }
        defer { dbus_message_unref(message) }
        var place = DBusMessageIter()
        dbus_message_iter_init_append(message, &place)
        for argument in arguments {
            guard argument.append(to: &place) else { throw .failed("no memory") }
        }
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let reply = dbus_connection_send_with_reply_and_block(connection, message, milliseconds, &error) else {
            throw Self.refusal(error.name.map { String(cString: $0) } ?? "no answer")
        }
        defer { dbus_message_unref(reply) }
        return Self.values(of: reply)
    }

    private static func refusal(_ name: String) -> BusError {
        let prefix = "org.freedesktop.DBus.Error."
        let isAway = [prefix + "ServiceUnknown", prefix + "NameHasNoOwner", prefix + "Disconnected"].contains(name)
        return isAway ? .unavailable : .failed(name)
    }

    /// The signals received since the last call, oldest first.
    /// - Parameter milliseconds: how long to wait where there is none yet.
    /// - Throws: `unavailable` once the bus has gone and all signals were returned.
    package func signals(waiting milliseconds: Int32) throws(BusError) -> [BusSignal] {
        let isUp = dbus_connection_read_write(connection, milliseconds) != 0
        var signals: [BusSignal] = []
        while let message = dbus_connection_pop_message(connection) {
            defer { dbus_message_unref(message) }
            // The library's own signals about its connection are left out.
            if let signal = Self.signal(in: message), signal.interface != "org.freedesktop.DBus.Local" {
                signals.append(signal)
            }
        }
        guard isUp || !signals.isEmpty else { throw .unavailable }
        return signals
    }

    /// Becomes readable when `signals` may have some; nil: the connection has none.
    package var descriptor: Int32? {
        var descriptor: Int32 = -1
        return dbus_connection_get_unix_fd(connection, &descriptor) != 0 ? descriptor : nil
    }

    private static func signal(in message: OpaquePointer) -> BusSignal? {
        guard dbus_message_get_type(message) == bus_message_type_signal, let path = dbus_message_get_path(message),
            let interface = dbus_message_get_interface(message), let name = dbus_message_get_member(message)
        else { return nil }
        return BusSignal(
            path: String(cString: path), interface: String(cString: interface), name: String(cString: name),
            values: values(of: message))
    }

    private static func values(of message: OpaquePointer) -> [BusValue] {
        var source = DBusMessageIter()
        guard dbus_message_iter_init(message, &source) != 0 else { return [] }
        return BusValue.all(from: &source)
    }
}

/// One interface of an object on the bus, for calls. All names must be our own constants or come from the bus: the
/// library ends the process at an invalid name.
package struct BusObject: Hashable, Sendable {
    /// The bus name of the program.
    package let service: String
    /// The object's path.
    package let path: String
    /// The interface's name.
    package let interface: String

    package init(service: String, path: String, interface: String) {
        self.service = service
        self.path = path
        self.interface = interface
    }
}

/// A signal that a program sent to the bus.
package struct BusSignal: Hashable, Sendable {
    /// The path of the object that sent it.
    package let path: String
    /// The interface that declares it.
    package let interface: String
    /// Its name in the interface.
    package let name: String
    /// Its arguments.
    package let values: [BusValue]
}
