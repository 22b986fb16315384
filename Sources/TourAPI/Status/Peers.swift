import TourModel

/// The links of a tour, and the nodes in sight.
package struct Peers: Encodable, JSONObject {
    /// One link.
    package struct Link: Encodable, JSONObject {
        /// The peer; nil: the roster does not name it yet.
        @Nullable package var memberID: String?
        package var name: String
        package var address: String
        package var port: Int
        /// `in` or `out`.
        package var direction: String
        /// `open` or `restricted`.
        package var state: String
        /// When it opened.
        package var since: String
        /// Whether unicast datagrams reach the peer; their round trip, and the loss in percent there or back.
        package var datagrams: String
        /// The round trip of datagrams; nil: not measured.
        @Nullable package var rttMilliseconds: Double?
        /// Datagrams lost there or back, in percent; nil: not measured.
        @Nullable package var lossPercent: Double?
        /// Bytes that wait to be sent.
        package var queuedBytes: Int
        /// The peer receives too slowly.
        package var lagging: Bool
    }

    /// A node that discovery found.
    package struct Seen: Encodable, JSONObject {
        /// The name of its mDNS service.
        package var instance: String
        package var address: String
        package var port: Int
        /// Whether one of its tags belongs to the tour.
        package var matches: Bool
    }

    /// The tour's links.
    package var peers: [Link]
    /// Nodes that discovery found.
    package var candidates: [Seen]
}
