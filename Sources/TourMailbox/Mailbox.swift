import FoundationEssentials
import NIOHTTP1
import TourCrypto
import TourCurl
import TourModel
import TourWire

/// One tour's mailbox at a server, as one member sees it.
package struct Mailbox: Sendable {
    let client: APIClient
    /// Proves the member to the server.
    package let pass: MemberPass

    package init(client: APIClient, pass: MemberPass) {
        self.client = client
        self.pass = pass
    }

    /// Proves membership to the server, by control events that it may lack.
    func introduce(by controls: [[UInt8]]) async throws(APIError) {
        _ = try await client.memberToken(pass, controls: controls)
    }

    /// Registers the tour. Needs a login, and a member who leads.
    func found(_ introduction: Introduction) async throws(APIError) {
        let proof = try await client.proof(of: pass, for: .group)
        let request = GroupRequest(
            genesis: Data(introduction.genesis), controls: introduction.controls.map { Data($0) },
            memberId: pass.member.hex, nonce: proof.nonce, signature: proof.signature)
        let answer = try await client.request(GroupAnswer.self, .group(request))
        guard answer.id == pass.tour.hex else { throw .decoding }
    }

    /// Ties the account to this member, once for each login, so that the tour is listed for that account. Never fails
    /// a sync: if no server answered, the next sync tries again.
    func bind() async {
        guard let account = await client.account?.account, await !client.isTied(pass.member, to: account) else {
            return
        }
        do throws(APIError) {
            let proof = try await client.proof(of: pass, for: .bind)
            // 202: another device of the account has a higher rank; this one counts once that is out.
            guard try await client.reply(to: .bind(pass, proof)).status != 202 else { return }
        } catch {
            // A final refusal is not asked for again.
            guard case .http(400..<500, _, nil) = error else { return }
        }
        await client.recordTie(of: pass.member, to: account)
    }

    /// - Parameter known: the mark of the frontier that we hold.
    /// - Returns: nil when that has not changed.
    func frontier(known: String?) async throws(APIError) -> (answer: FrontierAnswer, mark: String?)? {
        let reply = try await client.reply(to: .frontier(pass, knownMark: known))
        guard reply.status != 304 else { return nil }
        return (try APIClient.decode(FrontierAnswer.self, reply.body), reply.headers.first(name: "ETag"))
    }

    func controls(after place: UInt64) async throws(APIError) -> MailboxControls {
        let body = try await client.reply(to: .controls(pass, after: place)).body
        do { return try MailboxControls.decode(body) } catch { throw .decoding }
    }

    func events(after: [(author: MemberID, sequence: UInt64)]) async throws(APIError) -> MailboxEvents {
        let body = try await client.reply(to: .events(pass, after: after)).body
        do { return try MailboxEvents.decode(body) } catch { throw .decoding }
    }

    func push(_ batch: PushBatch) async throws(APIError) -> PushAnswer {
        try await client.request(PushAnswer.self, batch.endpoint)
    }

    /// Reports rising heads at the server, until it ends the answer. First reports an empty set, once: the stream is
    /// open.
    package func follow(_ told: @escaping @Sendable ([MemberID: UInt64]) async -> Void) async throws(APIError) {
        let lines = LiveReader()
        try await client.follow(.live(pass)) { bytes in
            for heads in await lines.receive(bytes) { await told(heads.values) }
        }
    }
}

/// Assembles the pieces, which arrive one after the other.
private actor LiveReader {
    private var lines = LiveLines()
    private var hasBegun = false

    func receive(_ bytes: [UInt8]) -> [Heads] {
        let first = hasBegun ? [] : [Heads()]
        hasBegun = true
        return first + lines.receive(bytes)
    }
}
