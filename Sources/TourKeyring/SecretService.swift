import TourBus
import TourCrypto
import TourModel

/// Keys in the keyring of the user's session. Source: Secret Service API 0.2, freedesktop.org; of its ways to
/// transfer a secret the plain one, since the bus is a private socket of this user.
package enum SecretService {
    private static let service = "org.freedesktop.secrets"
    private static let root = "/org/freedesktop/secrets"
    private static let serviceInterface = "org.freedesktop.Secret.Service"
    private static let collectionInterface = "org.freedesktop.Secret.Collection"
    private static let itemInterface = "org.freedesktop.Secret.Item"
    /// The path that means no object.
    private static let none = "/"

    /// Whether there is a session with a keyring.
    package static var isPresent: Bool { (try? SessionBus(service: service)) != nil }

    /// Stores a key under an id of ours, replacing an existing one, and reads it back.
    /// - Parameter mayAsk: whether the user may be asked to unlock the keyring.
    package static func keep(_ key: SecretBytes, id: [UInt8], mayAsk: Bool) throws(KeyringError) {
        let bus = try SessionBus(service: service)
        let collection = try path(in: try bus.call(root, serviceInterface, "ReadAlias", [.text("default")]), at: 0)
        guard collection != none else { throw .unavailable }
        try unlock(collection, bus, mayAsk: mayAsk)
        let properties: [String: BusValue] = [
            "org.freedesktop.Secret.Item.Label": .variant(.text("tour-chat: key to the stored messages")),
            "org.freedesktop.Secret.Item.Attributes": .variant(attributes(id)),
        ]
        let secret = BusValue.record([
            .path(try session(bus)), .bytes([]), .bytes(key.exposedCopy()), .text("application/octet-stream"),
        ])
        let answer = try bus.call(
            collection, collectionInterface, "CreateItem", [.map(properties, of: "v"), secret, .flag(true)])
        try answerPrompt(try path(in: answer, at: 1), bus, mayAsk: mayAsk)
        guard try self.key(id: id, bus, mayAsk: mayAsk) == key else { throw .failed("another key came back") }
    }

    /// - Throws: also `missing`.
    package static func key(id: [UInt8], mayAsk: Bool) throws(KeyringError) -> SecretBytes {
        try key(id: id, SessionBus(service: service), mayAsk: mayAsk)
    }

    /// Removes the key under this id.
    package static func forget(id: [UInt8], mayAsk: Bool) throws(KeyringError) {
        let bus = try SessionBus(service: service)
        for item in try items(id, bus).all {
            let answer = try bus.call(item, itemInterface, "Delete", [])
            try answerPrompt(try path(in: answer, at: 0), bus, mayAsk: mayAsk)
        }
    }

    private static func key(id: [UInt8], _ bus: SessionBus, mayAsk: Bool) throws(KeyringError) -> SecretBytes {
        let found = try items(id, bus)
        guard let item = found.all.first else { throw .missing }
        if found.unlocked.isEmpty { try unlock(item, bus, mayAsk: mayAsk) }
        let answer = try bus.call(item, itemInterface, "GetSecret", [.path(try session(bus))])
        guard case .record(let secret)? = answer.first, secret.count == 4, case .bytes(var bytes) = secret[2],
            bytes.count == Seal.keyBytes
        else { throw .failed("no key in the answer") }
        return SecretBytes(taking: &bytes)
    }

    private static func session(_ bus: SessionBus) throws(KeyringError) -> String {
        try path(
            in: try bus.call(root, serviceInterface, "OpenSession", [.text("plain"), .variant(.text(""))]), at: 1)
    }

    private struct Found {
        var unlocked: [String]
        var locked: [String]

        var all: [String] { unlocked + locked }
    }

    private static func items(_ id: [UInt8], _ bus: SessionBus) throws(KeyringError) -> Found {
        let answer = try bus.call(root, serviceInterface, "SearchItems", [attributes(id)])
        guard answer.count == 2 else { throw .failed("no search result in the answer") }
        return Found(unlocked: paths(in: answer[0]), locked: paths(in: answer[1]))
    }

    private static func unlock(_ object: String, _ bus: SessionBus, mayAsk: Bool) throws(KeyringError) {
        let answer = try bus.call(root, serviceInterface, "Unlock", [.list([.path(object)], of: "o")])
        try answerPrompt(try path(in: answer, at: 1), bus, mayAsk: mayAsk)
    }

    private static func answerPrompt(_ prompt: String, _ bus: SessionBus, mayAsk: Bool) throws(KeyringError) {
        guard prompt != none else { return }
        guard mayAsk else { throw .locked }
        try bus.prompt(prompt)
    }

    private static func attributes(_ id: [UInt8]) -> BusValue {
        .texts(["xdg:schema": "tour-chat.StorageKey", "id": Hex.encode(id)])
    }

    private static func path(in answer: [BusValue], at index: Int) throws(KeyringError) -> String {
        guard answer.indices.contains(index), case .path(let path) = answer[index] else {
            throw .failed("no object in the answer")
        }
        return path
    }

    private static func paths(in value: BusValue) -> [String] {
        guard case .list(let values, _) = value else { return [] }
        return values.compactMap { value in
            guard case .path(let path) = value else { return nil }
            return path
        }
    }
}
