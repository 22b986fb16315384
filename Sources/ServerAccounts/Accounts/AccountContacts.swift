import ServerBase
import ServerRequests
import ServerStorage

/// Gives accounts phones and e-mail addresses that their owners have proven, inside one transaction.
struct AccountContacts {
    let sql: any SQL

    /// - Returns: the account as it is now.
    /// - Throws: `phoneTaken`; `unauthenticated` for an account that was deleted meanwhile.
    func setPhone(_ phone: PhoneNumber, of account: Int64) throws(Failure) -> Account {
        if let owner = try AccountRows(sql: sql).account(phone: phone), owner.id != account {
            throw Failure(.phoneTaken, field: "phone")
        }
        try sql.run("UPDATE accounts SET phone = $1 WHERE id = $2", [.text(phone.text), .integer(account)])
        return try known(account)
    }

    /// Takes the address from an account that never proved it and has another name: anybody can type an address.
    /// - Returns: the account as it is now.
    /// - Throws: `emailTaken`; `unauthenticated` for an account that was deleted meanwhile.
    func setEmail(_ email: EmailAddress, of account: Int64) throws(Failure) -> Account {
        // Its own address may be the older form of one that another account has.
        let email = EmailAddress(email.text) ?? email
        if let owner = try AccountRows(sql: sql).account(email: email), owner.id != account {
            guard !owner.isEmailProven, !owner.isUnproven else { throw Failure(.emailTaken, field: "email") }
            try sql.run("UPDATE accounts SET email = NULL WHERE id = $1", [.integer(owner.id)])
        }
        try sql.run(
            "UPDATE accounts SET email = $1, email_proven = 1 WHERE id = $2", [.text(email.text), .integer(account)])
        return try known(account)
    }

    private func known(_ account: Int64) throws(Failure) -> Account {
        guard let account = try AccountRows(sql: sql).account(id: account) else { throw Failure(.unauthenticated) }
        return account
    }
}
