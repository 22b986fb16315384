import TourGroup
import TourModel
import TourWire

/// Control events, cut into messages that a link can carry.
package enum ControlBatches {
    /// - Parameter events: in exact bytes, in the order in which they are to arrive.
    package static func cut(_ events: [[UInt8]]) -> [[[UInt8]]] {
        var batches = [[[UInt8]]]()
        var bytes = 0
        for event in events {
            if batches.isEmpty || bytes + event.count > Limits.linkMessageBytesMax / 2 {
                batches.append([])
                bytes = 0
            }
            batches[batches.count - 1].append(event)
            bytes += event.count
        }
        return batches
    }
}

extension TourGroup {
    /// The control events that a peer lacks, without the leave of a member that has left: a peer that learns of it
    /// accepts nothing more from that member, so the leave comes as the end of its log, after everything before.
    func controls(missingFrom index: [EventName], keepingLeaveOf member: MemberID?) -> [[UInt8]] {
        let missing = controls(missingFrom: index)
        guard let member else { return missing }
        return missing.filter { !Self.isLeave($0, of: member) }
    }

    /// The leave of a member by itself: for a peer that claims to have all of the member's log and keeps the link, so
    /// that it must hold another event at the log's end. The leave shows it that the log forks.
    package func leave(of member: MemberID) -> [[UInt8]] {
        controls(missingFrom: []).filter { Self.isLeave($0, of: member) }
    }

    private static func isLeave(_ bytes: [UInt8], of member: MemberID) -> Bool {
        guard let raw = try? RawEvent(decoding: bytes), raw.header.author == member,
            case .leave? = try? ControlBody(decoding: raw.body)
        else { return false }
        return true
    }
}
