import TourAPI
import TourModel

/// Where a guest's phone may go on when its host is out of reach.
package struct SeatHostView: Encodable, Hashable, Sendable {
    /// The member id, in hexadecimal digits.
    package var member: String
    package var name: String
    /// The channel key, in hexadecimal digits.
    package var key: String
    /// `HOST:PORT` or `[V6]:PORT`.
    package var addresses: [String]
}

/// What a phone learns of this device before it is in.
package struct SeatDoorView: Encodable, Sendable {
    /// The tour's name.
    package var tour: String
    /// What this device's member is called.
    package var host: String
    /// Whether guests may come in.
    package var entry: Entry
    /// `NAME:PORT`, where the page is by https; nil: it is by http alone.
    @Nullable package var https: String?
    /// `NAME:PORT`, where the page is by http under a name that stays when the address does not; nil: it has none.
    @Nullable package var local: String?

    /// Whether guests may come in.
    package enum Entry: String, Encodable, Sendable { case open, full, off, ended }
}

/// Where a seat's log stands: the phone keeps this.
package struct SeatHead: Codable, Hashable, Sendable {
    /// The last place; 0: nothing yet.
    package var seq: UInt64
    /// The id of the event there, in hexadecimal digits.
    package var id: String

    package init(seq: UInt64, id: String) {
        self.seq = seq
        self.id = id
    }
}

/// An event that the phone is to keep and confirm before it is stored and sent.
package struct PreparedEvent: Sendable {
    /// The event's exact bytes.
    package var bytes: [UInt8]
    /// Its place.
    package var seq: UInt64
    /// Its id, in hexadecimal digits.
    package var id: String
}

/// How a seat stands when its phone has come.
package struct SeatStanding: Sendable {
    /// The seat, for the following requests.
    package var ticket: SeatTicket
    /// The seat's member id, in hexadecimal digits.
    package var memberID: String
    /// The seat's name.
    package var name: String
    /// Where its log stands.
    package var head: SeatHead
    /// The events that nobody else has yet: the phone keeps them.
    package var tail: [[UInt8]]
    /// What the phone must confirm before anything else: the record that moves the seat here.
    package var prepared: PreparedEvent?
    /// Where else the phone may go on.
    package var hosts: [SeatHostView]
    /// The members at which it may not any more, in hexadecimal digits.
    package var formerHosts: [String]
    /// The tour has ended: the phone may read, and nothing else.
    package var isEnded = false
    /// The tour's page key.
    package var pageKey: [UInt8]
    /// Where phones reach this node's page, as its record says.
    package var addresses: [String]
}

extension SeatStanding {
    func with(prepared: PreparedEvent) -> SeatStanding {
        var standing = self
        standing.prepared = prepared
        return standing
    }
}

/// A phone's right to act for its seat at this node, until `TourNode.releaseSeat`, or until the seat goes.
package struct SeatTicket: Hashable, Sendable {
    /// The tour.
    package let tour: TourID
    /// The seat.
    package let member: MemberID
    /// Several phones, or several windows of one, are told apart by this.
    let number: UInt64
}

/// What a guest does. The shell of the channel makes it of a request.
package enum SeatAct: Sendable {
    case text(String, replyTo: String?)
    /// A text for the guides alone.
    case word(String, replyTo: String?)
    /// - Parameter path: the picture's file on this machine, which the caller removes afterwards.
    case picture(path: String, caption: String, replyTo: String?)
    /// An urgent announcement was understood.
    case understood(String)
    /// - Parameter answer: `on-my-way`, `late` or `lost`.
    case meetingAnswer(meeting: String, answer: String, minutes: Int)
    /// - Parameter guidesOnly: nobody but the guides sees it.
    case alarm(text: String, battery: Int?, guidesOnly: Bool = false)
    /// The alarm of the guest itself is over: `found`.
    case found(alarm: String)
    case rollAnswer(roll: String, here: Bool)
    case withdraw(String)
    case name(String)
    case leave
}
