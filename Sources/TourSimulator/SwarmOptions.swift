import TourModel

/// The options of one seed: how many nodes, which network, which faults, which liars. The defaults are the simplest
/// swarm there is.
package struct SwarmOptions: Hashable, Sendable {
    /// Liars and joiners included.
    package var nodes = 2
    /// Which nodes can reach each other.
    package var topology = Topology.Kind.mesh
    /// Links of a node where the topology leaves that open.
    package var degree = 4
    /// Nodes that are admitted on the way.
    package var joiners = 0
    /// Messages that each node writes.
    package var messages = 1
    /// Virtual time with faults.
    package var seconds = 2
    /// How many of a thousand packets are lost.
    package var loss = 0
    /// 1: packets are lost in bursts.
    package var bursts = 0
    /// Milliseconds to a neighbour.
    package var latency = 2
    /// Milliseconds added to the latency, evenly distributed.
    package var jitter = 3
    /// kB/s of a link.
    package var rate = 2_500
    /// Networks on which datagrams reach everybody, in a row.
    package var segments = 0
    /// What happens to datagrams.
    package var air = Air()
    /// How many of a thousand links break each second.
    package var breaks = 0
    /// How often the network is partitioned.
    package var partitions = 0
    /// How often it is partitioned in one direction.
    package var mutes = 0
    /// Power failures that lose unsynced writes.
    package var crashes = 0
    /// How often a wall clock is set, by up to 10 minutes.
    package var steps = 0
    /// Nodes whose wall clock starts in 1970.
    package var unset = 0
    /// Members that write two logs.
    package var forkers = 0
    /// Members that lie about what they and others have.
    package var liars = 0
    /// Members that send as much rubbish as they can.
    package var flooders = 0
    /// Overlay: how many of a thousand links break without a bye.
    package var silent = 0
    /// 1: all disks lose an acknowledged event, which a checker must notice.
    package var amnesia = 0
    /// Ranks given and members removed, by the founder and three admins.
    package var acts = 0
    /// kB that each member may write; 0: as in the specification.
    package var share = 0
    /// Members that write on beyond their share, if `share` is given.
    package var gluttons = 0
    /// How often a member writes up to 400 messages at once.
    package var heaps = 0
    /// How often a disk refuses writes for a while: all, or some.
    package var disks = 0

    /// Phones without the program, of which the first honest nodes are the hosts.
    package var guests = 0

    /// What happens to datagrams.
    package struct Air: Hashable, Sendable {
        /// How many of a thousand each receiver loses.
        package var loss = 0
        /// How many of a thousand arrive twice.
        package var doubles = 0
        /// 1: none comes through while there are faults.
        package var blocked = 0
        /// 1: no node receives unicast ones; 2: they do not arrive.
        package var pathless = 0
    }

    package init() {}

    /// The size limit of each author's log.
    var logShare: LogShare {
        let whole = LogShare.ofTour
        return share == 0 ? whole : LogShare(sealed: share * 1_000, control: whole.control)
    }
}

extension SwarmOptions {
    /// One of the numeric options.
    package struct Dimension {
        /// As written in a text of options.
        package let name: String
        package let path: WritableKeyPath<SwarmOptions, Int>
        package let range: ClosedRange<Int>
        /// For the help text.
        package let meaning: String

        init(
            _ name: String, _ path: WritableKeyPath<SwarmOptions, Int>, _ range: ClosedRange<Int>, _ meaning: String
        ) {
            self.name = name
            self.path = path
            self.range = range
            self.meaning = meaning
        }
    }

    /// All numeric options.
    package static var dimensions: [Dimension] {
        [
            Dimension("nodes", \.nodes, 2...1_000, "nodes, liars and joiners included"),
            Dimension("degree", \.degree, 2...64, "links of a node where the topology leaves that open"),
            Dimension("joiners", \.joiners, 0...998, "nodes that are admitted on the way"),
            Dimension("messages", \.messages, 0...1_000, "messages that each node writes"),
            Dimension("seconds", \.seconds, 2...3_600, "virtual time with faults"),
            Dimension("loss", \.loss, 0...900, "of a thousand packets, how many are lost"),
            Dimension("bursts", \.bursts, 0...1, "1: they are lost in bursts"),
            Dimension("latency", \.latency, 0...2_000, "ms to a neighbour"),
            Dimension("jitter", \.jitter, 0...2_000, "ms on top, evenly spread"),
            Dimension("rate", \.rate, 20...100_000, "kB/s of a link"),
            Dimension("segments", \.segments, 0...16, "networks on which datagrams reach everybody, in a row"),
            Dimension("airloss", \.air.loss, 0...900, "of a thousand datagrams, how many each receiver loses"),
            Dimension("doubles", \.air.doubles, 0...1_000, "of a thousand datagrams, how many come twice"),
            Dimension("blocked", \.air.blocked, 0...1, "1: no datagram comes through while there are faults"),
            Dimension("pathless", \.air.pathless, 0...2, "1: no node hears datagrams of links; 2: none arrives"),
            Dimension("breaks", \.breaks, 0...1_000, "of a thousand links, how many break each second"),
            Dimension("partitions", \.partitions, 0...100, "times that the network falls in two"),
            Dimension("mutes", \.mutes, 0...100, "times that it does so in one direction"),
            Dimension("crashes", \.crashes, 0...1_000, "power failures with loss of unsynced writes"),
            Dimension("steps", \.steps, 0...1_000, "wall clocks that are set, by up to 10 minutes"),
            Dimension("unset", \.unset, 0...998, "nodes whose wall clock starts in 1970"),
            Dimension("forkers", \.forkers, 0...998, "members that write two logs"),
            Dimension("liars", \.liars, 0...998, "members that lie about what they and others have"),
            Dimension("flooders", \.flooders, 0...998, "members that send as much rubbish as they can"),
            Dimension("silent", \.silent, 0...1_000, "overlay: of a thousand links, how many break without a word"),
            Dimension("amnesia", \.amnesia, 0...1, "1: all disks lose an acknowledged event, which must be noticed"),
            Dimension("acts", \.acts, 0...1_000, "ranks given and members removed, by the founder and three admins"),
            Dimension("share", \.share, 0...1_024, "kB that each member may say; 0: as in the specification"),
            Dimension("gluttons", \.gluttons, 0...998, "members that write on beyond their share, if it is given"),
            Dimension("heaps", \.heaps, 0...100, "times that a member writes up to 400 messages at once"),
            Dimension("disks", \.disks, 0...1_000, "times that a disk refuses writes for a while, all or some"),
            Dimension("guests", \.guests, 0...100, "phones without the program, which up to three nodes let in"),
        ]
    }

    /// The same with every number in its range, and at least two members that are honest from the start.
    package func fitted() -> SwarmOptions {
        var options = self
        for dimension in Self.dimensions {
            let (path, range) = (dimension.path, dimension.range)
            options[keyPath: path] = min(max(self[keyPath: path], range.lowerBound), range.upperBound)
        }
        // Where nodes choose their links, removed members have none; and a removal shuts out joiners in progress.
        if options.topology == .overlay { options.acts = 0 }
        if options.acts > 0 { options.joiners = 0 }
        // Where nodes choose their links, liars are off in the end; and the specification's share takes long to fill.
        if options.topology == .overlay || options.share == 0 { options.gluttons = 0 }
        // A heap would exceed the rest of a small share.
        if options.share > 0 { options.heaps = 0 }
        // Whoever removes a host removes its guests, and a small share ends their logs: neither is watched here.
        if options.acts > 0 || options.share > 0 { options.guests = 0 }
        options.joiners = min(options.joiners, options.nodes - 2)
        var free = options.nodes - options.joiners - 2
        let liars: [WritableKeyPath<SwarmOptions, Int>] = [\.forkers, \.liars, \.flooders, \.gluttons]
        for path in liars {
            options[keyPath: path] = min(options[keyPath: path], free)
            free -= options[keyPath: path]
        }
        options.unset = min(options.unset, free + 1)
        return options
    }
}

// As text, so that a case can be played again without drawing its options.
extension SwarmOptions {
    /// All options: `NAME=VALUE`, separated by commas.
    package var text: String {
        let numbers = Self.dimensions.map { "\($0.name)=\(self[keyPath: $0.path])" }
        return (["topology=\(topology.rawValue)"] + numbers).joined(separator: ",")
    }

    /// Changes the options that the text names.
    package mutating func set(_ text: String) throws(SwarmOptionFault) {
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2 else { throw SwarmOptionFault(description: "'\(part)' is not NAME=VALUE") }
            try set(pair[0], to: pair[1])
        }
    }

    private mutating func set(_ name: String, to value: String) throws(SwarmOptionFault) {
        if name == "topology" {
            guard let kind = Topology.Kind(rawValue: value) else {
                let kinds = Topology.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw SwarmOptionFault(description: "'\(value)' is no topology; there are \(kinds)")
            }
            topology = kind
            return
        }
        guard let dimension = Self.dimensions.first(where: { $0.name == name }) else {
            throw SwarmOptionFault(description: "there is no option '\(name)'")
        }
        guard let number = Int(value), dimension.range.contains(number) else {
            let range = "\(dimension.range.lowerBound) to \(dimension.range.upperBound)"
            throw SwarmOptionFault(description: "\(name) is a number from \(range), not '\(value)'")
        }
        self[keyPath: dimension.path] = number
    }
}

/// The text names no valid options.
package struct SwarmOptionFault: Error, CustomStringConvertible {
    package let description: String
}
