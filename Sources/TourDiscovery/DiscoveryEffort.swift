/// How much discovery asks of the network, where every node receives each question and its answer.
package enum DiscoveryEffort: Sendable {
    /// Everybody near is known by other means: records are looked at now and then, and few resolved.
    case rest
    /// Records are followed, and few resolved.
    case watch
    /// Addresses of others are wanted: records are followed, and resolved at once.
    case seek
}
