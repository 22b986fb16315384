import ArgumentParser
import Testing
import TourClient
import TourCommands
import TourJSON
import TourModel
import TourWords

/// Goal: commands of the notebook take what their help says and nothing else, and what is shown of it is safe.
/// Method: tables of command lines, moments and answers made by hand.
@Suite struct NotebookTests {
    private static func isRefused(_ words: [String]) -> Bool {
        do {
            _ = try TourChat.parseAsRoot(words)
            return false
        } catch {
            return TourChat.exitCode(for: error) == .validationFailure
        }
    }

    private static func words(_ line: String) -> [String] { line.split(separator: " ").map { String($0) } }

    @Test(arguments: [
        "notes list", "notes list --search x", "notes show 3fa2c1", "notes add T text", "notes add T -",
        "notes edit T text", "notes edit T --title N", "notes remove T --yes", "notes pdf T --out f --force",
        "places list --category c --favorites", "places show T", "places add T --at 1,2 --tag a --tag b --favorite",
        "places add T --at gps --gpsd localhost:2947", "places add T --url u --note n --image i --image j --file f",
        "places add T --at -33.8,151.2 --url u", "places edit T --no-favorite --read", "places edit T --detach 3fa2c1",
        "places remove T", "places save T dir", "places categories", "places categories --add N --icon i --order 2",
        "places categories --edit N --name M", "places import f.gpx", "places import - --format csv --replace",
        "places export --format gpx", "itinerary list", "itinerary show T", "itinerary create T --description d",
        "itinerary add T S --at 1,2 --time 14:30 --note n --position 1", "itinerary add T --stop 3fa2c1",
        "itinerary edit T --title N", "itinerary edit T --stop 2 --time 2026-06-01T09:30", "itinerary move T 3 1",
        "itinerary drop T 3 --keep", "itinerary remove T", "itinerary pdf T --out f",
        "notebook export --format json --out f", "notebook import f.csv", "notebook lost", "notebook lost 3fa2c1",
        "notebook restore 3fa2c1", "notebook dismiss 3fa2c1", "notebook unlink --yes",
    ])
    func whatIsMeantIsTaken(line: String) {
        #expect(!Self.isRefused(Self.words(line)))
        #expect(!Self.isRefused(GlobalArguments.normalized(["--json", "--data-dir", "d"] + Self.words(line))))
        // It is about no tour.
        #expect(Self.isRefused(Self.words(line) + ["--tour", "Rome"]))
    }

    @Test(arguments: [
        "notes show", "notes add", "notes add T --json", "notes edit T --json", "places add",
        "places add T --at 1,2,Label", "places add T --at 91,0", "places add T --image=", "places edit T",
        "places edit T --at 1,2 --url u", "places categories --add A --remove B", "places categories --name N",
        "places categories --edit N", "places categories --icon i", "places import", "places import f",
        "places import f.gpx --format pdf", "places export", "itinerary add T", "itinerary add T S --stop 3fa2c1",
        "itinerary add T --stop 3fa2c1 --note n", "itinerary add T S --time soon", "itinerary edit T",
        "itinerary edit T --note n", "itinerary edit T --stop 1 --description d", "itinerary move T 3",
        "itinerary move T 3 first", "notebook export --format gpx", "notebook unlink --json", "notebook restore",
    ])
    func whatCannotBeMeantIsRefused(line: String) {
        #expect(Self.isRefused(Self.words(line)))
    }

    @Test func optionsMayStandInFront() {
        #expect(
            GlobalArguments.normalized(["--json", "places", "list"]) == ["places", "list", "--json"])
        #expect(
            GlobalArguments.normalized(["itinerary", "--data-dir", "d", "show", "T"])
                == ["itinerary", "show", "--data-dir", "d", "T"])
        #expect(
            GlobalArguments.normalized(["--json", "account", "totp", "on"]) == ["account", "totp", "on", "--json"])
        #expect(
            GlobalArguments.normalized(["--json", "account", "phone", "+90"])
                == ["account", "phone", "--json", "+90"])
        #expect(GlobalArguments.normalized(["--json", "account"]) == ["account", "--json"])
        #expect(
            GlobalArguments.normalized(["--json", "account", "organisation", "share", "T"])
                == ["account", "organisation", "share", "--json", "T"])
    }

    @Test func momentsAreRead() throws {
        let now = Timestamp(seconds: 1_780_300_800)
        #expect(MomentArgument("2026-06-01T08:00:00Z")?.moment == now)
        for text in ["2026-06-01 09:30", "2026-06-01T09:30", "2026-12-31 9:05"] {
            let day = text.prefix(10)
            let clock = text.hasSuffix("9:30") ? "09:30" : "09:05"
            #expect(MomentArgument(text)?.moment.dateAndTime == "\(day) \(clock)")
        }
        #expect(MomentArgument("14:30", now: now) == MomentArgument("14:30", now: now))
        let next = try #require(MomentArgument("14:30", now: now)).moment
        #expect(next.clockTime == "14:30" && next.seconds > now.seconds)
        for bad in [
            "", "soon", "2026-06-31 09:30", "2026-13-01 09:30", "2026-06-01", "2026-06-01 25:00", "26-06-01 9:30",
        ] {
            #expect(MomentArgument(bad) == nil, "\(bad)")
        }
    }

    @Test func anImportIsTold() {
        let all: JSON = [
            "added": 2, "changed": 1, "unchanged": 3, "different": 4, "skippedCount": 3,
            "skipped": [
                ["number": 7, "title": "a\u{1B}b", "reason": "no place"], ["number": 9, "title": "", "reason": "x"],
            ],
        ]
        #expect(
            ImportWords(all).lines.map(\.english) == [
                "2 added, 1 changed, 3 here already, 4 left as here (--replace takes the file's).",
                "3 entries not taken:", "  number 7 “a\u{241B}b”: no place", "  number 9: x", "  and 1 more",
            ])
        let none: JSON = [
            "added": 0, "changed": 0, "unchanged": 0, "different": 0, "skippedCount": 1,
            "skipped": [["number": 1, "title": "", "reason": "x"]],
        ]
        #expect(ImportWords(none).lines.map(\.english) == ["0 added.", "1 entry not taken:", "  number 1: x"])
        let partly: JSON = [
            "rows": [], "added": 1, "changed": 0, "unchanged": 0, "different": 0, "skippedCount": 0, "skipped": [],
            "partialCount": 1, "partial": [["number": 1, "title": "Gate", "reason": "longitude: missing"]],
            "unreadColumns": ["stars", "a\u{1B}b"], "unnamedPoints": 2, "otherKinds": 1,
        ]
        #expect(
            ImportWords(partly).lines.map(\.english) == [
                "1 added.", "Points of routes and tracks without a name, which are no places: 2.",
                "No places, so left to 'tour-chat notebook import': 1.",
                "Columns that were not read: stars, a\u{241B}b.", "Taken in part: 1.",
                "  number 1 “Gate”: longitude: missing",
            ])
        let rows: JSON = [
            "added": 1, "skippedCount": 1,
            "rows": [
                ["number": 1, "title": "Gate", "result": "added"],
                ["number": 2, "title": "", "result": "skipped", "reason": "x"],
            ],
        ]
        #expect(
            ImportWords(rows).lines.map(\.english) == [
                "1 added.", "  number 1 “Gate”: added", "  number 2: not taken, x",
            ])
    }

    @Test func whatWasLostIsShownWhole() {
        let edit: JSON = [
            "id": "1", "kind": "bookmarks", "reason": "deleted",
            "item": [
                "id": "2", "title": "Tower\u{1B}[2J", "url": "geo:1,2", "note": "a\nb", "is_read": false,
                "is_favorite": true, "tags": ["x", "y"], "image_urls": [], "sync_version": 3,
                "created_at": "2026-06-01T08:00:00Z", "updated_at": "2026-06-01T08:00:00Z",
            ],
        ]
        let words = LostWords(edit)
        #expect(words.noun.english == "place" && words.reason.english == "it was removed")
        #expect(
            words.lines.map(\.english) == [
                "Tower\u{241B}[2J (place): it was removed", "url: geo:1,2", "note: a\nb", "is_favorite: yes",
                "tags: x, y", "updated_at: 2026-06-01T08:00:00Z",
            ])
        #expect(
            LostWords(["kind": "notes", "reason": "overruled", "item": [:]]).reason.english
                == "another version was kept")
    }
}
