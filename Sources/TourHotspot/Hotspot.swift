/// A network that this machine serves, as it is asked for.
package struct Hotspot: Hashable, Sendable {
    /// The frequencies on which it is served.
    package enum Band: String, Hashable, Sendable, CaseIterable {
        /// 2.4 GHz: reaches further, and each device has it.
        case wide = "2.4"
        /// 5 GHz: faster, where the card has it and the country allows it.
        case fast = "5"
    }

    /// How those who come prove that they know the password.
    package enum Security: String, Hashable, Sendable, CaseIterable {
        case wpa2, wpa3
    }

    /// The name that devices show, which members pick.
    package let name: String
    /// What members type.
    package let password: String
    package let band: Band
    package let security: Security
    /// A name for which this machine answers in the network, beside those by which phones look for the internet: that
    /// of the page for guests by https; nil: there is none.
    package let pageName: String?
    /// nil: NetworkManager's own choice, as profiles had it that an earlier version made.
    package let network: HotspotNetwork?

    /// The most that a name may have. Source: IEEE 802.11, "SSID element".
    package static let nameBytesMax = 32
    /// Source: IEEE 802.11, "Passphrase-to-PSK mapping".
    package static let passwordLength = 8...63

    /// - Throws: `badName`, `passwordLength`, `passwordLetters`.
    package init(
        name: String, password: String, band: Band = .wide, security: Security = .wpa2, pageName: String? = nil,
        network: HotspotNetwork? = nil
    ) throws(HotspotError) {
        let isControl = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard (1...Self.nameBytesMax).contains(name.utf8.count), !isControl, name.contains(where: { $0 != " " })
        else { throw .badName }
        guard password.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw .passwordLetters }
        guard Self.passwordLength.contains(password.utf8.count) else { throw .passwordLength }
        self.name = name
        self.password = password
        self.band = band
        self.security = security
        self.pageName = pageName
        self.network = network
    }

    /// What a camera reads: the network with its password, so that nobody has to type it. Phones know it for both
    /// kinds of security under the same letters. Source: ZXing, "Barcode Contents", and Wi-Fi Alliance, WPA3
    /// Specification, section 7.
    package var codeText: String { "WIFI:T:WPA;S:\(Self.escaped(name));P:\(Self.escaped(password));;" }

    /// With a backslash in front of each letter that has a meaning there.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if "\\;,:\"".unicodeScalars.contains(scalar) { escaped.unicodeScalars.append("\\") }
            escaped.unicodeScalars.append(scalar)
        }
        return escaped
    }
}
