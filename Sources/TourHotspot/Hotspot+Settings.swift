import TourBus

// As NetworkManager keeps it. Source: NetworkManager 1.42, nm-settings-dbus(5).
extension Hotspot {
    /// Names the only profile that this program makes, on each machine.
    package static let profileID = "6f0c1f5e-52a8-4c1b-9d57-0a4f2f6b7c11"
    private static let profileName = "Tour Chat"
    static let wireless = "802-11-wireless"
    /// Where the profile says `pageName`: the package's file for NetworkManager's dispatcher reads it there.
    private static let pageNameKey = "tour-chat.page"
    private static let addressesKey = "address-data", addressKey = "address"
    static let wirelessSecurity = "802-11-wireless-security"

    /// The settings of a profile that serves this network, and starts only when it is told to. The password is kept by
    /// NetworkManager itself, for root alone to read.
    package var settings: BusValue {
        var security: [String: BusValue] = [
            "psk": .text(password), "psk-flags": .number(0), "proto": .list([.text("rsn")], of: "s"),
            "pairwise": .list([.text("ccmp")], of: "s"), "group": .list([.text("ccmp")], of: "s"),
        ]
        switch self.security {
        case .wpa2: security["key-mgmt"] = .text("wpa-psk")
        case .wpa3:
            security["key-mgmt"] = .text("sae")
            // WPA3 asks for protected management frames: 3 is "required".
            security["pmf"] = .integer(3)
        }
        var groups: [String: [String: BusValue]] = [
            "connection": [
                "id": .text(Self.profileName), "uuid": .text(Self.profileID), "type": .text(Self.wireless),
                "autoconnect": .flag(false),
            ],
            Self.wireless: [
                "ssid": .bytes(Array(name.utf8)), "mode": .text("ap"), "band": .text(band == .wide ? "bg" : "a"),
            ],
            Self.wirelessSecurity: security,
            // Gives those who come an address, and the way to the internet where this machine has one.
            "ipv4": ["method": .text("shared")].merging(addresses) { $1 },
            // Enough for nodes, which find each other by addresses of the link.
            "ipv6": ["method": .text("link-local")],
        ]
        if let pageName { groups["user"] = ["data": .map([Self.pageNameKey: .text(pageName)], of: "s")] }
        return .map(groups.mapValues { .map($0.mapValues { .variant($0) }, of: "v") }, of: "a{sv}")
    }

    private var addresses: [String: BusValue] {
        guard let network else { return [:] }
        let own: [String: BusValue] = [
            Self.addressKey: .variant(.text(network.address)),
            "prefix": .variant(.number(HotspotNetwork.prefixBits)),
        ]
        return [Self.addressesKey: .list([.map(own, of: "v")], of: "a{sv}")]
    }

    /// What a profile says that NetworkManager has.
    /// - Returns: nil where something that belongs to it is missing.
    package init?(settings: BusValue, secrets: BusValue?) {
        guard case .bytes(let ssid)? = settings[Self.wireless]?["ssid"],
            case .text(let password)? = secrets?[Self.wirelessSecurity]?["psk"]
        else { return nil }
        let security: Security = settings[Self.wirelessSecurity]?["key-mgmt"] == .text("sae") ? .wpa3 : .wpa2
        let band: Band = settings[Self.wireless]?["band"] == .text("a") ? .fast : .wide
        let name = String(decoding: ssid, as: UTF8.self)
        var pageName: String?
        if case .text(let page)? = settings["user"]?["data"]?[Self.pageNameKey] { pageName = page }
        var network: HotspotNetwork?
        if case .list(let own, _)? = settings["ipv4"]?[Self.addressesKey],
            case .text(let address)? = own.first?[Self.addressKey]
        {
            network = HotspotNetwork(address: address)
        }
        let read = try? Hotspot(
            name: name, password: password, band: band, security: security, pageName: pageName, network: network)
        guard let known = read else { return nil }
        self = known
    }
}

extension BusValue {
    /// A value of a map, without the variant around it.
    subscript(key: String) -> BusValue? {
        guard case .map(let values, _) = self else { return nil }
        return values[key]?.inside
    }

    /// Without the variant around it.
    var inside: BusValue {
        guard case .variant(let value) = self else { return self }
        return value
    }
}
