import ArgumentParser
import TourWords

/// The tour that a command is about. Commands about the whole data directory do not take this option, so that nobody
/// who names one tour loses the others.
struct TourChoice: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            Phrase(
                "The tour: its id, six or more digits of it, or its name (default: the one that 'tour list' marks)."),
            valueName: "id|name"))
    var tour: String?
}

/// A command about one tour.
protocol CommandInTour: NodeCommand, AboutTour {
    var choice: TourChoice { get }
}

extension CommandInTour {
    var chosenTour: String? { choice.tour }
}
