import CDBus
import Glibc

/// A value in a D-Bus message, of the types that keyrings, notification servers, network managers and logind use.
/// Source: D-Bus Specification 0.43, "Type System".
package indirect enum BusValue: Hashable, Sendable {
    case text(String)
    case path(String)
    case flag(Bool)
    case byte(UInt8)
    case integer(Int32)
    case number(UInt32)
    case bytes([UInt8])
    /// With the signature of one element.
    case list([BusValue], of: String)
    /// With strings as keys, in their order, and the signature of one value, which is empty in a map that was read.
    case map([String: BusValue], of: String)
    case variant(BusValue)
    case record([BusValue])
    case file(BusFile)
    /// Of a type that no answer to us has.
    case other

    /// A map of strings.
    package static func texts(_ texts: [String: String]) -> BusValue { .map(texts.mapValues { .text($0) }, of: "s") }

    /// The signature of its type.
    package var signature: String {
        switch self {
        case .text: "s"
        case .path: "o"
        case .flag: "b"
        case .byte: "y"
        case .integer: "i"
        case .number: "u"
        case .bytes: "ay"
        case .list(_, let element): "a" + element
        case .map(_, let value): "a{s\(value)}"
        case .variant: "v"
        case .record(let values): "(" + values.map(\.signature).joined() + ")"
        case .file: "h"
        case .other: ""
        }
    }
}

/// An open file that came with a message, or goes with one. It is closed with the last reference to it, also where
/// nobody looks at the message: anybody on the bus may send us files.
package final class BusFile: Hashable, Sendable {
    package let descriptor: Int32

    /// - Parameter descriptor: nobody else closes it.
    package init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    package static func == (left: BusFile, right: BusFile) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(descriptor) }
}

// Writing.
extension BusValue {
    /// - Returns: false when memory ran out, or the value is `other`.
    package func append(to target: inout DBusMessageIter) -> Bool {
        switch self {
        case .text(let text): return Self.append(text, bus_type_string, to: &target)
        case .path(let path): return Self.append(path, bus_type_object_path, to: &target)
        case .flag(let flag):
            var value: dbus_bool_t = flag ? 1 : 0
            return dbus_message_iter_append_basic(&target, bus_type_boolean, &value) != 0
        case .byte(var value): return dbus_message_iter_append_basic(&target, bus_type_byte, &value) != 0
        case .integer(var value): return dbus_message_iter_append_basic(&target, bus_type_int32, &value) != 0
        case .number(var value): return dbus_message_iter_append_basic(&target, bus_type_uint32, &value) != 0
        case .bytes(let bytes):
            return Self.contain(bus_type_array, "y", in: &target) { Self.append(bytes, to: &$0) }
        case .list(let values, let element):
            return Self.contain(bus_type_array, element, in: &target) { Self.append(values, to: &$0) }
        case .map(let values, let element):
            return Self.contain(bus_type_array, "{s\(element)}", in: &target) { Self.append(values, to: &$0) }
        case .variant(let value):
            return Self.contain(bus_type_variant, value.signature, in: &target) { value.append(to: &$0) }
        case .record(let values):
            return Self.contain(bus_type_struct, in: &target) { Self.append(values, to: &$0) }
        case .file(let file):
            var value = file.descriptor
            return dbus_message_iter_append_basic(&target, bus_type_unix_fd, &value) != 0
        case .other: return false
        }
    }

    private static func append(_ text: String, _ type: Int32, to target: inout DBusMessageIter) -> Bool {
        text.withCString { start in
            var pointer: UnsafePointer<CChar>? = start
            return dbus_message_iter_append_basic(&target, type, &pointer) != 0
        }
    }

    private static func append(_ bytes: [UInt8], to target: inout DBusMessageIter) -> Bool {
        for byte in bytes {
            var value = byte
            guard dbus_message_iter_append_basic(&target, bus_type_byte, &value) != 0 else { return false }
        }
        return true
    }

    private static func append(_ values: [BusValue], to target: inout DBusMessageIter) -> Bool {
        for value in values {
            guard value.append(to: &target) else { return false }
        }
        return true
    }

    private static func append(_ values: [String: BusValue], to target: inout DBusMessageIter) -> Bool {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let isWritten = Self.contain(bus_type_dict_entry, in: &target) { entry in
                Self.append(key, bus_type_string, to: &entry) && value.append(to: &entry)
            }
            guard isWritten else { return false }
        }
        return true
    }

    /// - Parameter signature: of the contents, where the container's type does not define it.
    private static func contain(
        _ type: Int32, _ signature: String, in target: inout DBusMessageIter, _ fill: (inout DBusMessageIter) -> Bool
    ) -> Bool {
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&target, type, signature, &inner) != 0 else { return false }
        let isFilled = fill(&inner)
        return dbus_message_iter_close_container(&target, &inner) != 0 && isFilled
    }

    private static func contain(
        _ type: Int32, in target: inout DBusMessageIter, _ fill: (inout DBusMessageIter) -> Bool
    ) -> Bool {
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&target, type, nil, &inner) != 0 else { return false }
        let isFilled = fill(&inner)
        return dbus_message_iter_close_container(&target, &inner) != 0 && isFilled
    }
}

// Reading. Total: values of other types become `other`. A message nests at most 64 levels.
extension BusValue {
    /// All values from here to the end of their container.
    package static func all(from source: inout DBusMessageIter) -> [BusValue] {
        var values: [BusValue] = []
        while dbus_message_iter_get_arg_type(&source) != bus_type_invalid {
            values.append(BusValue(at: &source))
            dbus_message_iter_next(&source)
        }
        return values
    }

    private init(at source: inout DBusMessageIter) {
        switch dbus_message_iter_get_arg_type(&source) {
        case bus_type_string: self = .text(Self.text(at: &source))
        case bus_type_object_path: self = .path(Self.text(at: &source))
        case bus_type_boolean:
            var value: dbus_bool_t = 0
            dbus_message_iter_get_basic(&source, &value)
            self = .flag(value != 0)
        case bus_type_array where dbus_message_iter_get_element_type(&source) == bus_type_byte:
            self = .bytes(Self.inside(&source).compactMap(\.byte))
        case bus_type_array where dbus_message_iter_get_element_type(&source) == bus_type_dict_entry:
            self = Self.map(at: &source)
        // Only as an element of a map, whose key and value stand in it.
        case bus_type_dict_entry: self = .record(Self.inside(&source))
        case bus_type_array: self = .list(Self.inside(&source), of: "")
        case bus_type_struct: self = .record(Self.inside(&source))
        case bus_type_variant: self = .variant(Self.inside(&source).first ?? .other)
        case bus_type_byte:
            var value: UInt8 = 0
            dbus_message_iter_get_basic(&source, &value)
            self = .byte(value)
        case bus_type_int32:
            var value: Int32 = 0
            dbus_message_iter_get_basic(&source, &value)
            self = .integer(value)
        case bus_type_uint32:
            var value: UInt32 = 0
            dbus_message_iter_get_basic(&source, &value)
            self = .number(value)
        case bus_type_unix_fd:
            var value: Int32 = -1
            dbus_message_iter_get_basic(&source, &value)
            self = value >= 0 ? .file(BusFile(owning: value)) : .other
        default: self = .other
        }
    }

    private static func map(at source: inout DBusMessageIter) -> BusValue {
        var values: [String: BusValue] = [:]
        for case .record(let entry) in inside(&source) {
            guard entry.count == 2, case .text(let key) = entry[0] else { return .other }
            values[key] = entry[1]
        }
        return .map(values, of: "")
    }

    private var byte: UInt8? {
        guard case .byte(let byte) = self else { return nil }
        return byte
    }

    private static func text(at source: inout DBusMessageIter) -> String {
        var start: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&source, &start)
        return start.map { String(cString: $0) } ?? ""
    }

    private static func inside(_ source: inout DBusMessageIter) -> [BusValue] {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&source, &inner)
        return all(from: &inner)
    }
}
