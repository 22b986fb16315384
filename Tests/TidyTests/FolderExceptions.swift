extension FolderCap {
    /// The folders whose folders still form cycles, by name.
    static let exceptions: [FolderCap] = [
        FolderCap(
            "TourCommands", edges: 12,
            reason: "Terminal and Text ask Client and Commands for failures and options, which are to move below."),
        FolderCap(
            "TourNode", edges: 95,
            reason: "Every folder extends the actor and reads the session, and both call every folder."),
        FolderCap(
            "TourNotebook", edges: 2,
            reason: "A stop and an itinerary encode their times by Coding, which encodes all items."),
        FolderCap(
            "TourServer", edges: 15,
            reason: "Http names the accounts and files of its calls; what is in a tour asks for the tour itself."),
        FolderCap(
            "TourWeb", edges: 2,
            reason: "The page's door lets downloads pass, and downloads are added to its routes."),
    ]
}
