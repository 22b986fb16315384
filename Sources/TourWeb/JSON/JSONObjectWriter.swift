/// Writes one JSON object piece by piece, without building it first. A general encoder takes ten times as long, which
/// matters for messages: each is written once for every reader.
struct JSONObjectWriter {
    private(set) var bytes: [UInt8]
    private var isEmpty = true

    /// - Parameter prefix: what the object is appended to.
    init(after prefix: consuming [UInt8] = []) {
        bytes = prefix
        bytes.append(UInt8(ascii: "{"))
    }

    /// The object's end, and all that was written.
    consuming func end() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    mutating func text(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { JSON.encode(value.utf8, into: &bytes) } else { bytes += "null".utf8 }
    }

    mutating func number(_ name: StaticString, _ value: some BinaryInteger) {
        key(name)
        bytes += String(value).utf8
    }

    mutating func flag(_ name: StaticString, _ value: Bool) {
        key(name)
        bytes += (value ? "true" : "false").utf8
    }

    mutating func object(_ name: StaticString, _ write: (inout JSONObjectWriter) -> Void) {
        key(name)
        let outer = bytes
        bytes = []
        var inner = JSONObjectWriter(after: outer)
        write(&inner)
        bytes = inner.end()
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
