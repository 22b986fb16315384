import TourCrypto
import TourGroup
import TourLink
import TourModel
import TourWire

extension TourGroup {
    /// The tour as a member's answer to our request to join shows it.
    /// - Parameters:
    ///   - own: our id, under the keys that asked.
    ///   - controls: the control events of the answer, in exact bytes.
    /// - Returns: nil unless the member and we are in the tour, and a key opens it.
    package init?(welcoming own: MemberID, by peer: LinkPeer, _ controls: [[UInt8]], _ epochs: [EpochSecret]) {
        guard case .host(let identity, let genesis) = peer.kind, var group = try? TourGroup(genesis: genesis) else {
            return nil
        }
        _ = group.add(controls: controls)
        for epoch in epochs { group.learn(epoch: epoch.epoch, key: SecretBytes(epoch.key.bytes)) }
        let host = MemberID(identity: identity)
        guard group.currentEpoch != nil, group.roster.members[host]?.linkKey == peer.linkKey,
            group.roster.members[own] != nil
        else { return nil }
        self = group
    }
}
