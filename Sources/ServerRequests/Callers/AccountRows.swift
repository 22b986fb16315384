import ServerBase
import ServerStorage
import TourCrypto

/// The accounts inside one transaction. It owns the rows of `accounts`.
package struct AccountRows {
    let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// The account of this number.
    package func account(id: Int64) throws(Failure) -> Account? {
        guard let row = try sql.row("SELECT \(Account.columns) FROM accounts WHERE id = $1", [.integer(id)]) else {
            return nil
        }
        return try Account(row)
    }

    /// The account with this address, proven or not. One whose address could not be brought into today's form, which
    /// another account has, is found by the form that it has.
    package func account(email: EmailAddress) throws(Failure) -> Account? {
        for text in [email.olderText, email.text].compactMap(\.self) {
            let row = try sql.row("SELECT \(Account.columns) FROM accounts WHERE email = $1", [.text(text)])
            if let row { return try Account(row) }
        }
        return nil
    }

    /// The account with this number.
    package func account(phone: PhoneNumber) throws(Failure) -> Account? {
        guard let row = try sql.row("SELECT \(Account.columns) FROM accounts WHERE phone = $1", [.text(phone.text)])
        else {
            return nil
        }
        return try Account(row)
    }

    /// The stored hash of the account's password; nil when the account has no password.
    package func storedPassword(of id: Int64) throws(Failure) -> String? {
        try sql.row("SELECT password FROM accounts WHERE id = $1", [.integer(id)])?.optionalText(0)
    }

    /// - Throws: `emailTaken`, `phoneTaken`.
    package func add(
        email: EmailAddress? = nil, phone: PhoneNumber? = nil, password: String? = nil, now: Int64
    ) throws(Failure) -> Account {
        try checkFree(email: email, phone: phone)
        let account = Account(
            id: try sql.nextNumber("account"), email: email?.text, phone: phone?.text, hasPassword: password != nil,
            createdAt: now)
        try sql.run(
            """
            INSERT INTO accounts (id, email, phone, password, role, created_at) VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                .integer(account.id), SQLValue(account.email), SQLValue(account.phone), SQLValue(password),
                .text(account.role.rawValue), .integer(now),
            ])
        // Written now, so that no request which only reads has to write the profile.
        _ = try ProfileRows(sql: sql).id(of: account.id)
        return account
    }

    /// Gives a guest a name to log in with: the account stays, with everything that belongs to it.
    /// - Throws: `emailTaken`, `phoneTaken`; `unauthenticated` for a guest that was deleted or got a name meanwhile.
    package func name(
        _ guest: Account, email: EmailAddress? = nil, phone: PhoneNumber? = nil, password: String? = nil
    ) throws(Failure) -> Account {
        guard try account(id: guest.id)?.isGuest == true else { throw Failure(.unauthenticated) }
        try checkFree(email: email, phone: phone)
        try sql.run(
            "UPDATE accounts SET email = $1, phone = $2, password = $3, email_proven = 0 WHERE id = $4",
            [SQLValue(email?.text), SQLValue(phone?.text), SQLValue(password), .integer(guest.id)])
        return Account(
            id: guest.id, email: email?.text, phone: phone?.text, hasPassword: password != nil, role: guest.role,
            createdAt: guest.createdAt)
    }

    private func checkFree(email: EmailAddress?, phone: PhoneNumber?) throws(Failure) {
        if let email, try account(email: email) != nil { throw Failure(.emailTaken, field: "email") }
        if let phone, try account(phone: phone) != nil { throw Failure(.phoneTaken, field: "phone") }
    }

    /// Replaces the password, if there is any.\n- Parameter stored: its hash.
    package func setPassword(_ stored: String, of id: Int64) throws(Failure) {
        try sql.run("UPDATE accounts SET password = $1 WHERE id = $2", [.text(stored), .integer(id)])
    }

    /// Does nothing where the password was changed meanwhile.
    package func setPassword(_ stored: String, of id: Int64, replacing old: String) throws(Failure) {
        try sql.run(
            "UPDATE accounts SET password = $1 WHERE id = $2 AND password = $3",
            [.text(stored), .integer(id), .text(old)])
    }

    /// - Returns: false when there is no such account.
    /// - Throws: `emailNotProven` if nobody has proven the account's address: the role would go to the first who typed
    ///   it.
    package func setRole(_ role: AccountRole, of id: Int64) throws(Failure) -> Bool {
        if role > .user, try account(id: id)?.isUnproven == true {
            throw Failure(.emailNotProven, cause: "nobody has shown yet that this e-mail address is the account's")
        }
        return try sql.run("UPDATE accounts SET role = $1 WHERE id = $2", [.text(role.rawValue), .integer(id)]) > 0
    }

    /// The account that an operator names by e-mail address or phone number.
    package func account(named name: String) throws(Failure) -> Account? {
        if let phone = PhoneNumber(name) { return try account(phone: phone) }
        guard let email = EmailAddress(name) else { return nil }
        return try account(email: email)
    }

    /// Marks the address as proven: by its code, or because the operator vouches for it.
    package func setEmailProven(of account: Int64) throws(Failure) {
        try sql.run("UPDATE accounts SET email_proven = 1 WHERE id = $1 AND email IS NOT NULL", [.integer(account)])
    }

    /// - Parameter disabledAt: microseconds since 1970; nil: the account may log in again.
    package func setDisabled(at disabledAt: Int64?, _ id: Int64) throws(Failure) {
        try sql.run("UPDATE accounts SET disabled = $1 WHERE id = $2", [SQLValue(disabledAt), .integer(id)])
    }

    /// Leaves the account without a password.
    package func voidPassword(of id: Int64) throws(Failure) {
        try sql.run("UPDATE accounts SET password = NULL WHERE id = $1", [.integer(id)])
    }

    /// Deletes the row alone: see `AccountDeletion`.
    package func delete(_ id: Int64) throws(Failure) {
        try sql.run("DELETE FROM accounts WHERE id = $1", [.integer(id)])
    }
}
