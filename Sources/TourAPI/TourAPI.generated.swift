// Made by Scripts/generate-api.

import TourModel

extension AccountOverview {
    package init(
        server: String, email: String?, emailProven: Bool, phone: String?, role: String, hasPassword: Bool,
        secondFactor: SecondFactor, sessions: [Session], _: Void = ()
    ) {
        self.init(
            server: server, email: email, emailProven: emailProven, phone: phone, role: role,
            hasPassword: hasPassword, secondFactor: secondFactor, sessions: sessions)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            server: members["server"], email: members["email"], emailProven: members["emailProven"],
            phone: members["phone"], role: members["role"], hasPassword: members["hasPassword"],
            secondFactor: members["secondFactor"], sessions: members["sessions"])
    }
}

extension AccountOverview.SecondFactor {
    package init(on: Bool, required: Bool, recoveryCodesLeft: Int, _: Void = ()) {
        self.init(on: on, required: required, recoveryCodesLeft: recoveryCodesLeft)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(on: members["on"], required: members["required"], recoveryCodesLeft: members["recoveryCodesLeft"])
    }
}

extension AccountOverview.Session {
    package init(
        id: String, current: Bool, device: String?, network: String?, since: String, lastUsed: String, _: Void = ()
    ) {
        self.init(id: id, current: current, device: device, network: network, since: since, lastUsed: lastUsed)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], current: members["current"], device: members["device"], network: members["network"],
            since: members["since"], lastUsed: members["lastUsed"])
    }
}

extension BegunSecondFactor {
    package init(secret: String, uri: String, _: Void = ()) {
        self.init(secret: secret, uri: uri)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(secret: members["secret"], uri: members["uri"])
    }
}

extension RecoveryCodes {
    package init(recoveryCodes: [String], _: Void = ()) {
        self.init(recoveryCodes: recoveryCodes)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(recoveryCodes: members["recoveryCodes"])
    }
}

extension Organisation {
    package init(
        id: Int64, name: String, role: OrganisationRole, createdAt: String, joinedAt: String?, invitation: Int64?,
        _: Void = ()
    ) {
        self.init(id: id, name: name, role: role, createdAt: createdAt, joinedAt: joinedAt, invitation: invitation)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], name: members["name"], role: members["role"], createdAt: members["createdAt"],
            joinedAt: members["joinedAt"], invitation: members["invitation"])
    }
}

extension OrganisationMember {
    package init(
        account: Int64, role: OrganisationRole, joinedAt: String, tours: Int, email: String?, phone: String?,
        own: Bool, _: Void = ()
    ) {
        self.init(account: account, role: role, joinedAt: joinedAt, tours: tours, email: email, phone: phone, own: own)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            account: members["account"], role: members["role"], joinedAt: members["joinedAt"],
            tours: members["tours"], email: members["email"], phone: members["phone"], own: members["own"])
    }
}

extension OrganisationInvitation {
    package init(
        id: Int64, role: OrganisationRole, email: String?, phone: String?, code: String?, createdAt: String,
        expiresAt: String, _: Void = ()
    ) {
        self.init(
            id: id, role: role, email: email, phone: phone, code: code, createdAt: createdAt, expiresAt: expiresAt)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], role: members["role"], email: members["email"], phone: members["phone"],
            code: members["code"], createdAt: members["createdAt"], expiresAt: members["expiresAt"])
    }
}

extension OrganisationTour {
    package init(
        id: String, name: String, account: Int64?, planned: Bool, active: Bool, startDate: String?, endDate: String?,
        createdAt: String, _: Void = ()
    ) {
        self.init(
            id: id, name: name, account: account, planned: planned, active: active, startDate: startDate,
            endDate: endDate, createdAt: createdAt)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], name: members["name"], account: members["account"], planned: members["planned"],
            active: members["active"], startDate: members["startDate"], endDate: members["endDate"],
            createdAt: members["createdAt"])
    }
}

extension OrganisationListing {
    package init(organisations: [Organisation], _: Void = ()) {
        self.init(organisations: organisations)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(organisations: members["organisations"])
    }
}

extension OrganisationMemberList {
    package init(members: [OrganisationMember], _: Void = ()) {
        self.init(members: members)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(members: members["members"])
    }
}

extension OrganisationInvitationList {
    package init(invitations: [OrganisationInvitation], _: Void = ()) {
        self.init(invitations: invitations)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(invitations: members["invitations"])
    }
}

extension OrganisationTourList {
    package init(tours: [OrganisationTour], _: Void = ()) {
        self.init(tours: tours)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(tours: members["tours"])
    }
}

extension FileSummary {
    package init(
        id: String, blobID: String, tourID: String, type: String, name: String, media: String?, size: UInt64,
        caption: String?, width: UInt32?, height: UInt32?, authorID: String, authorName: String, sentAt: String,
        mine: Bool, state: FileState, have: UInt64, complete: Bool, peers: Int, holders: Int, bytesPerSecond: UInt64,
        _: Void = ()
    ) {
        self.init(
            id: id, blobID: blobID, tourID: tourID, type: type, name: name, media: media, size: size,
            caption: caption, width: width, height: height, authorID: authorID, authorName: authorName,
            sentAt: sentAt, mine: mine, state: state, have: have, complete: complete, peers: peers, holders: holders,
            bytesPerSecond: bytesPerSecond)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], blobID: members["blobID"], tourID: members["tourID"], type: members["type"],
            name: members["name"], media: members["media"], size: members["size"], caption: members["caption"],
            width: members["width"], height: members["height"], authorID: members["authorID"],
            authorName: members["authorName"], sentAt: members["sentAt"], mine: members["mine"],
            state: members["state"], have: members["have"], complete: members["complete"], peers: members["peers"],
            holders: members["holders"], bytesPerSecond: members["bytesPerSecond"])
    }
}

extension FilesStatus {
    package init(
        policy: String, count: Int, complete: Int, bytes: UInt64, fetching: Int, atServer: Int, casts: Int,
        bytesPerSecond: UInt64, _: Void = ()
    ) {
        self.init(
            policy: policy, count: count, complete: complete, bytes: bytes, fetching: fetching, atServer: atServer,
            casts: casts, bytesPerSecond: bytesPerSecond)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            policy: members["policy"], count: members["count"], complete: members["complete"],
            bytes: members["bytes"], fetching: members["fetching"], atServer: members["atServer"],
            casts: members["casts"], bytesPerSecond: members["bytesPerSecond"])
    }
}

extension SavedFile {
    package init(id: String, path: String, size: UInt64, _: Void = ()) {
        self.init(id: id, path: path, size: size)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(id: members["id"], path: members["path"], size: members["size"])
    }
}

extension SentFile {
    package init(
        id: String, seq: UInt64, status: MessageStatus, blobID: String, name: String, size: UInt64, _: Void = ()
    ) {
        self.init(id: id, seq: seq, status: status, blobID: blobID, name: name, size: size)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], seq: members["seq"], status: members["status"], blobID: members["blobID"],
            name: members["name"], size: members["size"])
    }
}

extension KeyStep {
    package init(event: Kind, percent: Int, storageKey: String? = nil, _: Void = ()) {
        self.init(event: event, percent: percent, storageKey: storageKey)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(event: members["event"], percent: members["percent"], storageKey: members["storageKey"])
    }
}

extension KeyState {
    package init(storageKey: String, _: Void = ()) {
        self.init(storageKey: storageKey)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(storageKey: members["storageKey"])
    }
}

extension BackupStep {
    package init(event: Kind, percent: Int, path: String, _: Void = ()) {
        self.init(event: event, percent: percent, path: path)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(event: members["event"], percent: members["percent"], path: members["path"])
    }
}

extension FileView {
    package init(
        name: String, media: String? = nil, size: UInt64, caption: String? = nil, width: UInt32? = nil,
        height: UInt32? = nil, thumbnail: String? = nil, complete: Bool, have: UInt64, _: Void = ()
    ) {
        self.init(
            name: name, media: media, size: size, caption: caption, width: width, height: height,
            thumbnail: thumbnail, complete: complete, have: have)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            name: members["name"], media: members["media"], size: members["size"], caption: members["caption"],
            width: members["width"], height: members["height"], thumbnail: members["thumbnail"],
            complete: members["complete"], have: members["have"])
    }
}

extension Message.Alone {
    package init(memberID: String, name: String, _: Void = ()) {
        self.init(memberID: memberID, name: name)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(memberID: members["memberID"], name: members["name"])
    }
}

extension WordedNote {
    package init(kind: String, memberID: String?, me: Bool, text: String, state: TourState, _: Void = ()) {
        self.init(kind: kind, memberID: memberID, me: me, text: text, state: state)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            kind: members["kind"], memberID: members["memberID"], me: members["me"], text: members["text"],
            state: members["state"])
    }
}

extension Receipts {
    package init(
        id: String, status: MessageStatus, counts: Counts, missing: [String], members: [Entry], reason: String?,
        _: Void = ()
    ) {
        self.init(id: id, status: status, counts: counts, missing: missing, members: members, reason: reason)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], status: members["status"], counts: members["counts"], missing: members["missing"],
            members: members["members"], reason: members["reason"])
    }
}

extension Receipts.Moment {
    package init(atMost: String?, _: Void = ()) {
        self.init(atMost: atMost)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(atMost: members["atMost"])
    }
}

extension Receipts.Entry {
    package init(
        memberID: String, name: String, state: String, delivered: Receipts.Moment?, read: Receipts.Moment?,
        understood: String?, hops: Int?, near: Bool, by: GuestHost?, _: Void = ()
    ) {
        self.init(
            memberID: memberID, name: name, state: state, delivered: delivered, read: read, understood: understood,
            hops: hops, near: near, by: by)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            memberID: members["memberID"], name: members["name"], state: members["state"],
            delivered: members["delivered"], read: members["read"], understood: members["understood"],
            hops: members["hops"], near: members["near"], by: members["by"])
    }
}

extension Receipts.Counts {
    package init(members: Int, delivered: Int, read: Int, understood: Int?, _: Void = ()) {
        self.init(members: members, delivered: delivered, read: read, understood: understood)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            members: members["members"], delivered: members["delivered"], read: members["read"],
            understood: members["understood"])
    }
}

extension SentMessage {
    package init(id: String, seq: UInt64, status: MessageStatus, _: Void = ()) {
        self.init(id: id, seq: seq, status: status)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(id: members["id"], seq: members["seq"], status: members["status"])
    }
}

extension WithdrawnMessage {
    package init(id: String, status: MessageStatus, _: Void = ()) {
        self.init(id: id, status: status)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(id: members["id"], status: members["status"])
    }
}

extension NotebookImport {
    package init(
        added: Int, changed: Int, unchanged: Int, different: Int, skippedCount: Int, skipped: [Skipped],
        partialCount: Int, partial: [Skipped], unreadColumns: [String], isEncodingGuessed: Bool, unnamedPoints: Int,
        otherKinds: Int, rows: [Row], _: Void = ()
    ) {
        self.init(
            added: added, changed: changed, unchanged: unchanged, different: different, skippedCount: skippedCount,
            skipped: skipped, partialCount: partialCount, partial: partial, unreadColumns: unreadColumns,
            isEncodingGuessed: isEncodingGuessed, unnamedPoints: unnamedPoints, otherKinds: otherKinds, rows: rows)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            added: members["added"], changed: members["changed"], unchanged: members["unchanged"],
            different: members["different"], skippedCount: members["skippedCount"], skipped: members["skipped"],
            partialCount: members["partialCount"], partial: members["partial"],
            unreadColumns: members["unreadColumns"], isEncodingGuessed: members["isEncodingGuessed"],
            unnamedPoints: members["unnamedPoints"], otherKinds: members["otherKinds"], rows: members["rows"])
    }
}

extension NotebookImport.Skipped {
    package init(number: Int, title: String, reason: String, _: Void = ()) {
        self.init(number: number, title: title, reason: reason)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(number: members["number"], title: members["title"], reason: members["reason"])
    }
}

extension NotebookImport.Row {
    package init(number: Int, title: String, result: String, reason: String? = nil, _: Void = ()) {
        self.init(number: number, title: title, result: result, reason: reason)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            number: members["number"], title: members["title"], result: members["result"], reason: members["reason"])
    }
}

extension AlarmView {
    package init(
        id: String, memberID: String, name: String, by: GuestHost?, mine: Bool, open: Bool, guidesOnly: Bool,
        text: String, at: String, location: FixView?, near: [String], batteryPercent: Int?, answers: [Answer],
        answered: String?, leads: Bool, guides: Int, guidesReached: Int, _: Void = ()
    ) {
        self.init(
            id: id, memberID: memberID, name: name, by: by, mine: mine, open: open, guidesOnly: guidesOnly,
            text: text, at: at, location: location, near: near, batteryPercent: batteryPercent, answers: answers,
            answered: answered, leads: leads, guides: guides, guidesReached: guidesReached)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], memberID: members["memberID"], name: members["name"], by: members["by"],
            mine: members["mine"], open: members["open"], guidesOnly: members["guidesOnly"], text: members["text"],
            at: members["at"], location: members["location"], near: members["near"],
            batteryPercent: members["batteryPercent"], answers: members["answers"], answered: members["answered"],
            leads: members["leads"], guides: members["guides"], guidesReached: members["guidesReached"])
    }
}

extension AlarmView.Answer {
    package init(memberID: String, name: String, answer: String, at: String, _: Void = ()) {
        self.init(memberID: memberID, name: name, answer: answer, at: at)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            memberID: members["memberID"], name: members["name"], answer: members["answer"], at: members["at"])
    }
}

extension FixView {
    package init(latitude: Double, longitude: Double, accuracyMetres: UInt32?, fixedAt: String?, _: Void = ()) {
        self.init(latitude: latitude, longitude: longitude, accuracyMetres: accuracyMetres, fixedAt: fixedAt)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            latitude: members["latitude"], longitude: members["longitude"], accuracyMetres: members["accuracyMetres"],
            fixedAt: members["fixedAt"])
    }
}

extension MeetingView {
    package init(
        id: String, by: String, text: String, latitude: Double?, longitude: Double?, label: String?, meetAt: String?,
        secondsLeft: Int?, expiresAt: String?, expired: Bool, photo: FileView?, answers: [Answer],
        unanswered: [String], insteadOf: Rival?, _: Void = ()
    ) {
        self.init(
            id: id, by: by, text: text, latitude: latitude, longitude: longitude, label: label, meetAt: meetAt,
            secondsLeft: secondsLeft, expiresAt: expiresAt, expired: expired, photo: photo, answers: answers,
            unanswered: unanswered, insteadOf: insteadOf)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], by: members["by"], text: members["text"], latitude: members["latitude"],
            longitude: members["longitude"], label: members["label"], meetAt: members["meetAt"],
            secondsLeft: members["secondsLeft"], expiresAt: members["expiresAt"], expired: members["expired"],
            photo: members["photo"], answers: members["answers"], unanswered: members["unanswered"],
            insteadOf: members["insteadOf"])
    }
}

extension MeetingView.Answer {
    package init(memberID: String, name: String, answer: String, minutes: UInt32?, at: String, _: Void = ()) {
        self.init(memberID: memberID, name: name, answer: answer, minutes: minutes, at: at)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            memberID: members["memberID"], name: members["name"], answer: members["answer"],
            minutes: members["minutes"], at: members["at"])
    }
}

extension MeetingView.Rival {
    package init(name: String, text: String, mine: Bool, _: Void = ()) {
        self.init(name: name, text: text, mine: mine)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(name: members["name"], text: members["text"], mine: members["mine"])
    }
}

extension MemberPosition {
    package init(
        latitude: Double, longitude: Double, accuracyMetres: UInt32?, fixedAt: String, ageSeconds: Int, live: Bool,
        until: String, distanceMetres: Int?, bearingDegrees: Int?, direction: String?, _: Void = ()
    ) {
        self.init(
            latitude: latitude, longitude: longitude, accuracyMetres: accuracyMetres, fixedAt: fixedAt,
            ageSeconds: ageSeconds, live: live, until: until, distanceMetres: distanceMetres,
            bearingDegrees: bearingDegrees, direction: direction)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            latitude: members["latitude"], longitude: members["longitude"], accuracyMetres: members["accuracyMetres"],
            fixedAt: members["fixedAt"], ageSeconds: members["ageSeconds"], live: members["live"],
            until: members["until"], distanceMetres: members["distanceMetres"],
            bearingDegrees: members["bearingDegrees"], direction: members["direction"])
    }
}

extension SharingStatus {
    package init(sharing: Bool, until: String?, position: FixView?, problem: Problem?, _: Void = ()) {
        self.init(sharing: sharing, until: until, position: position, problem: problem)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            sharing: members["sharing"], until: members["until"], position: members["position"],
            problem: members["problem"])
    }
}

extension UrgentView {
    package init(
        id: String, memberID: String, name: String, mine: Bool, text: String, at: String, understood: Bool,
        understoodBy: Int, members: Int, waiting: [String], _: Void = ()
    ) {
        self.init(
            id: id, memberID: memberID, name: name, mine: mine, text: text, at: at, understood: understood,
            understoodBy: understoodBy, members: members, waiting: waiting)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], memberID: members["memberID"], name: members["name"], mine: members["mine"],
            text: members["text"], at: members["at"], understood: members["understood"],
            understoodBy: members["understoodBy"], members: members["members"], waiting: members["waiting"])
    }
}

extension QuietView {
    package init(on: Bool, by: String?, at: String?, leads: Bool, _: Void = ()) {
        self.init(on: on, by: by, at: at, leads: leads)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(on: members["on"], by: members["by"], at: members["at"], leads: members["leads"])
    }
}

extension TourListing {
    package init(tours: [TourSummary], _: Void = ()) {
        self.init(tours: tours)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(tours: members["tours"])
    }
}

extension InviteList {
    package init(invites: [InviteSummary], usesStandard: Int, expiresSecondsStandard: Int64, _: Void = ()) {
        self.init(invites: invites, usesStandard: usesStandard, expiresSecondsStandard: expiresSecondsStandard)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            invites: members["invites"], usesStandard: members["usesStandard"],
            expiresSecondsStandard: members["expiresSecondsStandard"])
    }
}

extension NearbyTours {
    package init(tours: [NearbyTour], _: Void = ()) {
        self.init(tours: tours)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(tours: members["tours"])
    }
}

extension SharedRecords {
    package init(records: [SharedSummary], _: Void = ()) {
        self.init(records: records)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(records: members["records"])
    }
}

extension FileList {
    package init(files: [FileSummary], _: Void = ()) {
        self.init(files: files)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(files: members["files"])
    }
}

extension AlarmList {
    package init(alarms: [AlarmView], _: Void = ()) {
        self.init(alarms: alarms)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(alarms: members["alarms"])
    }
}

extension UrgentList {
    package init(urgent: [UrgentView], _: Void = ()) {
        self.init(urgent: urgent)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(urgent: members["urgent"])
    }
}

extension CheckList {
    package init(checks: [Check], _: Void = ()) {
        self.init(checks: checks)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(checks: members["checks"])
    }
}

extension MeetingBody {
    package init(meeting: MeetingView?, _: Void = ()) {
        self.init(meeting: meeting)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(meeting: members["meeting"])
    }
}

extension RollBody {
    package init(roll: RollView?, _: Void = ()) {
        self.init(roll: roll)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(roll: members["roll"])
    }
}

extension RollList {
    package init(rolls: [RollView], _: Void = ()) {
        self.init(rolls: rolls)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(rolls: members["rolls"])
    }
}

extension BuddyGroups {
    package init(groups: [BuddyGroupView], _: Void = ()) {
        self.init(groups: groups)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(groups: members["groups"])
    }
}

extension RollView {
    package init(
        id: String, calls: [String], memberID: String, name: String, alsoBy: [String], text: String,
        unshown: [Unshown], at: String, until: String, overdue: Bool, open: Bool, endedAt: String?, endedBy: String?,
        leads: Bool, asked: Bool, here: Int, all: Int, members: [Entry], _: Void = ()
    ) {
        self.init(
            id: id, calls: calls, memberID: memberID, name: name, alsoBy: alsoBy, text: text, unshown: unshown,
            at: at, until: until, overdue: overdue, open: open, endedAt: endedAt, endedBy: endedBy, leads: leads,
            asked: asked, here: here, all: all, members: members)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], calls: members["calls"], memberID: members["memberID"], name: members["name"],
            alsoBy: members["alsoBy"], text: members["text"], unshown: members["unshown"], at: members["at"],
            until: members["until"], overdue: members["overdue"], open: members["open"], endedAt: members["endedAt"],
            endedBy: members["endedBy"], leads: members["leads"], asked: members["asked"], here: members["here"],
            all: members["all"], members: members["members"])
    }
}

extension RollView.Entry {
    package init(
        memberID: String, name: String, namesake: String?, state: RollView.State, by: String?, seen: Bool,
        at: String?, near: Bool, buddy: Bool, guestBy: GuestHost?, _: Void = ()
    ) {
        self.init(
            memberID: memberID, name: name, namesake: namesake, state: state, by: by, seen: seen, at: at, near: near,
            buddy: buddy, guestBy: guestBy)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            memberID: members["memberID"], name: members["name"], namesake: members["namesake"],
            state: members["state"], by: members["by"], seen: members["seen"], at: members["at"],
            near: members["near"], buddy: members["buddy"], guestBy: members["guestBy"])
    }
}

extension RollView.Unshown {
    package init(name: String, text: String, mine: Bool, _: Void = ()) {
        self.init(name: name, text: text, mine: mine)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(name: members["name"], text: members["text"], mine: members["mine"])
    }
}

extension BuddyGroupView {
    package init(members: [Member], _: Void = ()) {
        self.init(members: members)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(members: members["members"])
    }
}

extension BuddyGroupView.Member {
    package init(memberID: String, name: String, _: Void = ()) {
        self.init(memberID: memberID, name: name)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(memberID: members["memberID"], name: members["name"])
    }
}

extension StragglerView {
    package init(minutes: Int?, stragglers: [Straggler], _: Void = ()) {
        self.init(minutes: minutes, stragglers: stragglers)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(minutes: members["minutes"], stragglers: members["stragglers"])
    }
}

extension StragglerView.Straggler {
    package init(
        memberID: String, name: String, lastSeen: String, hops: Int?, position: MemberPosition?, by: GuestHost?,
        _: Void = ()
    ) {
        self.init(memberID: memberID, name: name, lastSeen: lastSeen, hops: hops, position: position, by: by)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            memberID: members["memberID"], name: members["name"], lastSeen: members["lastSeen"],
            hops: members["hops"], position: members["position"], by: members["by"])
    }
}

extension SeatsView {
    package init(
        on: Bool, mayGive: Bool, max: Int, link: String?, plainLink: String?, digits: String?, usesLeft: Int,
        secondsLeft: Int64, guests: [Guest], hosts: [Host], _: Void = ()
    ) {
        self.init(
            on: on, mayGive: mayGive, max: max, link: link, plainLink: plainLink, digits: digits, usesLeft: usesLeft,
            secondsLeft: secondsLeft, guests: guests, hosts: hosts)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            on: members["on"], mayGive: members["mayGive"], max: members["max"], link: members["link"],
            plainLink: members["plainLink"], digits: members["digits"], usesLeft: members["usesLeft"],
            secondsLeft: members["secondsLeft"], guests: members["guests"], hosts: members["hosts"])
    }
}

extension SeatsView.Guest {
    package init(memberID: String, name: String, here: Bool, _: Void = ()) {
        self.init(memberID: memberID, name: name, here: here)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(memberID: members["memberID"], name: members["name"], here: members["here"])
    }
}

extension SeatsView.Host {
    package init(memberID: String, name: String, guests: Int, mayGive: Bool, _: Void = ()) {
        self.init(memberID: memberID, name: name, guests: guests, mayGive: mayGive)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            memberID: members["memberID"], name: members["name"], guests: members["guests"],
            mayGive: members["mayGive"])
    }
}

extension SharedChangesView {
    package init(since: UInt64, fields: [Field], lines: [Line], stops: [StopChange], _: Void = ()) {
        self.init(since: since, fields: fields, lines: lines, stops: stops)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            since: members["since"], fields: members["fields"], lines: members["lines"], stops: members["stops"])
    }
}

extension SharedChangesView.Field {
    package init(field: String, before: String, now: String, _: Void = ()) {
        self.init(field: field, before: before, now: now)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(field: members["field"], before: members["before"], now: members["now"])
    }
}

extension SharedChangesView.Line {
    package init(change: String, line: Int, text: String, _: Void = ()) {
        self.init(change: change, line: line, text: text)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(change: members["change"], line: members["line"], text: members["text"])
    }
}

extension SharedChangesView.StopChange {
    package init(change: String, id: String, title: String, from: Int?, to: Int?, fields: [String], _: Void = ()) {
        self.init(change: change, id: id, title: title, from: from, to: to, fields: fields)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            change: members["change"], id: members["id"], title: members["title"], from: members["from"],
            to: members["to"], fields: members["fields"])
    }
}

extension SharedRecordView.StopView {
    package init(
        id: String, title: String, kind: String, note: String?, latitude: Double?, longitude: Double?, at: String?,
        _: Void = ()
    ) {
        self.init(id: id, title: title, kind: kind, note: note, latitude: latitude, longitude: longitude, at: at)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], title: members["title"], kind: members["kind"], note: members["note"],
            latitude: members["latitude"], longitude: members["longitude"], at: members["at"])
    }
}

extension SharedSummary {
    package init(
        record: String, type: String, title: String, version: UInt64, authorID: String, authorName: String,
        messageID: String, publishedAt: String, stops: Int?, _: Void = ()
    ) {
        self.init(
            record: record, type: type, title: title, version: version, authorID: authorID, authorName: authorName,
            messageID: messageID, publishedAt: publishedAt, stops: stops)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            record: members["record"], type: members["type"], title: members["title"], version: members["version"],
            authorID: members["authorID"], authorName: members["authorName"], messageID: members["messageID"],
            publishedAt: members["publishedAt"], stops: members["stops"])
    }
}

extension PublishedRecord {
    package init(
        id: String, status: MessageStatus, record: String, type: String, title: String, version: UInt64, _: Void = ()
    ) {
        self.init(id: id, status: status, record: record, type: type, title: title, version: version)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], status: members["status"], record: members["record"], type: members["type"],
            title: members["title"], version: members["version"])
    }
}

extension CopiedRecord {
    package init(id: String, type: String, title: String, _: Void = ()) {
        self.init(id: id, type: type, title: title)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(id: members["id"], type: members["type"], title: members["title"])
    }
}

extension HotspotStatus {
    package init(
        state: String, name: String?, password: String?, code: String?, band: String?, security: String?,
        interface: String?, replaces: String?, problem: Problem?, _: Void = ()
    ) {
        self.init(
            state: state, name: name, password: password, code: code, band: band, security: security,
            interface: interface, replaces: replaces, problem: problem)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            state: members["state"], name: members["name"], password: members["password"], code: members["code"],
            band: members["band"], security: members["security"], interface: members["interface"],
            replaces: members["replaces"], problem: members["problem"])
    }
}

extension PageReport {
    package init(version: String, features: Features, languages: [String], address: String?, _: Void = ()) {
        self.init(version: version, features: features, languages: languages, address: address)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            version: members["version"], features: members["features"], languages: members["languages"],
            address: members["address"])
    }
}

extension PageReport.Features {
    package init(scan: Bool, qr: Bool, print: Bool, pictures: Bool, _: Void = ()) {
        self.init(scan: scan, qr: qr, print: print, pictures: pictures)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(scan: members["scan"], qr: members["qr"], print: members["print"], pictures: members["pictures"])
    }
}

extension PageEntry {
    package init(address: String, _: Void = ()) {
        self.init(address: address)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(address: members["address"])
    }
}

extension PathCounts {
    package init(untested: Int = 0, working: Int = 0, blocked: Int = 0, off: Int = 0, _: Void = ()) {
        self.init(untested: untested, working: working, blocked: blocked, off: off)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            untested: members["untested"], working: members["working"], blocked: members["blocked"],
            off: members["off"])
    }
}

extension Peers {
    package init(peers: [Link], candidates: [Seen], _: Void = ()) {
        self.init(peers: peers, candidates: candidates)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(peers: members["peers"], candidates: members["candidates"])
    }
}

extension Peers.Link {
    package init(
        memberID: String?, name: String, address: String, port: Int, direction: String, state: String, since: String,
        datagrams: String, rttMilliseconds: Double?, lossPercent: Double?, queuedBytes: Int, lagging: Bool,
        _: Void = ()
    ) {
        self.init(
            memberID: memberID, name: name, address: address, port: port, direction: direction, state: state,
            since: since, datagrams: datagrams, rttMilliseconds: rttMilliseconds, lossPercent: lossPercent,
            queuedBytes: queuedBytes, lagging: lagging)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            memberID: members["memberID"], name: members["name"], address: members["address"], port: members["port"],
            direction: members["direction"], state: members["state"], since: members["since"],
            datagrams: members["datagrams"], rttMilliseconds: members["rttMilliseconds"],
            lossPercent: members["lossPercent"], queuedBytes: members["queuedBytes"], lagging: members["lagging"])
    }
}

extension Peers.Seen {
    package init(instance: String, address: String, port: Int, matches: Bool, _: Void = ()) {
        self.init(instance: instance, address: address, port: port, matches: matches)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            instance: members["instance"], address: members["address"], port: members["port"],
            matches: members["matches"])
    }
}

extension Problem {
    package init(code: String, message: String, advice: String?, _: Void = ()) {
        self.init(code: code, message: message, advice: advice)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(code: members["code"], message: members["message"], advice: members["advice"])
    }
}

extension Refusal {
    package init(error: Reason, _: Void = ()) {
        self.init(error: error)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(error: members["error"])
    }
}

extension Refusal.Reason {
    package init(code: String, message: String, advice: String? = nil, _: Void = ()) {
        self.init(code: code, message: message, advice: advice)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(code: members["code"], message: members["message"], advice: members["advice"])
    }
}

extension Check {
    package init(name: String, state: String, message: String, advice: String, _: Void = ()) {
        self.init(name: name, state: state, message: message, advice: advice)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            name: members["name"], state: members["state"], message: members["message"], advice: members["advice"])
    }
}

extension ServerLogin {
    package init(server: String, account: String?, codeSent: Bool, _: Void = ()) {
        self.init(server: server, account: account, codeSent: codeSent)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(server: members["server"], account: members["account"], codeSent: members["codeSent"])
    }
}

extension Status {
    package init(
        nodeID: String, version: String, commit: String?, name: String, port: Int, tourID: String?, tourName: String?,
        links: Int, members: Int, membersReachable: Int, people: PeopleCount?, segments: [Segment],
        discovery: Discovery, multicast: MulticastState, paths: PathCounts, unsent: UInt64, behind: Behind?,
        sealing: String?, unsynced: UInt64, notebookPending: Int, notebookProblem: Problem?, rejected: [String: Int],
        uptimeSeconds: Int, dataDirectory: String, storageKey: String, ownLog: String?, recovery: Recovering?,
        shareUsed: Int?, state: TourState?, voided: [String], lost: [Lost], archived: Bool, mailbox: Mailbox?,
        files: FilesStatus?, _: Void = ()
    ) {
        self.init(
            nodeID: nodeID, version: version, commit: commit, name: name, port: port, tourID: tourID,
            tourName: tourName, links: links, members: members, membersReachable: membersReachable, people: people,
            segments: segments, discovery: discovery, multicast: multicast, paths: paths, unsent: unsent,
            behind: behind, sealing: sealing, unsynced: unsynced, notebookPending: notebookPending,
            notebookProblem: notebookProblem, rejected: rejected, uptimeSeconds: uptimeSeconds,
            dataDirectory: dataDirectory, storageKey: storageKey, ownLog: ownLog, recovery: recovery,
            shareUsed: shareUsed, state: state, voided: voided, lost: lost, archived: archived, mailbox: mailbox,
            files: files)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            nodeID: members["nodeID"], version: members["version"], commit: members["commit"], name: members["name"],
            port: members["port"], tourID: members["tourID"], tourName: members["tourName"], links: members["links"],
            members: members["members"], membersReachable: members["membersReachable"], people: members["people"],
            segments: members["segments"], discovery: members["discovery"], multicast: members["multicast"],
            paths: members["paths"], unsent: members["unsent"], behind: members["behind"],
            sealing: members["sealing"], unsynced: members["unsynced"], notebookPending: members["notebookPending"],
            notebookProblem: members["notebookProblem"], rejected: members["rejected"],
            uptimeSeconds: members["uptimeSeconds"], dataDirectory: members["dataDirectory"],
            storageKey: members["storageKey"], ownLog: members["ownLog"], recovery: members["recovery"],
            shareUsed: members["shareUsed"], state: members["state"], voided: members["voided"],
            lost: members["lost"], archived: members["archived"], mailbox: members["mailbox"], files: members["files"])
    }
}

extension Status.Lost {
    package init(name: String, unanswered: Bool, by: GuestHost?, _: Void = ()) {
        self.init(name: name, unanswered: unanswered, by: by)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(name: members["name"], unanswered: members["unanswered"], by: members["by"])
    }
}

extension Status.Segment {
    package init(
        interface: String, addresses: [String], multicast: MulticastState, heard: Int, heardBy: Int, _: Void = ()
    ) {
        self.init(interface: interface, addresses: addresses, multicast: multicast, heard: heard, heardBy: heardBy)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            interface: members["interface"], addresses: members["addresses"], multicast: members["multicast"],
            heard: members["heard"], heardBy: members["heardBy"])
    }
}

extension Status.Recovering {
    package init(heard: Int, needed: Int, _: Void = ()) {
        self.init(heard: heard, needed: needed)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(heard: members["heard"], needed: members["needed"])
    }
}

extension Status.Behind {
    package init(messages: UInt64, members: Int, since: String, _: Void = ()) {
        self.init(messages: messages, members: members, since: since)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(messages: members["messages"], members: members["members"], since: members["since"])
    }
}

extension Status.Discovery {
    package init(state: String, reason: String?, _: Void = ()) {
        self.init(state: state, reason: reason)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(state: members["state"], reason: members["reason"])
    }
}

extension Status.Mailbox {
    package init(
        server: String, account: String?, state: String, lastSync: String?, answeredAgo: Int?, percent: Int,
        refused: [String: Int], clockLead: Int64?, problem: Problem?, _: Void = ()
    ) {
        self.init(
            server: server, account: account, state: state, lastSync: lastSync, answeredAgo: answeredAgo,
            percent: percent, refused: refused, clockLead: clockLead, problem: problem)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            server: members["server"], account: members["account"], state: members["state"],
            lastSync: members["lastSync"], answeredAgo: members["answeredAgo"], percent: members["percent"],
            refused: members["refused"], clockLead: members["clockLead"], problem: members["problem"])
    }
}

extension NodeName {
    package init(name: String, _: Void = ()) {
        self.init(name: name)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(name: members["name"])
    }
}

extension SyncAnswer {
    package init(
        state: String, percent: Int, pulled: UInt64, pushed: UInt64, total: UInt64, unsynced: UInt64, refused: Int,
        problem: Problem?, _: Void = ()
    ) {
        self.init(
            state: state, percent: percent, pulled: pulled, pushed: pushed, total: total, unsynced: unsynced,
            refused: refused, problem: problem)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            state: members["state"], percent: members["percent"], pulled: members["pulled"],
            pushed: members["pushed"], total: members["total"], unsynced: members["unsynced"],
            refused: members["refused"], problem: members["problem"])
    }
}

extension Ask {
    package init(
        state: String, label: String?, words: [String]?, tour: String?, refusal: String?, sentence: String?,
        secondsLeft: Int?, _: Void = ()
    ) {
        self.init(
            state: state, label: label, words: words, tour: tour, refusal: refusal, sentence: sentence,
            secondsLeft: secondsLeft)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            state: members["state"], label: members["label"], words: members["words"], tour: members["tour"],
            refusal: members["refusal"], sentence: members["sentence"], secondsLeft: members["secondsLeft"])
    }
}

extension NearbyTour {
    package init(tag: String, label: String, devices: Int, _: Void = ()) {
        self.init(tag: tag, label: label, devices: devices)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(tag: members["tag"], label: members["label"], devices: members["devices"])
    }
}

extension AskingView {
    package init(on: Bool, mayInvite: Bool, label: String?, asks: [Asker], code: Code?, _: Void = ()) {
        self.init(on: on, mayInvite: mayInvite, label: label, asks: asks, code: code)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            on: members["on"], mayInvite: members["mayInvite"], label: members["label"], asks: members["asks"],
            code: members["code"])
    }
}

extension AskingView.Asker {
    package init(
        id: String, name: String, words: [String], label: String, secondsLeft: Int, sameName: Bool, _: Void = ()
    ) {
        self.init(id: id, name: name, words: words, label: label, secondsLeft: secondsLeft, sameName: sameName)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], name: members["name"], words: members["words"], label: members["label"],
            secondsLeft: members["secondsLeft"], sameName: members["sameName"])
    }
}

extension AskingView.Code {
    package init(digits: String, usesLeft: Int, secondsLeft: Int, _: Void = ()) {
        self.init(digits: digits, usesLeft: usesLeft, secondsLeft: secondsLeft)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(digits: members["digits"], usesLeft: members["usesLeft"], secondsLeft: members["secondsLeft"])
    }
}

extension GuestHost {
    package init(memberID: String, name: String, _: Void = ()) {
        self.init(memberID: memberID, name: name)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(memberID: members["memberID"], name: members["name"])
    }
}

extension CreatedInvite {
    package init(id: String, joinCode: String, link: String, uses: Int?, expiresAt: String?, _: Void = ()) {
        self.init(id: id, joinCode: joinCode, link: link, uses: uses, expiresAt: expiresAt)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], joinCode: members["joinCode"], link: members["link"], uses: members["uses"],
            expiresAt: members["expiresAt"])
    }
}

extension InviteSummary {
    package init(
        id: String, uses: Int?, used: Int, expiresAt: String?, state: String, overused: Bool, createdBy: String,
        code: String?, _: Void = ()
    ) {
        self.init(
            id: id, uses: uses, used: used, expiresAt: expiresAt, state: state, overused: overused,
            createdBy: createdBy, code: code)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], uses: members["uses"], used: members["used"], expiresAt: members["expiresAt"],
            state: members["state"], overused: members["overused"], createdBy: members["createdBy"],
            code: members["code"])
    }
}

extension RevokedInvite {
    package init(id: String, out: Int, _: Void = ()) {
        self.init(id: id, out: out)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(id: members["id"], out: members["out"])
    }
}

extension InvitedArchive {
    package init(id: String, words: String, server: String, _: Void = ()) {
        self.init(id: id, words: words, server: server)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(id: members["id"], words: members["words"], server: members["server"])
    }
}

extension JoinedTour {
    package init(tourID: String, memberID: String, name: String, _: Void = ()) {
        self.init(tourID: tourID, memberID: memberID, name: name)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(tourID: members["tourID"], memberID: members["memberID"], name: members["name"])
    }
}

extension MemberSummary {
    package init(
        id: String, name: String, namesake: String?, role: String, successor: Bool, me: Bool, words: String,
        color: Int, reachable: Bool, hops: Int?, lastSeen: String?, asleep: Bool, cannotShow: [String], removed: Bool,
        left: Bool, forked: Bool, full: Bool, archive: Bool, position: MemberPosition?, guest: Bool, by: GuestHost?,
        guests: Int, _: Void = ()
    ) {
        self.init(
            id: id, name: name, namesake: namesake, role: role, successor: successor, me: me, words: words,
            color: color, reachable: reachable, hops: hops, lastSeen: lastSeen, asleep: asleep,
            cannotShow: cannotShow, removed: removed, left: left, forked: forked, full: full, archive: archive,
            position: position, guest: guest, by: by, guests: guests)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], name: members["name"], namesake: members["namesake"], role: members["role"],
            successor: members["successor"], me: members["me"], words: members["words"], color: members["color"],
            reachable: members["reachable"], hops: members["hops"], lastSeen: members["lastSeen"],
            asleep: members["asleep"], cannotShow: members["cannotShow"], removed: members["removed"],
            left: members["left"], forked: members["forked"], full: members["full"], archive: members["archive"],
            position: members["position"], guest: members["guest"], by: members["by"], guests: members["guests"])
    }
}

extension MemberList {
    package init(members: [MemberSummary], people: PeopleCount?, _: Void = ()) {
        self.init(members: members, people: people)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(members: members["members"], people: members["people"])
    }
}

extension OpenMatters {
    package init(lost: [String], unanswered: [String], urgent: [Urgent], _: Void = ()) {
        self.init(lost: lost, unanswered: unanswered, urgent: urgent)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(lost: members["lost"], unanswered: members["unanswered"], urgent: members["urgent"])
    }
}

extension OpenMatters.Urgent {
    package init(text: String, missing: Int, _: Void = ()) {
        self.init(text: text, missing: missing)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(text: members["text"], missing: members["missing"])
    }
}

extension PeopleCount {
    package init(total: Int, reachable: Int, _: Void = ()) {
        self.init(total: total, reachable: reachable)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(total: members["total"], reachable: members["reachable"])
    }
}

extension RankedMember {
    package init(id: String, name: String, role: String, _: Void = ()) {
        self.init(id: id, name: name, role: role)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(id: members["id"], name: members["name"], role: members["role"])
    }
}

extension RemovedMember {
    package init(
        id: String, name: String, revoked: [String], joinCode: String, link: String, guests: Int, _: Void = ()
    ) {
        self.init(id: id, name: name, revoked: revoked, joinCode: joinCode, link: link, guests: guests)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], name: members["name"], revoked: members["revoked"], joinCode: members["joinCode"],
            link: members["link"], guests: members["guests"])
    }
}

extension TourDetails {
    package init(
        tourID: String, name: String, role: String, active: Bool, state: TourState, successor: Bool, members: Int,
        unread: Int, latest: Bool, memberID: String, creatorID: String, createdAt: String, history: String,
        archived: Bool, roster: String, _: Void = ()
    ) {
        self.init(
            tourID: tourID, name: name, role: role, active: active, state: state, successor: successor,
            members: members, unread: unread, latest: latest, memberID: memberID, creatorID: creatorID,
            createdAt: createdAt, history: history, archived: archived, roster: roster)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            tourID: members["tourID"], name: members["name"], role: members["role"], active: members["active"],
            state: members["state"], successor: members["successor"], members: members["members"],
            unread: members["unread"], latest: members["latest"], memberID: members["memberID"],
            creatorID: members["creatorID"], createdAt: members["createdAt"], history: members["history"],
            archived: members["archived"], roster: members["roster"])
    }
}

extension TourSummary {
    package init(
        tourID: String, name: String, role: String, active: Bool, state: TourState, successor: Bool, members: Int,
        unread: Int, latest: Bool, _: Void = ()
    ) {
        self.init(
            tourID: tourID, name: name, role: role, active: active, state: state, successor: successor,
            members: members, unread: unread, latest: latest)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            tourID: members["tourID"], name: members["name"], role: members["role"], active: members["active"],
            state: members["state"], successor: members["successor"], members: members["members"],
            unread: members["unread"], latest: members["latest"])
    }
}

extension CreatedTour {
    package init(tourID: String, name: String, memberID: String, joinCode: String, link: String, _: Void = ()) {
        self.init(tourID: tourID, name: name, memberID: memberID, joinCode: joinCode, link: link)
    }

    package init(_ members: Members) throws(ContractError) {
        try self.init(
            tourID: members["tourID"], name: members["name"], memberID: members["memberID"],
            joinCode: members["joinCode"], link: members["link"])
    }
}
