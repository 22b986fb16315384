import TourBlob
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourStore

// Tells receivers of casts what to listen for, and where.
extension TourNode {
    /// A cast of which the socket accepted nothing for this long has no way out, and ends.
    private static let castStuckTime: Duration = .seconds(10)

    /// Once a second, when a file opens, and when segments change.
    func refreshCasts(of session: TourSession) {
        let desk = session.casts
        let segments = session.wantsLinks && !isStopping ? session.segments : []
        for id in desk.segments.keys where !segments.contains(id) { leaveCasts(on: id, session) }
        guard !session.files.open.isEmpty else { return }
        for id in segments {
            if desk.segments[id] == nil { desk.add(id) }
            listen(on: id, session)
        }
    }

    private func listen(on id: SegmentID, _ session: TourSession) {
        let casters = session.gossip.listeners(on: id, now: NodeClock.now).heard
        let keyring = session.group.keyring
        if session.casts.segments[id]?.listens(with: keyring.revision, to: casters) == true {
            feed(session, cast: .keys(keyring.heardKeys, casters: casters.sorted()), on: id)
        }
        for (blob, file) in session.files.open.sorted(by: { $0.key < $1.key }) {
            let have = file.have
            guard !have.isFull else { continue }
            feed(session, cast: .want(blob, file.shape, have: have, pages: Set(file.pages.keys)), on: id)
        }
    }

    private func leaveCasts(on id: SegmentID, _ session: TourSession) {
        feed(session, cast: .leave, on: id)
        guard let segment = session.casts.remove(id) else { return }
        let now = NodeClock.now
        for blob in segment.followed.keys { notifySwarm(of: blob, session, now) }
        for blob in segment.sending { settleCast(of: blob, session) }
    }

    /// Passes on to the casts those inputs of the swarm that concern them.
    func notifyCasts(of input: BlobMachine.Input, _ session: TourSession) {
        let desk = session.casts
        switch input {
        case .stored(let blob, let chunk):
            for id in desk.segments.keys { feed(session, cast: .have(blob, chunk), on: id) }
        case .storeFailed(let blob, let chunk):
            for id in desk.segments.keys { feed(session, cast: .lost(blob, chunk), on: id) }
        case .close(let blob):
            dropPending(blob, session)
            for (id, segment) in desk.segments {
                segment.followed[blob] = nil
                feed(session, cast: .forget(blob), on: id)
                if segment.sending.contains(blob) { feed(session, ownCast: .stop(blob), on: id) }
            }
        default: break
        }
    }

    /// The chunks of this page can be verified from now on.
    func notifyCasts(of page: Int, _ blob: BlobID, _ session: TourSession) {
        for id in session.casts.segments.keys { feed(session, cast: .page(blob, page), on: id) }
    }

    /// A chunk received by a cast does not belong to the file.
    func misheard(_ chunk: Int, of blob: BlobID, _ session: TourSession) {
        count(BlobFault.falseChunk)
        for id in session.casts.segments.keys { feed(session, cast: .wrong(blob, chunk), on: id) }
    }

    func tickCasts(of session: TourSession, now: Instant) {
        refreshCasts(of: session)
        for (id, segment) in session.casts.segments where !segment.sending.isEmpty {
            let isStuck = now - segment.sentAt > Self.castStuckTime
            for blob in segment.sending {
                if isStuck { feed(session, ownCast: .stop(blob), on: id) } else { withholdForCast(of: blob, session) }
            }
        }
    }
}
