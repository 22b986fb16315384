import TourModel
import TourWords

/// Why the node refuses or fails a request. `phrase` tells the user what to do next.
package struct NodeError: Fault {
    /// A stable name of the fault, as answers and commands spell it.
    package let code: String
    /// The words for the user.
    package let phrase: Phrase
    /// `record`: only the request fails; `node`: the node's own disk or data is in trouble.
    package let scope: FaultScope
    /// Another module's fault, whose words stand for `phrase`; nil: this is the node's own.
    package let cause: (any Fault)?

    package init(_ code: String, _ phrase: Phrase, scope: FaultScope = .record) {
        self.init(code, phrase, scope: scope, cause: nil)
    }

    private init(_ code: String, _ phrase: Phrase, scope: FaultScope, cause: (any Fault)?) {
        self.code = code
        self.phrase = phrase
        self.scope = scope
        self.cause = cause
    }

    /// Another module's fault, with its own words.
    /// - Parameter code: nil: the fault's own.
    package init(_ fault: any Fault, code: String? = nil, scope: FaultScope = .record) {
        self.init(code ?? fault.code, Phrase(verbatim: fault.description), scope: scope, cause: fault)
    }

    /// The phrase in English.
    package var message: String { phrase.english }

    static let noTour = NodeError("no-tour", Phrase("There is no tour yet."))

    static func unknownTour(_ name: String) -> NodeError {
        NodeError(
            "unknown-tour",
            Phrase("No tour here is called “\(name)”, or has an id that starts with it (six digits or more)."))
    }

    static func ambiguous(_ what: String, _ candidates: [String]) -> NodeError {
        let list = Phrase(list: candidates.dropLast())
        let last = candidates.last ?? ""
        return NodeError("ambiguous", Phrase("“\(what)” fits \(list) and \(last): give more of the id."))
    }

    static func alreadyMember(_ name: String) -> NodeError {
        NodeError("already-member", Phrase("This node is in “\(name)” already."))
    }

    static func noInterface(_ name: String, present: [String]) -> NodeError {
        NodeError("no-interface", Phrase("No network interface \(name); there are \(Phrase(list: present))."))
    }

    static let badExpiry = NodeError(
        "bad-expiry", Phrase("The time until it expires is from 1 to \(Limits.expirySecondsMax) seconds (ten years)."))
    static let badName = NodeError(
        "bad-name", Phrase("A name has 1 to \(Limits.nameBytesMax) bytes, and no control characters."))
    static let nullInText = NodeError(
        "bad-text",
        Phrase(
            """
            The text has a null character (U+0000) in it, which cannot be sent: is it a file of another kind?
            """))
    static let notAllowed = NodeError("not-allowed", Phrase("Only a guide or admin of this tour may do that."))

    /// Nobody can change its own role: gives the reason, and the command that does what the user meant.
    static func ownRole(isCreator: Bool) -> NodeError {
        NodeError(
            "yourself",
            isCreator
                ? Phrase(
                    """
                    You cannot change your own role: 'tour-chat tour successor NAME' names who stands in for you.
                    """)
                : Phrase("You cannot change your own role: somebody who ranks above you can."))
    }

    static func ownRemoval(isCreator: Bool) -> NodeError {
        NodeError(
            "yourself",
            isCreator
                ? Phrase("You cannot remove yourself: 'tour-chat tour close' ends the tour for everybody.")
                : Phrase("You cannot remove yourself: 'tour-chat tour leave' takes you out."))
    }

    static let notActive = NodeError("not-active", Phrase("This tour cannot be written to here."))

    static func closed(_ name: String) -> NodeError {
        NodeError(
            "not-active", Phrase("“\(name)” was closed by its guide: 'tour-chat tour list' shows your other tours."))
    }

    static func left(_ name: String) -> NodeError {
        NodeError("not-active", Phrase("You have left “\(name)”: join again with a code."))
    }

    static func removed(_ name: String) -> NodeError {
        NodeError("removed", Phrase("You were removed from “\(name)”: ask a guide for a new code, and join with it."))
    }

    static func unknownMember(_ name: String) -> NodeError {
        NodeError(
            "unknown-member",
            Phrase("Nobody in this tour is called “\(name)”, or has an id that starts with it (six digits or more)."))
    }

    static func waitsForKey(_ name: String) -> NodeError {
        NodeError(
            "waiting-for-key",
            Phrase(
                """
                Somebody was removed from “\(name)”, and the new key is not here yet: try again near another \
                member.
                """))
    }

    static let noMailbox = NodeError(
        "no-mailbox", Phrase("No server is set: 'tour-chat login --server URL', or 'tour-chat run --mailbox URL'."))

    static let busy = NodeError("busy", Phrase("The last write failed; try again in a moment."))

    static func store(_ error: any Error) -> NodeError {
        if let error = error as? NodeError { return error }
        // The request was sound; the store itself refused it.
        if let fault = error as? any Fault { return NodeError(fault, scope: .node) }
        return NodeError("store", Phrase("The store failed: \(String(describing: error))"), scope: .node)
    }
}
