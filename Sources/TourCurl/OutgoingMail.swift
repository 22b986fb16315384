/// One message as a mail server gets it.
package struct OutgoingMail: Sendable {
    /// The mail server: `smtp://HOST:PORT`, or `smtps://HOST:PORT` for TLS from the beginning.
    package var address: String
    /// Whether nothing is said before TLS protects it: with `smtp` by STARTTLS.
    package var requiresTLS: Bool
    /// The name by which this machine greets the mail server: letters, digits, dots and hyphens.
    package var hello: String
    /// The account at the mail server; nil: it asks for none.
    package var login: (user: String, secret: Secret)?
    /// The sender's address.
    package var sender: String
    /// The recipient's address.
    package var recipient: String
    /// Header and body, with `\r\n` at the ends of lines.
    package var message: [UInt8]
    /// For the whole dialogue, the connection's opening included.
    package var timeout: Duration
    /// Receives each line that the mail server says, without its line break; nil: nobody wants them.
    package var heard: (@Sendable (String) -> Void)?

    /// The key to the account.
    package enum Secret: Sendable {
        /// For PLAIN or LOGIN, whichever the mail server offers.
        case password(String)
        /// For OAUTHBEARER or XOAUTH2.
        case token(String)
    }

    /// - Parameter address: `smtp://HOST:PORT` or `smtps://HOST:PORT`.
    /// - Parameter hello: the name of this machine: letters, digits, dots and hyphens.
    /// - Parameter message: header and body, with `\r\n` at the ends of lines.
    /// - Parameter timeout: for the whole dialogue.
    package init(
        address: String, requiresTLS: Bool, hello: String, login: (user: String, secret: Secret)? = nil,
        sender: String, recipient: String, message: [UInt8], timeout: Duration
    ) {
        self.address = address
        self.requiresTLS = requiresTLS
        self.hello = hello
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
