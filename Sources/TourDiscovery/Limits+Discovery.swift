import TourModel

extension Limits {
    /// Tags in one record. Source: `Protocol/02-discovery.md`.
    package static let discoveryTagsMax = 5
    /// Strings of a TXT record that are looked at: ours has two.
    package static let textStringsMax = 32
    /// Services heard of that wait for one of the `candidatesMax` places: as many as Avahi's own cache holds.
    package static let waitingServicesMax = 4_096
    /// How long a service keeps its place while others wait: a local answer takes well under this.
    package static let candidateTurn: Duration = .milliseconds(500)
    /// How long a found candidate keeps its place among those of its address while others of it wait.
    package static let candidateAddressTurn: Duration = .seconds(10)
    /// Found candidates that services not yet looked at cannot push out.
    package static let candidatesKeptMin = 256
    /// Waiting services that get their turn per crowded tick: those never tried, and those that had one. Each costs
    /// queries on the network and calls that Avahi takes a millisecond and more for when it is flooded.
    package static let freshTurnsPerTick = 64
    package static let repeatedTurnsPerTick = 8
    /// How often interfaces are compared and Avahi is tried again; and how often turns change while crowded.
    package static let discoveryTick: Duration = .seconds(2)
    package static let discoveryCrowdedTick: Duration = .milliseconds(250)
    /// How long a resolver's answer stands before it is looked at again: while an address is wanted it doubles from the
    /// first to the last.
    package static let resolverRestMin: Duration = .seconds(8)
    package static let resolverRestMax: Duration = .seconds(300)
    /// Resolvers that wait for their answer at a time, and after which time one is not waited for.
    package static let resolversAtOnceMax = 8
    package static let resolverAnswerTime: Duration = .seconds(1)
    /// Between two looks while no address is wanted: all nodes together ask a few times a second.
    package static let quietResolverPause: Duration = .seconds(5)
    package static let quietResolverPausePerService: Duration = .milliseconds(100)
    /// How long a service heard of over IPv6 is waited for over IPv4, and its answer there.
    package static let twinTime: Duration = .milliseconds(500)
    package static let twinAnswerTime: Duration = .seconds(3)
    /// Interfaces published on: more is a container host, and Avahi's groups are not endless.
    package static let discoveryInterfacesMax = 16
    /// Addresses published per interface: Avahi takes 32 entries per group by default.
    package static let addressesPerInterfaceMax = 16
    /// Interfaces whose random names are remembered while they are gone.
    package static let serviceNamesMax = 64
}
