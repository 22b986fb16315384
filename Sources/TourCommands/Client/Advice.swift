import TourWords

/// Advice about an error; codes without an entry explain themselves.
package enum Advice {
    /// The advice for an error's code.
    package static func words(for code: String) -> Phrase? {
        switch code {
        case "no-tour":
            Phrase("Create a tour with 'tour-chat tour create NAME', or join one with 'tour-chat join CODE'.")
        case "unknown-tour": Phrase("'tour-chat tour list' shows your tours; name one with --tour.")
        case "unknown-message", "id-too-short":
            Phrase("'tour-chat messages' shows the ids; six or more of an id's first digits are enough.")
        case "no-node": Phrase("Start one with 'tour-chat run' in another terminal.")
        case "unknown-member": Phrase("'tour-chat members' shows names and ids.")
        case "not-allowed":
            Phrase("'tour-chat members' shows who is what: somebody who ranks above you may.")
        case "locked": Phrase("'tour-chat unlock' goes on.")
        case "store-not-empty":
            Phrase("Name a new directory with --data-dir, or empty this one with 'tour-chat wipe'.")
        case "no-room", "no-room-tour", "no-room-author", "no-room-disk":
            Phrase("'tour-chat files' shows what is here, and 'tour-chat files --drop ID' frees what one takes.")
        case "not-delivered": Phrase("'tour-chat receipts ID' shows who has it.")
        case "file-exists": Phrase("Name another file, or say --force to replace this one.")
        case "gpsd-unreachable", "gpsd-malformed":
            Phrase(
                "Start gpsd with your receiver, name another with --gpsd HOST:PORT, or write a place as LAT,LON.")
        case "gpsd-no-receiver": Phrase("Plug one in, or write a place as LAT,LON.")
        default: forJoining(code) ?? forServer(code) ?? forKeys(code)
        }
    }

    private static func forJoining(_ code: String) -> Phrase? {
        switch code {
        case "code-mistyped", "code-length", "code-letters":
            Phrase("Compare the code letter by letter, or scan the QR code of 'tour-chat tour invite'.")
        case "code-version": Phrase("Update tour-chat here, or on the device that made the code.")
        case "revoked", "expired", "used-up": Phrase("Ask the guide for a new code ('tour-chat tour invite').")
        case "no-member-found":
            Phrase(
                """
                A member's node must run in the same network, which 'tour-chat doctor' tests. Try again nearer, or \
                start ours with --peer HOST:PORT.
                """)
        case "already-member": Phrase("'tour-chat tour list' shows it.")
        case "removed", "key-forked", "key-retired":
            Phrase("With a new code 'tour-chat join CODE' lets you in again at once; what you have stays.")
        case "recovering": Phrase("'tour-chat tour recover --help' says what to do when nobody comes.")
        default: nil
        }
    }

    private static func forServer(_ code: String) -> Phrase? {
        switch code {
        case "unknown-item":
            Phrase("'notes list', 'places list', 'itinerary list' and 'notebook lost' show ids and titles.")
        case "item-changed": Phrase("The 'show' command shows how it is now.")
        case "other-account":
            Phrase("'tour-chat notebook unlink' makes the notebook free for the account that is logged in.")
        case "has-archive": Phrase("'tour-chat archive remove' takes it out.")
        case "mailbox-login-page": Phrase("'tour-chat status' shows when the server was reached again.")
        case "mailbox-network":
            Phrase("Nothing is lost: what was not synced goes when the server is in reach.")
        default: nil
        }
    }

    private static func forKeys(_ code: String) -> Phrase? {
        switch code {
        case "no-passphrase": return Phrase("'tour-chat passphrase set' makes one.")
        case "passphrase-needed", "passphrase-empty":
            return Phrase(
                """
                At a terminal it is asked for; elsewhere name a file that holds it, with --passphrase-file or \
                TOUR_CHAT_PASSPHRASE_FILE.
                """)
        case "passphrase-wrong":
            return Phrase(
                """
                Run the command again and type it, or look into the file that --passphrase-file or \
                TOUR_CHAT_PASSPHRASE_FILE names.
                """)
        default: break
        }
        guard code.contains("in-use") else { return nil }
        return Phrase("End the other one, or choose another directory with --data-dir.")
    }
}
