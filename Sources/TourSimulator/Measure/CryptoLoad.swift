import TourCrypto
import TourGroup
import TourModel
import TourWire

/// A tour of a number of devices and a log of a number of events, for timing cryptography. Keys and texts come from a
/// seed; nonces, and ephemeral keys of handshakes, are the library's. The caller has the clock.
package struct CryptoLoad: Sendable {
    /// Some moment on a day of a tour, in milliseconds since 1970.
    private static let wall: Int64 = 1_767_225_600_000
    private static let text = String(repeating: "m", count: 200)

    /// The creator's view of the tour, and its log.
    private var group: TourGroup
    private var author: Author
    /// The creator's first.
    private let devices: [MemberKeys]
    private let newKey: SecretBytes
    private let runs: [Run]
    private let signature: [UInt8]
    private let linkSecret: SecretBytes

    /// - Parameters:
    ///   - devices: members of the tour, 2 to `Limits.rekeyRecipientsMax`.
    ///   - events: texts of one log, 1 or more.
    package init(devices: Int, events: Int, seed: UInt64) {
        var rng = SplitMix64(seed: seed)
        let keys = (0..<devices).map { _ in Simulation.keys(using: &rng) }
        let founding = Founding(
            keys: keys[0], epochKey: SecretBytes(rng.bytes(EpochKey.keyBytes)), fullHistory: true,
            salt: rng.bytes(16), wallMilliseconds: Self.wall)
        var group = founding.group
        var author = founding.author
        _ = group.add(verified: Self.admissions(of: keys.dropFirst(), into: group, founding.epoch, &author, &rng))
        let log = (0..<events).map { _ in
            author.write(.text(Self.text, replyTo: nil), under: founding.epoch, wallMilliseconds: Self.wall)
        }
        self.group = group
        self.author = author
        self.devices = keys
        newKey = SecretBytes(rng.bytes(EpochKey.keyBytes))
        runs = Run.runs(of: log, hops: 0, pushed: false)
        signature = keys[0].identity.sign(Self.message)
        linkSecret = founding.epoch.linkSecret
    }

    private static let message = [UInt8](repeating: 7, count: Bytes32.count)

    /// An invite, and the admissions of everybody under it.
    private static func admissions(
        of newcomers: some Collection<MemberKeys>, into group: TourGroup, _ epoch: EpochKey, _ author: inout Author,
        _ rng: inout SplitMix64
    ) -> [Event] {
        guard let invite = InviteSecret(seed: rng.bytes(InviteSecret.seedBytes)) else { return [] }
        let opening = group.inviteBody(invite, uses: 0, expiresAt: nil, under: epoch)
        let requests = newcomers.map { keys in
            ControlBody.admit(
                JoinRequest.signed(
                    identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
                    invite: invite.invitePair, tour: group.tour,
                    handshakeHash: [UInt8](repeating: 0, count: JoinRequest.handshakeHashLength)))
        }
        return ([opening] + requests).map { author.write($0, wallMilliseconds: wall) }
    }

    /// The members in the roster: all devices, unless something is wrong with the load.
    package var members: Int { group.roster.members.count }

    /// In how many runs the log is sent.
    package var runCount: Int { runs.count }

    /// Makes a new epoch for everybody: the key wrapped for each, the commitment, the signed event.
    package func rekey() -> Event? {
        guard let body = try? group.rekeyBody(key: newKey, by: author.id) else { return nil }
        var author = author
        return author.write(body, wallMilliseconds: Self.wall)
    }

    /// The view of a member that has the event of the new epoch, but not its key yet.
    package func recipient(of rekey: Event) -> ToldMember? {
        guard let last = devices.last else { return nil }
        var group = group
        guard group.add(controls: [rekey.bytes]).count == 1 else { return nil }
        return ToldMember(group: group, keys: last, epoch: EpochID(raw: rekey.id.raw), eventBytes: rekey.bytes.count)
    }

    /// A member that has yet to open its wrap.
    package struct ToldMember: Sendable {
        let group: TourGroup
        let keys: MemberKeys
        let epoch: EpochID
        /// The size of the rekey event.
        package let eventBytes: Int

        /// Opens the member's own wrap and checks the key against the commitment.
        package func opens() -> Bool {
            var group = group
            return group.unwrap(for: keys.memberID, by: [keys.wrapping]).learnt == [epoch]
        }
    }

    /// Verifies the whole log as others receive it, one signature a run.
    /// - Returns: the events that verified.
    package func verifyRuns() -> Int {
        runs.reduce(0) { count, run in
            let verified = try? VerifiedRun(run, tour: group.tour, identity: devices[0].identity.publicKey)
            return count + (verified?.events.count ?? 0)
        }
    }

    /// Verifies one signature alone: the measure for comparing machines.
    package func verifySignature() -> Bool {
        devices[0].identity.publicKey.verifies(signature, of: Self.message)
    }

    /// A whole handshake of two members, both sides.
    package func handshake() -> Bool {
        func side(_ role: HandshakeState.Role, _ keys: MemberKeys) -> HandshakeState {
            HandshakeState(
                pattern: .XXpsk0, role: role, prologue: Self.message, psk: linkSecret, localStatic: keys.link)
        }
        var here = side(.initiator, devices[0])
        var there = side(.responder, devices[1])
        do {
            _ = try there.readMessage(try here.writeMessage())
            _ = try here.readMessage(try there.writeMessage())
            _ = try there.readMessage(try here.writeMessage())
        } catch { return false }
        return here.isFinished && there.isFinished
    }
}
