import TourNotebook
import TourWords

// The faults of a notebook's items, and of files that contain some, in words.
extension NotebookFault {
    /// Worded to follow a colon: `title: longer than 1024 bytes`.
    package var phrase: Phrase {
        switch self {
        case .tooLong(let field, let max) where isOfList: Phrase("\(field): more than \(max)")
        case .tooLong(let field, let max): Phrase("\(field): longer than \(max) bytes")
        case .empty(let field): Phrase("\(field): empty")
        case .notAllowed(let field): Phrase("\(field): cannot be that")
        }
    }
}

extension ImportFault {
    /// Worded to follow a colon.
    package var phrase: Phrase {
        switch self {
        case .unreadable: Phrase("this is no such file: it is no text, or says something else")
        case .encoding(let name): Phrase("the file says that its text is “\(name)”: save it as UTF-8")
        case .malformed(let line): Phrase("the file is damaged or cut short (line \(line))")
        case .noHeader: Phrase("the first line has to name the columns, one of them “title”")
        case .notAllowed: Phrase("the file declares entities or nests without end: it is no list of places")
        case .tooMany: Phrase("the file holds more than a notebook does")
        case .newer: Phrase("the file was written by a later version: update tour-chat")
        case .noParser: Phrase("libexpat.so.1 is missing, which reads such files: install libexpat1")
        }
    }
}

extension EntryFault {
    /// Worded to follow a colon.
    package var phrase: Phrase {
        switch self {
        case .item(let fault): fault.phrase
        case .category(let fault): Phrase("category: \(fault.phrase)")
        case .missing(let field): Phrase("\(field): missing")
        case .noItem: Phrase("no such item")
        case .noKind: Phrase("kind: there is none of that name")
        case .noPlace(let fields): Phrase("\(fields): no place on the Earth in decimal degrees")
        case .noTime: Phrase("time: not as 2026-06-01T08:00:00Z, 2026-06-01 08:00 or 01.06.2026 08:00")
        case .noNumber(let field): Phrase("\(field): no whole number")
        case .noItinerary: Phrase("itinerary: there is none of that id")
        case .itineraryFull(let max): Phrase("itinerary: more than \(max) stops")
        case .itineraryUntitled: Phrase("itinerary: no title")
        case .noPoint: Phrase("a line or an area, and no point")
        case .noAddress: Phrase("address: no other program opens it")
        case .twice(let number): Phrase("number \(number) is the same thing and says something else")
        }
    }
}

extension EntryLoss {
    /// Worded to follow a colon.
    package var phrase: Phrase {
        switch self {
        case .halfPlace(let missing): Phrase("\(missing): missing, so it has no coordinates")
        case .noPoint(let field): Phrase("\(field): no point on the Earth, so it has no coordinates")
        case .morePoints: Phrase("more than one point: the first one was taken")
        case .noZone: Phrase("time: no zone, so it was read as UTC")
        case .surplusCells: Phrase("the line has more cells than there are columns")
        }
    }
}

extension NotebookKind {
    /// Says that something is no item of this kind.
    /// - Parameter reason: follows a colon.
    package func refusal(for reason: Phrase) -> Phrase {
        switch self {
        case .note: Phrase("This is no note: \(reason).")
        case .place: Phrase("This is no place: \(reason).")
        case .category: Phrase("This is no category: \(reason).")
        case .itinerary: Phrase("This is no itinerary: \(reason).")
        case .stop: Phrase("This is no stop: \(reason).")
        case .lost: Phrase("This is no lost edit: \(reason).")
        }
    }

    /// Says that no item of this kind is called so.
    package func absence(of name: String) -> Phrase {
        switch self {
        case .note:
            Phrase("No note here is called “\(name)”, or has an id that starts with it (six digits or more).")
        case .place:
            Phrase("No place here is called “\(name)”, or has an id that starts with it (six digits or more).")
        case .category:
            Phrase("No category here is called “\(name)”, or has an id that starts with it (six digits or more).")
        case .itinerary:
            Phrase("No itinerary here is called “\(name)”, or has an id that starts with it (six digits or more).")
        case .stop:
            Phrase("No stop here is called “\(name)”, or has an id that starts with it (six digits or more).")
        case .lost:
            Phrase("No lost edit here is called “\(name)”, or has an id that starts with it (six digits or more).")
        }
    }
}
