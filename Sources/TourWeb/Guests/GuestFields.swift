import Foundation
import TourJSON
import TourModel
import TourWords

/// The fields of a guest's request, each read as what it has to be. Fields that nobody asks for are ignored: the page
/// of another host may know more of them.
struct GuestFields {
    private let object: JSON

    /// - Throws: `bad-request` for anything but an object.
    init(_ json: JSON) throws(WebError) {
        guard case .object = json else { throw Self.wrong("op") }
        object = json
    }

    /// The field; nil where it is missing or null.
    private func value(_ name: String) -> JSON? {
        let value = object[name]
        return value == .null ? nil : value
    }

    func optionalText(_ name: String) throws(WebError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.text else { throw Self.wrong(name) }
        return text
    }

    func text(_ name: String) throws(WebError) -> String {
        guard let text = try optionalText(name) else { throw Self.wrong(name) }
        return text
    }

    func optionalNumber(_ name: String, in range: ClosedRange<Int>) throws(WebError) -> Int? {
        guard let value = value(name) else { return nil }
        guard let number = value.integer, range.contains(number) else { throw Self.wrong(name) }
        return number
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws(WebError) -> Int {
        guard let number = try optionalNumber(name, in: range) else { throw Self.wrong(name) }
        return number
    }

    /// Not a number, and what JSON has no way to write, is in no range.
    func optionalReal(_ name: String, in range: ClosedRange<Double>) throws(WebError) -> Double? {
        guard let value = value(name) else { return nil }
        guard let number = value.real, range.contains(number) else { throw Self.wrong(name) }
        return number
    }

    func flag(_ name: String) throws(WebError) -> Bool {
        guard let value = value(name) else { return false }
        guard let flag = value.flag else { throw Self.wrong(name) }
        return flag
    }

    /// Bytes as hexadecimal digits.
    func bytes(_ name: String, count: Int) throws(WebError) -> [UInt8] {
        guard let bytes = Hex.decode(try text(name)), bytes.count == count else { throw Self.wrong(name) }
        return bytes
    }

    /// The whole id of a message or member, in lower-case digits.
    func id(_ name: String) throws(WebError) -> String { Hex.encode(try bytes(name, count: Bytes32.count)) }

    func optionalID(_ name: String) throws(WebError) -> String? { value(name) == nil ? nil : try id(name) }

    /// The words of a choice, as the choice spells them.
    func choice(_ name: String, of known: [String]) throws(WebError) -> String {
        let word = try text(name)
        guard known.contains(word) else { throw Self.wrong(name) }
        return word
    }

    func object(_ name: String) throws(WebError) -> GuestFields {
        guard let value = value(name), case .object = value else { throw Self.wrong(name) }
        return try GuestFields(value)
    }

    /// Byte strings in base64, at most so many and so much.
    func byteStrings(_ name: String, countMax: Int, bytesMax: Int) throws(WebError) -> [[UInt8]] {
        guard let value = value(name) else { return [] }
        guard let list = value.list, list.count <= countMax else { throw Self.wrong(name) }
        var all = [[UInt8]]()
        var size = 0
        for entry in list {
            guard let text = entry.text, let bytes = Data(base64Encoded: text) else { throw Self.wrong(name) }
            size += bytes.count
            guard size <= bytesMax else { throw Self.wrong(name) }
            all.append(Array(bytes))
        }
        return all
    }

    /// Says of which field no sense can be made; nobody but the page's programmers reads it.
    static func wrong(_ field: String) -> WebError {
        WebError(
            "bad-request", Phrase("This device does not understand the page (\(field)). Load the page again."))
    }
}
