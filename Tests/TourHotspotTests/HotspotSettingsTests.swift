import Testing
import TourBus
import TourHotspot

/// Goal: NetworkManager is asked for what the user wants, and for nothing that starts by itself.
/// Method: the settings are looked into, and read back.
struct HotspotSettingsTests {
    private static func value(_ settings: BusValue, _ group: String, _ key: String) -> BusValue? {
        guard case .map(let groups, _) = settings, case .map(let values, _)? = groups[group],
            case .variant(let value)? = values[key]
        else { return nil }
        return value
    }

    /// As NetworkManager tells them: the password is asked for by itself.
    private static func told(_ settings: BusValue) -> (settings: BusValue, secrets: BusValue) {
        let security = "802-11-wireless-security"
        guard case .map(var groups, let signature) = settings, case .map(var values, let kind)? = groups[security]
        else { return (.other, .other) }
        let secret = values.removeValue(forKey: "psk")
        groups[security] = .map(values, of: kind)
        let secrets = secret.map { ["psk": $0] } ?? [:]
        return (.map(groups, of: signature), .map([security: .map(secrets, of: kind)], of: signature))
    }

    @Test func aNetworkByWPA2() throws {
        let settings = try Hotspot(name: "Grüße", password: "abcd-efgh").settings
        #expect(settings.signature == "a{sa{sv}}")
        #expect(Self.value(settings, "connection", "autoconnect") == .flag(false))
        #expect(Self.value(settings, "connection", "type") == .text("802-11-wireless"))
        #expect(Self.value(settings, "connection", "uuid") == .text(Hotspot.profileID))
        #expect(Self.value(settings, "802-11-wireless", "ssid") == .bytes(Array("Grüße".utf8)))
        #expect(Self.value(settings, "802-11-wireless", "mode") == .text("ap"))
        #expect(Self.value(settings, "802-11-wireless", "band") == .text("bg"))
        let security = "802-11-wireless-security"
        #expect(Self.value(settings, security, "key-mgmt") == .text("wpa-psk"))
        #expect(Self.value(settings, security, "proto") == .list([.text("rsn")], of: "s"))
        #expect(Self.value(settings, security, "pairwise") == .list([.text("ccmp")], of: "s"))
        #expect(Self.value(settings, security, "psk") == .text("abcd-efgh"))
        #expect(Self.value(settings, "ipv4", "method") == .text("shared"))
        #expect(Self.value(settings, "ipv6", "method") == .text("link-local"))
    }

    @Test func aNetworkByWPA3OnFiveGigahertz() throws {
        let settings = try Hotspot(name: "T", password: "abcd-efgh", band: .fast, security: .wpa3).settings
        #expect(Self.value(settings, "802-11-wireless", "band") == .text("a"))
        #expect(Self.value(settings, "802-11-wireless-security", "key-mgmt") == .text("sae"))
        #expect(Self.value(settings, "802-11-wireless-security", "pmf") == .integer(3))
    }

    /// Where the package's file for NetworkManager's dispatcher looks for it.
    @Test func theNameOfThePageIsInTheProfile() throws {
        let hotspot = try Hotspot(name: "T", password: "abcd-efgh", pageName: "guide.tours.test")
        let data = BusValue.map(["tour-chat.page": .text("guide.tours.test")], of: "s")
        #expect(hotspot.settings.signature == "a{sa{sv}}")
        #expect(Self.value(hotspot.settings, "user", "data") == data)
        let (settings, secrets) = Self.told(hotspot.settings)
        #expect(Hotspot(settings: settings, secrets: secrets) == hotspot)
        #expect(Self.value(try Hotspot(name: "T", password: "abcd-efgh").settings, "user", "data") == nil)
    }

    @Test func theProfileHasAddressesOfItsOwn() throws {
        var generator = SystemRandomNumberGenerator()
        let hotspot = try HotspotOrder().hotspot(after: nil, using: &generator)
        let address = try #require(hotspot.network?.address)
        let own = BusValue.map(["address": .variant(.text(address)), "prefix": .variant(.number(24))], of: "v")
        #expect(hotspot.settings.signature == "a{sa{sv}}")
        #expect(Self.value(hotspot.settings, "ipv4", "address-data") == .list([own], of: "a{sv}"))
        let (settings, secrets) = Self.told(hotspot.settings)
        #expect(Hotspot(settings: settings, secrets: secrets) == hotspot)
    }

    /// A person may have changed the profile, to anything.
    @Test(arguments: [
        "10.42.0.1", "10.100.7.2", "10.100.0.1", "10.100.7", "10.100.7.1.1", "10.+100.7.1", "10.0100.7.1", "11.100.7.1",
        "fd00::1", "", " 10.100.7.1", "10.256.7.1",
    ])
    func addressesOfSomebodyElseAreNotKept(address: String) throws {
        let name = try Hotspot(name: "T", password: "abcd-efgh")
        guard case .map(var groups, let signature) = name.settings else { return }
        let own = BusValue.map(["address": .variant(.text(address)), "prefix": .variant(.number(24))], of: "v")
        groups["ipv4"] = .map(["address-data": .variant(.list([own], of: "a{sv}"))], of: "v")
        let (settings, secrets) = Self.told(.map(groups, of: signature))
        #expect(try #require(Hotspot(settings: settings, secrets: secrets)).network == nil)
    }

    @Test(arguments: Hotspot.Band.allCases, Hotspot.Security.allCases)
    func aProfileIsReadBack(band: Hotspot.Band, security: Hotspot.Security) throws {
        let hotspot = try Hotspot(name: "A;ü", password: #"\;,:"' x"#, band: band, security: security)
        let (settings, secrets) = Self.told(hotspot.settings)
        #expect(Hotspot(settings: settings, secrets: secrets) == hotspot)
        #expect(Hotspot(settings: settings, secrets: nil) == nil)
        #expect(Hotspot(settings: .other, secrets: secrets) == nil)
    }
}
