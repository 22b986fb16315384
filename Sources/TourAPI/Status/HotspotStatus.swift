import TourModel

/// The network that this device serves, or could. Source: `Protocol/Schema/local-api.yaml`, `Hotspot`.
package struct HotspotStatus: Encodable, Hashable, JSONObject {
    /// `off`, `starting` or `on`.
    package var state: String
    /// Of the network that is served, or was last; nil: none was, or its password cannot be read.
    @Nullable package var name: String?
    @Nullable package var password: String?
    /// `WIFI:…`, which cameras read from a QR code.
    @Nullable package var code: String?
    /// GHz: `2.4` or `5`.
    @Nullable package var band: String?
    /// `wpa2` or `wpa3`.
    @Nullable package var security: String?
    /// The card that serves it or would.
    @Nullable package var interface: String?
    /// NetworkManager's name of the network that the card leaves for it.
    @Nullable package var replaces: String?
    /// While it is off: why it cannot be served.
    @Nullable package var problem: Problem?
}
