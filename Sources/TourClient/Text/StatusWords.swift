import TourAPI
import TourWords

/// Words of the local API that people read, in their language. Source: `Protocol/Schema/local-api.yaml`. Unknown
/// words of a later node stay as they are.
package enum StatusWords {
    /// How far a message has come: `MessageStatus`.
    package static func message(_ status: String) -> Phrase {
        switch status {
        case "pending": Phrase("pending")
        case "sent": Phrase("sent")
        case "delivered": Phrase("delivered")
        case "read": Phrase("read")
        case "failed": Phrase("failed")
        default: unknown(status)
        }
    }

    /// Whether one member has a message.
    package static func receipt(_ state: String) -> Phrase {
        state == "missing" ? Phrase("missing") : message(state)
    }

    /// A member's role.
    package static func role(_ role: String) -> Phrase {
        switch role {
        case "member": Phrase("member")
        case "guide": Phrase("guide")
        case "admin": Phrase("admin")
        case "creator": Phrase("creator")
        case "successor": Phrase("successor")
        case "archive": Phrase("archive")
        default: unknown(role)
        }
    }

    /// The role of a member.
    package static func role(of member: MemberSummary) -> Phrase {
        role(member.archive ? "archive" : member.successor ? "successor" : member.role)
    }

    /// The tour that a node starts with, and how many members it has.
    package static func standing(of tour: String, members: Int) -> Phrase {
        Phrase(members, one: "Tour \(tour), \(members) member.", other: "Tour \(tour), \(members) members.")
    }

    /// The state of a code to join with.
    package static func invite(_ state: String) -> Phrase {
        switch state {
        case "open": Phrase("open")
        case "expired": Phrase("expired")
        case "revoked": Phrase("revoked")
        case "used-up": Phrase("used-up")
        default: unknown(state)
        }
    }

    /// The state of a link.
    package static func link(_ state: String) -> Phrase {
        switch state {
        case "open": Phrase("open")
        case "restricted": Phrase("restricted")
        default: unknown(state)
        }
    }

    /// The state of discovery by mDNS.
    package static func discovery(_ state: String) -> Phrase {
        switch state {
        case "running": Phrase("running")
        case "starting": Phrase("starting")
        case "unavailable": Phrase("unavailable")
        case "off": Phrase("off")
        default: unknown(state)
        }
    }

    /// Whether messages can be written in the tour.
    package static func ownLog(_ state: String) -> Phrase {
        switch state {
        case "forked": Phrase("forked")
        case "retired": Phrase("retired")
        default: unknown(state)
        }
    }

    /// Members who have told us what they hold of our log, and how many must.
    package static func witnesses(_ status: Status) -> (heard: Int, needed: Int) {
        (status.recovery?.heard ?? 0, status.recovery?.needed ?? 0)
    }

    /// Which messages late joiners can read.
    package static func history(_ word: String) -> Phrase {
        switch word {
        case "full": Phrase("full")
        case "none": Phrase("none")
        default: unknown(word)
        }
    }

    /// The kind of a shared record.
    package static func record(_ type: String) -> Phrase {
        switch type {
        case "note": Phrase("note")
        case "place": Phrase("place")
        case "itinerary": Phrase("itinerary")
        default: unknown(type)
        }
    }

    private static func unknown(_ word: String) -> Phrase { Phrase(verbatim: TerminalText.safe(word)) }
}
