import TourModel

// Answers with one member: a list, or a value that there may not be. Source: `Protocol/Schema/local-api.yaml`.

package struct TourListing: Encodable, JSONObject {
    package var tours: [TourSummary]
}

package struct InviteList: Encodable, JSONObject {
    package var invites: [InviteSummary]
    /// The values of a new code that asks for no others.
    package var usesStandard: Int
    package var expiresSecondsStandard: Int64
}

package struct NearbyTours: Encodable, JSONObject {
    package var tours: [NearbyTour]
}

package struct SharedRecords: Encodable, JSONObject {
    package var records: [SharedSummary]
}

package struct FileList: Encodable, JSONObject {
    package var files: [FileSummary]
}

package struct AlarmList: Encodable, JSONObject {
    package var alarms: [AlarmView]
}

package struct UrgentList: Encodable, JSONObject {
    package var urgent: [UrgentView]
}

package struct CheckList: Encodable, JSONObject {
    package var checks: [Check]
}

package struct MeetingBody: Encodable, JSONObject {
    @Nullable package var meeting: MeetingView?
}

package struct RollBody: Encodable, JSONObject {
    @Nullable package var roll: RollView?
}

package struct RollList: Encodable, JSONObject {
    package var rolls: [RollView]
}

package struct BuddyGroups: Encodable, JSONObject {
    package var groups: [BuddyGroupView]
}
