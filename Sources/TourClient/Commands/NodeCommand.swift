import ArgumentParser

/// A command that sends the node a request and prints the answer.
protocol NodeCommand: AsyncParsableCommand, Sendable {
    var global: GlobalOptions { get }
    /// What to do where no node runs.
    var absence: NodeAccess.Absence { get }
    func perform(_ client: LocalClient, _ output: Output) async throws
}

extension NodeCommand {
    var absence: NodeAccess.Absence { .offline }

    func run() async throws {
        let output = global.output
        try await global.access().use(absence: absence) { client in
            try await perform(client, output)
        }
    }
}

/// A command that goes out to other machines: it needs a node with a network.
protocol OnlineCommand: NodeCommand {}

extension OnlineCommand {
    var absence: NodeAccess.Absence { .online }
}
