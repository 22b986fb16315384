/// What a person can do about an error; codes without an entry explain themselves.
package enum Advice {
    package static func text(for code: String) -> String? {
        switch code {
        case "no-tour":
            "Create a tour with 'tour-chat tour create NAME', or join one with 'tour-chat join CODE'."
        case "unknown-tour":
            "'tour-chat tour list' shows your tours; name one with --tour."
        case "unknown-message", "id-too-short":
            "'tour-chat messages' shows the ids; six or more of an id's first digits are enough."
        case "unknown-item":
            "'notes list', 'places list', 'itinerary list' and 'notebook lost' show ids and titles."
        case "item-changed": "The 'show' command shows how it is now."
        case "other-account": "'tour-chat notebook unlink' makes the notebook free for the account that is logged in."
        case "no-node": "Start one with 'tour-chat run' in another terminal."
        case "unknown-member": "'tour-chat members' shows names and ids."
        case "not-allowed": "'tour-chat members' shows who is what: somebody who ranks above you may."
        case "code-mistyped", "code-length", "code-letters":
            "Compare the code letter by letter, or scan the QR code of 'tour-chat tour invite'."
        case "code-version": "Update tour-chat here, or on the device that made the code."
        case "revoked", "expired", "used-up": "Ask the guide for a new code ('tour-chat tour invite')."
        case "no-member-found":
            "A member's node must run in the same network, which 'tour-chat doctor' tests. Try again nearer, or start "
                + "ours with --peer HOST:PORT."
        case "already-member": "'tour-chat tour list' shows it."
        case "removed", "key-forked", "key-retired":
            "With a new code 'tour-chat join CODE' lets you in again at once; what you have stays."
        case "recovering": "'tour-chat tour recover --help' says what to do when nobody comes."
        case "locked": "'tour-chat unlock' goes on."
        case "no-passphrase": "'tour-chat passphrase set' makes one."
        case "has-archive": "'tour-chat archive remove' takes it out."
        case "mailbox-login-page": "'tour-chat status' shows when the server was reached again."
        case "mailbox-network": "Nothing is lost: what was not synced goes when the server is in reach."
        case "store-not-empty": "Name a new directory with --data-dir, or empty this one with 'tour-chat wipe'."
        case "no-room", "no-room-tour", "no-room-author", "no-room-disk":
            "'tour-chat files' shows what is here, and 'tour-chat files --drop ID' frees what one takes."
        case "not-delivered": "'tour-chat receipts ID' shows who has it."
        case "file-exists": "Name another file, or say --force to replace this one."
        case "gpsd-unreachable", "gpsd-malformed":
            "Start gpsd with your receiver, name another with --gpsd HOST:PORT, or write a place as LAT,LON."
        case "gpsd-no-receiver": "Plug one in, or write a place as LAT,LON."
        default: adviceForKeys(code)
        }
    }

    private static func adviceForKeys(_ code: String) -> String? {
        switch code {
        case "passphrase-needed", "passphrase-empty":
            return "At a terminal it is asked for; elsewhere name a file that holds it, with --passphrase-file or "
                + "TOUR_CHAT_PASSPHRASE_FILE."
        case "passphrase-wrong":
            return "Run the command again and type it, or look into the file that --passphrase-file or "
                + "TOUR_CHAT_PASSPHRASE_FILE names."
        default: break
        }
        if code.contains("in-use") { return "End the other one, or choose another directory with --data-dir." }
        return nil
    }
}
