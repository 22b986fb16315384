import TourAPI
import TourHotspot
import TourWords

extension HotspotError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .noLibrary:
            Phrase("What asks for networks cannot be loaded: install libdbus-1.so.3 (Debian: libdbus-1-3).")
        case .noManager:
            Phrase("NetworkManager, which would serve the network, does not run here. A phone’s hotspot does as well.")
        case .managerGone: Phrase("NetworkManager ended in the middle. Try again, or use a phone’s hotspot.")
        case .refused:
            Phrase(
                """
                This machine does not let tour-chat change its networks. Whoever sits at it may: start the node \
                there, or ask who administers it. A phone’s hotspot does as well.
                """)
        case .noCard: Phrase("This machine has no Wi-Fi card. Plug one in, or use a phone’s hotspot.")
        case .wifiOff(bySwitch: true): Phrase("Wi-Fi is switched off on the device: use its switch or key.")
        case .wifiOff(bySwitch: false): Phrase("Wi-Fi is off: turn it on in the settings of the network.")
        case .notManaged(let interface):
            Phrase("NetworkManager does not run \(interface). Let it run the card, or use a phone’s hotspot.")
        case .notReady(let interface):
            Phrase("\(interface) is not ready: it is blocked, or its firmware is not installed.")
        case .cannotServe(let interface):
            Phrase("\(interface) can join networks, but serve none. Plug another card in, or use a phone’s hotspot.")
        case .noFiveGigahertz(let interface):
            Phrase("\(interface) has no 5 GHz. Use 2.4 GHz, which each device has.")
        case .notStarted(let cause, let interface): Self.phrase(cause, interface)
        case .badName: Phrase("The name of a network has 1 to \(Hotspot.nameBytesMax) bytes, and one line.")
        case .passwordLength:
            Phrase(
                """
                The password of a network has \(Hotspot.passwordLength.lowerBound) to \
                \(Hotspot.passwordLength.upperBound) letters.
                """)
        case .passwordLetters:
            Phrase("The password of a network has letters, digits and signs that each keyboard has: no accents.")
        case .failed(let name): Phrase("NetworkManager failed (\(name)).")
        }
    }

    private static func phrase(_ cause: Cause, _ interface: String) -> Phrase {
        switch cause {
        case .card:
            Phrase("\(interface) could not begin to serve a network. Plug another card in, or use a phone’s hotspot.")
        case .wpa3: Phrase("\(interface) could not begin to serve a network by WPA3. WPA2 works with more cards.")
        case .fiveGigahertz:
            Phrase(
                """
                \(interface) could not begin on 5 GHz, which it may use only where it knows the country \
                (sudo iw reg set DE, for Germany). 2.4 GHz is free everywhere.
                """)
        case .sharing:
            Phrase(
                """
                The network starts, but nothing gives an address to those who come: install dnsmasq \
                (Debian: dnsmasq-base) and try again.
                """)
        case .timeout: Phrase("\(interface) was not ready in time. Try again, or use a phone’s hotspot.")
        case .ended: Phrase("Something else took \(interface), or ended the network. Try again.")
        }
    }
}

extension HotspotView {
    /// Shape: `Protocol/Schema/local-api.yaml`, `Hotspot`.
    package func answer(on surface: any Surface) -> HotspotStatus {
        HotspotStatus(
            state: state.rawValue, name: hotspot?.name, password: hotspot?.password, code: hotspot?.codeText,
            band: hotspot?.band.rawValue, security: hotspot?.security.rawValue, interface: interface,
            replaces: replaced, problem: obstacle.map { Problem($0, on: surface) })
    }
}
