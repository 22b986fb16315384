import Testing
import TourBus
import TourHotspot

/// Counts up: the same names each time.
private struct Counter: RandomNumberGenerator {
    var last: UInt64 = 0

    mutating func next() -> UInt64 {
        last &+= 0x9E37_79B9_7F4A_7C15
        return last
    }
}

/// Goal: a network has a name and a password that devices can use, and a camera reads both as they are.
/// Method: what is asked for, and the texts that come of it.
@Suite struct HotspotTests {
    private static let password = "abcd-efgh-jkmn"

    @Test func theCodeHoldsNameAndPassword() throws {
        let hotspot = try Hotspot(name: "Tour Otter Maple", password: Self.password)
        #expect(hotspot.codeText == "WIFI:T:WPA;S:Tour Otter Maple;P:abcd-efgh-jkmn;;")
        let strong = try Hotspot(name: "Tour", password: Self.password, security: .wpa3)
        #expect(strong.codeText == "WIFI:T:WPA;S:Tour;P:abcd-efgh-jkmn;;")
    }

    @Test func whatHasAMeaningInTheCodeIsEscaped() throws {
        let hotspot = try Hotspot(name: #"A;B:C,D"E\F"#, password: #"\;,:"'$ `x"#)
        #expect(hotspot.codeText == #"WIFI:T:WPA;S:A\;B\:C\,D\"E\\F;P:\\\;\,\:\"'$ `x;;"#)
    }

    @Test(arguments: ["a", "Grüße", "旅", "12345678901234567890123456789012", " x "])
    func namesThatDevicesShow(name: String) throws {
        #expect(try Hotspot(name: name, password: Self.password).name == name)
    }

    @Test(arguments: ["", " ", "123456789012345678901234567890123", "ünfzehn Umlaute: üüüüüüüü", "a\u{0}b", "a\nb"])
    func namesThatNoDeviceShows(name: String) {
        #expect(throws: HotspotError.badName) { try Hotspot(name: name, password: Self.password) }
    }

    @Test func passwordsAreAsWPAHasThem() throws {
        for count in [8, 63] {
            let password = String(repeating: "~", count: count)
            #expect(try Hotspot(name: "Tour", password: password).password == password)
        }
        for count in [0, 7, 64] {
            #expect(throws: HotspotError.passwordLength) {
                try Hotspot(name: "Tour", password: String(repeating: " ", count: count))
            }
        }
        for password in ["grüßegrüße", "tab\tulator", "emoji 🦆🦆🦆", "null\u{0}null"] {
            #expect(throws: HotspotError.passwordLetters) { try Hotspot(name: "Tour", password: password) }
        }
    }

    @Test func whatIsMadeUpCanBeUsedAndTyped() throws {
        var generator = SystemRandomNumberGenerator()
        var names: Set<String> = [], passwords: Set<String> = [], addresses: Set<String> = []
        for _ in 0..<500 {
            let hotspot = try HotspotOrder().hotspot(after: nil, using: &generator)
            let address = try #require(hotspot.network?.address)
            #expect(address.wholeMatch(of: /10\.\d+\.\d+\.1/) != nil && address != "10.42.0.1")
            addresses.insert(address)
            #expect(hotspot.name.wholeMatch(of: /Tour [A-Z][a-z]+ [A-Z][a-z]+/) != nil)
            #expect(hotspot.password.wholeMatch(of: /[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){2}/) != nil)
            names.insert(hotspot.name)
            passwords.insert(hotspot.password)
        }
        #expect(names.count > 450 && passwords.count == 500 && addresses.count > 450)
    }

    @Test func whatIsNotSaidStaysAsItWas() throws {
        var generator = Counter()
        let network = HotspotNetwork(using: &generator)
        let known = try Hotspot(
            name: "Before", password: Self.password, band: .fast, security: .wpa3, network: network)
        func expect(
            _ order: HotspotOrder, _ name: String, _ password: String = Self.password, band: Hotspot.Band = .wide
        ) throws {
            let wanted = try Hotspot(name: name, password: password, band: band, network: network)
            #expect(try order.hotspot(after: known, using: &generator) == wanted)
        }
        try expect(HotspotOrder(), "Before")
        try expect(HotspotOrder(name: "After", band: .fast), "After", band: .fast)
        try expect(HotspotOrder(password: "12345678"), "Before", "12345678")
        #expect(throws: HotspotError.passwordLength) {
            try HotspotOrder(password: "1234567").hotspot(after: known, using: &generator)
        }
    }
}

/// Goal: the card that serves is the one that leaves least for it, and where none can, the reason helps.
/// Method: machines with cards of all kinds.
@Suite struct WirelessCardTests {
    private static let able: WirelessCard.Abilities = [.ccmp, .rsn, .accessPoint]

    private static func card(
        _ interface: String, _ abilities: WirelessCard.Abilities = able, state: UInt32 = 30,
        connection: String? = nil
    ) -> WirelessCard {
        WirelessCard(
            path: "/cards/\(interface)", interface: interface, abilities: abilities, state: state,
            connection: connection)
    }

    private static func chosen(
        _ cards: [WirelessCard], _ band: Hotspot.Band = .wide, ours: String? = nil
    ) -> Result<String, HotspotError> {
        Result { () throws(HotspotError) in
            try WirelessCard.choose(from: cards, for: band, ours: ours).interface
        }
    }

    @Test func aFreeCardGoesBeforeOneInANetwork() {
        let linked = Self.card("wlan0", state: 100, connection: "/hotel")
        #expect(Self.chosen([linked, Self.card("wlan2"), Self.card("wlan1")]) == .success("wlan1"))
        #expect(Self.chosen([linked]) == .success("wlan0"))
        #expect(Self.chosen([Self.card("wlan1"), linked], ours: "/hotel") == .success("wlan0"))
    }

    @Test func whatIsMissingIsSaid() {
        #expect(Self.chosen([]) == .failure(.noCard))
        #expect(Self.chosen([Self.card("wlan0", state: 10)]) == .failure(.notManaged("wlan0")))
        #expect(Self.chosen([Self.card("wlan0", state: 20)]) == .failure(.notReady("wlan0")))
        #expect(Self.chosen([Self.card("wlan0", [.ccmp, .rsn])]) == .failure(.cannotServe("wlan0")))
        #expect(Self.chosen([Self.card("wlan0", [.accessPoint])]) == .failure(.cannotServe("wlan0")))
    }

    @Test func fiveGigahertzTakesACardThatHasIt() {
        let slow = Self.card("wlan0", Self.able.union(.knowsFrequencies))
        let fast = Self.card("wlan1", Self.able.union([.knowsFrequencies, .fiveGigahertz]), connection: "/hotel")
        #expect(Self.chosen([slow, fast]) == .success("wlan0"))
        #expect(Self.chosen([slow, fast], .fast) == .success("wlan1"))
        #expect(Self.chosen([slow], .fast) == .failure(.noFiveGigahertz("wlan0")))
        // A driver that says nothing about frequencies is tried.
        #expect(Self.chosen([Self.card("wlan2")], .fast) == .success("wlan2"))
    }

    @Test func theReasonOfAFailedStart() throws {
        let usual = try Hotspot(name: "T", password: "abcd-efgh")
        let fast = try Hotspot(name: "T", password: "abcd-efgh", band: .fast, security: .wpa3)
        let strong = try Hotspot(name: "T", password: "abcd-efgh", security: .wpa3)
        #expect(StartFailure.cause(nil, of: usual) == .card)
        #expect(StartFailure.cause(10, of: usual) == .card)
        #expect(StartFailure.cause(10, of: fast) == .fiveGigahertz)
        #expect(StartFailure.cause(10, of: strong) == .wpa3)
        #expect(StartFailure.cause(18, of: fast) == .sharing)
        #expect(StartFailure.cause(39, of: usual) == .ended)
    }
}
