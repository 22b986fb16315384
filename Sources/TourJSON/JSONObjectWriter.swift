/// Writes one JSON object in pieces, without building it first. A general encoder takes ten times as long, which
/// matters for messages: each is written once for every reader.
package struct JSONObjectWriter {
    private var bytes: [UInt8] = []
    private var isEmpty = true

    private init() {}

    /// Appends one object with the members that `write` adds.
    package static func append(to bytes: inout [UInt8], _ write: (inout JSONObjectWriter) -> Void) {
        var object = JSONObjectWriter()
        // Swapped in and out, never shared: a shared array would be copied at the next byte.
        swap(&object.bytes, &bytes)
        object.bytes.append(UInt8(ascii: "{"))
        write(&object)
        object.bytes.append(UInt8(ascii: "}"))
        swap(&object.bytes, &bytes)
    }

    package mutating func text(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { JSON.encode(value.utf8, into: &bytes) } else { bytes += "null".utf8 }
    }

    package mutating func number(_ name: StaticString, _ value: some BinaryInteger) {
        key(name)
        bytes += String(value).utf8
    }

    /// - Parameter text: a JSON number.
    package mutating func number(_ name: StaticString, text: String) {
        key(name)
        bytes += text.utf8
    }

    package mutating func flag(_ name: StaticString, _ value: Bool) {
        key(name)
        bytes += (value ? "true" : "false").utf8
    }

    package mutating func texts(_ name: StaticString, _ values: [String]) {
        key(name)
        bytes.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSON.encode(value.utf8, into: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    package mutating func object(_ name: StaticString, _ write: (inout JSONObjectWriter) -> Void) {
        key(name)
        Self.append(to: &bytes, write)
    }

    private mutating func key(_ name: StaticString) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes += $0 }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }
}
