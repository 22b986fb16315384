import TourModel

extension Limits {
    /// The most tags in one record. Source: `Protocol/02-discovery.md`.
    package static let discoveryTagsMax = 5
    /// The most strings of a TXT record that are read: ours has two.
    package static let textStringsMax = 32
    /// The most services that wait for one of the `candidatesMax` places: as many as Avahi's own cache holds.
    package static let waitingServicesMax = 4_096
    /// How long a service keeps its place while others wait: a local answer takes well under this.
    package static let candidateTurn: Duration = .milliseconds(500)
    /// How long a found candidate stays reported for its address while others of that address wait.
    package static let candidateAddressTurn: Duration = .seconds(10)
    /// The found candidates that services not yet resolved cannot displace.
    package static let candidatesKeptMin = 256
    /// The waiting services never tried before that get a turn in a crowded tick. Each costs queries on the network,
    /// and calls that take Avahi a millisecond or more when it is flooded.
    package static let freshTurnsPerTick = 64
    /// The same for services that had a turn before.
    package static let repeatedTurnsPerTick = 8
    /// How often interfaces are compared and Avahi is tried again.
    package static let discoveryTick: Duration = .seconds(2)
    /// How often turns change while crowded.
    package static let discoveryCrowdedTick: Duration = .milliseconds(250)
    /// How long a resolver's answer is valid before the service is resolved again: while an address is wanted it
    /// doubles from this.
    package static let resolverRestMin: Duration = .seconds(8)
    /// The longest such time.
    package static let resolverRestMax: Duration = .seconds(300)
    /// The most resolvers that wait for an answer at a time.
    package static let resolversAtOnceMax = 8
    /// The time after which a resolver no longer counts as waiting.
    package static let resolverAnswerTime: Duration = .seconds(1)
    /// The time between two resolutions while no address is wanted: all nodes together then ask a few times a second.
    package static let quietResolverPause: Duration = .seconds(5)
    /// Added to it for each service.
    package static let quietResolverPausePerService: Duration = .milliseconds(100)
    /// How long a service found over IPv6 waits to be found over IPv4 too.
    package static let twinTime: Duration = .milliseconds(500)
    /// How long it waits for an answer over IPv4.
    package static let twinAnswerTime: Duration = .seconds(3)
    /// The most interfaces published on: a machine with more is a container host, and Avahi's groups are limited.
    package static let discoveryInterfacesMax = 16
    /// The most addresses published for each interface: Avahi accepts 32 entries in a group by default.
    package static let addressesPerInterfaceMax = 16
    /// The most interfaces whose random names are remembered while they are gone.
    package static let serviceNamesMax = 64
}
