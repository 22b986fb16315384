/// One message as a mail server gets it.
package struct OutgoingMail: Sendable {
    /// The mail server: `smtp://HOST:PORT`, or `smtps://HOST:PORT` for TLS from the beginning.
    package var address: String
    /// Whether nothing is said before TLS protects it: with `smtp` by STARTTLS.
    package var requiresTLS: Bool
    /// The account at the mail server; nil: it asks for none.
    package var login: (user: String, password: String)?
    /// The sender's address.
    package var sender: String
    /// The recipient's address.
    package var recipient: String
    /// Header and body, with `\r\n` at the ends of lines.
    package var message: [UInt8]
    /// For the whole dialogue, the connection's opening included.
    package var timeout: Duration

    /// - Parameter address: `smtp://HOST:PORT` or `smtps://HOST:PORT`.
    /// - Parameter message: header and body, with `\r\n` at the ends of lines.
    /// - Parameter timeout: for the whole dialogue.
    package init(
        address: String, requiresTLS: Bool, login: (user: String, password: String)? = nil, sender: String,
        recipient: String, message: [UInt8], timeout: Duration
    ) {
        self.address = address
        self.requiresTLS = requiresTLS
        self.login = login
        self.sender = sender
        self.recipient = recipient
        self.message = message
        self.timeout = timeout
    }

    /// Whether only a server with SMTPUTF8 may get the recipient's address. Its host has a form in ASCII, which the
    /// library sends.
    /// Source: RFC 6531, section 3.1.
    var needsUTF8: Bool { !recipient.prefix { $0 != "@" }.utf8.allSatisfy { $0 < 0x80 } }
}
