import ServerRequests
import TourPrint

extension Route {
    /// Every route of notes, places and itineraries.
    /// - Parameter printing: prints the documents of all callers.
    package static func notebooks(_ parts: RequestParts, files: NotebookFiles, printing: PrintQueue) -> [Route] {
        NotebookRoutes(parts: parts, files: files).routes + NoteRoutes(parts: parts, printing: printing).routes
            + ItineraryRoutes(parts: parts, printing: printing).routes + StopRoutes(parts: parts).routes
    }
}
