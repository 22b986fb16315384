import ArgumentParser
import TourWords

/// The tour that a command is about, beside the options of every command. Commands about the whole data directory do
/// not take this one, so that nobody who names one tour loses the others.
struct TourChoice: ParsableArguments {
    @OptionGroup var global: GlobalOptions
    @Option(
        help: ArgumentHelp(
            Phrase(
                "The tour: its id, six or more digits of it, or its name (default: the one that 'tour list' marks)."),
            valueName: "id|name"))
    var tour: String?
}

/// A command that has the option for the tour.
protocol ChoosesTour {
    var choice: TourChoice { get }
}

extension ChoosesTour {
    var global: GlobalOptions { choice.global }
}

/// A command about one tour.
protocol CommandInTour: NodeCommand, AboutTour, ChoosesTour {}

extension CommandInTour {
    var chosenTour: String? { choice.tour }
}
