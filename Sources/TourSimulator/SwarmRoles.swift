import TourModel

/// The role of each node in a swarm. Node 0 founds the tour and is honest.
struct SwarmRoles {
    /// Members from the start that follow the rules.
    let honest: [Int]
    /// Nodes admitted on the way, which follow the rules too.
    let joiners: [Int]
    let forkers: [Int]
    let liars: [Int]
    let flooders: [Int]
    let gluttons: [Int]
    /// The honest nodes whose wall clock starts in 1970.
    let unset: [Int]

    var evil: [Int] { forkers + liars + flooders + gluttons }

    /// - Parameter options: fitted ones.
    init(_ options: SwarmOptions, seed: UInt64) {
        let members = options.nodes - options.joiners
        var rng = SwarmStream.roles.generator(seed: seed)
        var rest = (1..<members).shuffled(using: &rng)[...]
        func draw(_ count: Int) -> [Int] {
            let taken = rest.prefix(count).sorted()
            rest = rest.dropFirst(count)
            return taken
        }
        forkers = draw(options.forkers)
        liars = draw(options.liars)
        flooders = draw(options.flooders)
        gluttons = draw(options.gluttons)
        unset = rest.prefix(options.unset).sorted()
        honest = [0] + rest.sorted()
        joiners = Array(members..<options.nodes)
    }
}
