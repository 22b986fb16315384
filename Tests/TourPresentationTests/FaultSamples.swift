import TourCode
import TourDesktop
import TourHotspot
import TourImage
import TourKeyring
import TourMailbox
import TourModel
import TourPosition
import TourPresentation
import TourStore

/// Every case of the faults below the node, by the module of origin.
enum FaultSamples {
    static let all: [any SpokenFault] = {
        var all: [any SpokenFault] = codes
        all += desktop
        all += keyring
        all += hotspot
        all += causes.map { HotspotError.notStarted($0, interface: "wlan0") }
        all += store
        all += authors.map { StoreError.chainBroken(author: $0, sequence: 9) }
        all += troubles.map { StoreError.badPath("/x", $0) }
        all += damages.map { StoreError.damaged($0) }
        all += shortages.map { StoreError.noRoom($0) }
        all += pictures
        all += PictureProgram.allCases.map { PictureError.programMissing($0) }
        all += positions
        all += server
        all += organisations
        all += notebook
        return all
    }()

    private static let codes: [CodeError] = [.noDrawer, .badText, .noScanner, .badFrame]
    private static let desktop: [DesktopError] = [.badPath, .noHome, .failed(path: "/x", reason: "no room")]
    private static let keyring: [KeyringError] = [.unavailable, .noLibrary, .missing, .locked, .failed("org.x.No")]
    private static let hotspot: [HotspotError] = [
        .noLibrary, .noManager, .managerGone, .refused, .noCard, .wifiOff(bySwitch: true), .wifiOff(bySwitch: false),
        .notManaged("wlan0"), .notReady("wlan0"), .cannotServe("wlan0"), .noFiveGigahertz("wlan0"), .badName,
        .passwordLength, .passwordLetters, .failed("org.x.No"),
    ]
    private static let causes: [HotspotError.Cause] = [.card, .wpa3, .fiveGigahertz, .sharing, .timeout, .ended]
    private static let store: [StoreError] = [
        .inUse(pid: nil), .inUse(pid: 7), .diskFull, .readOnly, .notOurs, .foreign, .passphraseNeeded,
        .passphraseWrong, .keyElsewhere, .wiped, .notEmpty, .cannotOpen, .newer,
        .busy, .closed, .blobMissing,
        .sealBroken, .notThisKind, .changedMeanwhile, .cancelled, .io(code: 5),
    ]
    private static let authors = [MemberID([UInt8](repeating: 7, count: 32))].compactMap { $0 }
    private static let troubles: [StoreError.PathTrouble] = [
        .noFile, .noDirectory, .isDirectory, .notDirectory, .noPermission, .readOnly, .badName, .notRegular, .tooLong,
        .hasChanged, .nameTaken,
    ]
    private static let damages: [StoreError.Damage] = [
        .database, .keyFile, .keyMissing, .keyMismatch, .backup, .blob,
    ]
    private static let shortages: [StoreError.Shortage] = [.tour, .author, .disk, .notebook]
    private static let pictures: [PictureError] = [
        .unreadable(code: 13), .notAFile, .empty, .tooLong(bytes: 1 << 30), .notAPicture, .moving,
        .tooManyPixels(width: 9, height: 8), .damaged, .noDecoder(.heic), .tooCostly, .unwritable(code: 28),
        .cancelled,
    ]
    private static let positions: [PositionFault] = [
        .unreachable(.usual), .notGpsd(.usual), .noReceiver, .noFix, .timeApart(seconds: 70),
        .timeApart(seconds: -70),
    ]
    private static let server: [APIError] = [
        .invalidURL, .network(.unreachable), .network(.timeout), .network(.broken), .network(.cancelled), .decoding,
        .http(status: 404, code: "unknown-group"), .http(status: 403, code: "removed"),
        .http(status: 422, code: Refusal("invalid-field", words: "No.")), .http(status: 500, code: "internal"),
        .unauthenticated, .loginPage(.certificate), .loginPage(.redirect), .loginPage(.type), .loginPage(.marker),
        .badAuthority, .noLibrary,
    ]
    private static let organisations: [OrganisationError] = [
        .unknown, .notInvited, .wrongCode, .unknownTour, .operatorAlone, .adminsAlone, .lastAdmin, .sharedElsewhere,
        .notProven, .full, .server(.decoding),
    ]
    private static let notebook: [NotebookRunError] = [.api(.decoding), .otherAccount, .store]
}
