import ServerBase
import ServerRequests
import ServerStorage

/// Deletes an account with everything that the server stores of it, inside one transaction: by its owner or by the
/// operator. The bytes of its files go afterwards (`NotebookFiles.sweepDropped`).
package struct AccountDeletion: Sendable {
    /// Every part of the server that stores data of accounts.
    let holdings: [any AccountHolding]

    package init(holdings: [any AccountHolding]) { self.holdings = holdings }

    /// The audit log keeps the account's number, which no other account will have. A ban of its address or number is
    /// not the account's, and stays.
    /// - Parameter now: microseconds since 1970.
    package func run(on account: Account, by actor: AuditActor, now: Int64, in sql: any SQL) throws(Failure) {
        for holding in holdings { try holding.prepareDeletion(of: account, by: actor, now: now, in: sql) }
        for holding in holdings { try holding.delete(of: account, in: sql) }
        try BanRows(sql: sql).remove(BanTarget(kind: .account, text: String(account.id)))
        try AccountRows(sql: sql).delete(account.id)
        try AuditLog(sql: sql).add(.accountDeleted, by: actor, account: account.id, now: now)
    }
}
