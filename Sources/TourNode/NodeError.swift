import TourModel

/// Why the node does not do what it was asked. The message says what to do next.
package struct NodeError: Fault {
    package let code: String
    package let message: String
    /// `record`: nothing but the request fails; `node`: the node's own disk or data is in trouble.
    package let scope: FaultScope

    package init(_ code: String, _ message: String, scope: FaultScope = .record) {
        self.code = code
        self.message = message
        self.scope = scope
    }

    package var description: String { message }

    static let noTour = NodeError("no-tour", "There is no tour yet.")

    static func unknownTour(_ name: String) -> NodeError {
        NodeError(
            "unknown-tour", "No tour here is called “\(name)”, or has an id that starts with it (six digits or more).")
    }

    static func ambiguous(_ what: String, _ candidates: [String]) -> NodeError {
        NodeError("ambiguous", "“\(what)” fits \(candidates.joined(separator: " and ")): give more of the id.")
    }

    static func alreadyMember(_ name: String) -> NodeError {
        NodeError("already-member", "This node is in “\(name)” already.")
    }

    static func noInterface(_ name: String, present: [String]) -> NodeError {
        NodeError("no-interface", "No network interface \(name); there are \(present.joined(separator: ", ")).")
    }

    static let badExpiry = NodeError(
        "bad-expiry", "The time until it expires is from 1 to \(Limits.expirySecondsMax) seconds (ten years).")
    static let badName = NodeError(
        "bad-name", "A name has 1 to \(Limits.nameBytesMax) bytes, and no control characters.")
    static let nullInText = NodeError(
        "bad-text", "The text has a null character (U+0000) in it, which cannot be sent: is it a file of another kind?")
    static let notAllowed = NodeError("not-allowed", "Only a guide or admin of this tour may do that.")

    /// Nobody acts on itself: the reason, and what does what was meant.
    static func ownRole(isCreator: Bool) -> NodeError {
        NodeError(
            "yourself",
            isCreator
                ? "You cannot change your own role: 'tour-chat tour successor NAME' names who stands in for you."
                : "You cannot change your own role: somebody who ranks above you can.")
    }

    static func ownRemoval(isCreator: Bool) -> NodeError {
        NodeError(
            "yourself",
            isCreator
                ? "You cannot remove yourself: 'tour-chat tour close' ends the tour for everybody."
                : "You cannot remove yourself: 'tour-chat tour leave' takes you out.")
    }

    static let notActive = NodeError("not-active", "This tour cannot be written to here.")

    static func closed(_ name: String) -> NodeError {
        NodeError("not-active", "“\(name)” was closed by its guide: 'tour-chat tour list' shows your other tours.")
    }

    static func left(_ name: String) -> NodeError {
        NodeError("not-active", "You have left “\(name)”: join again with a code.")
    }

    static func removed(_ name: String) -> NodeError {
        NodeError("removed", "You were removed from “\(name)”: ask a guide for a new code, and join with it.")
    }

    static func unknownMember(_ name: String) -> NodeError {
        NodeError(
            "unknown-member",
            "Nobody in this tour is called “\(name)”, or has an id that starts with it (six digits or more).")
    }

    static func waitsForKey(_ name: String) -> NodeError {
        NodeError(
            "waiting-for-key",
            "Somebody was removed from “\(name)”, and the new key is not here yet: try again near another member.")
    }

    static let busy = NodeError("busy", "The last write failed; try again in a moment.")

    static func store(_ error: any Error) -> NodeError {
        if let error = error as? NodeError { return error }
        // Whatever the store itself refuses: the request was sound.
        if let fault = error as? any Fault { return NodeError(fault.code, fault.description, scope: .node) }
        return NodeError("store", "The store failed: \(error)", scope: .node)
    }
}
