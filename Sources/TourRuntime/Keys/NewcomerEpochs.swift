import TourGroup
import TourModel

/// Without full history a newcomer reads nothing from before its admission: where the admitting member may rekey, a new
/// epoch begins with the newcomer. Newcomers who join shortly after each other share an epoch, and after very many in
/// one day a newcomer enters the existing epoch if that is young: each epoch uses part of its author's share.
enum NewcomerEpochs {
    private static let dayMilliseconds: Int64 = 86_400_000
    /// Epochs for newcomers that may begin without a pause within a minute; after them each waits this long, in
    /// milliseconds: a joiner waits three times as long.
    private static let atOnceMax = 6
    private static let pause: Int64 = 10_000
    /// After this many epochs in a day a newcomer shares one that is no older than this, in milliseconds.
    private static let ofDayMax = 60
    private static let sharedAgeMax: Int64 = 1_800_000

    /// - Parameter wallMilliseconds: the time for events that we write.
    static func verdict(
        on newcomer: MemberID, by own: MemberID, in group: TourGroup, wallMilliseconds wall: Int64
    ) -> NewcomerEpoch {
        let keyring = group.keyring
        let heads = keyring.graph.heads.compactMap { keyring.graph.epochs[$0] }
        guard !heads.allSatisfy({ $0.names(newcomer) }), keyring.holders.rekeyers.contains(own) else { return .none }
        let age = wall - (heads.map(\.clock.milliseconds).max() ?? 0)
        if group.epochs(since: wall - dayMilliseconds) >= ofDayMax, (0..<sharedAgeMax).contains(age) { return .none }
        let isCrowded = group.epochs(since: wall - 60_000) >= atOnceMax
        return isCrowded && (0..<pause).contains(age) ? .later : .begins
    }
}
