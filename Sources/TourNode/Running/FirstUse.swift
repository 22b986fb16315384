import TourStore

/// Types that the runtime makes when they are first used. To make one whose parameter must be an error it looks through
/// all conformances of the program, which takes as long as half a message: done as the node starts, no message waits.
enum FirstUse {
    static func prepare() {
        let types: [Any.Type] = [
            Result<TourNode.SentMessage, NodeError>.self, Result<[ArrivedEvent], StoreError>.self,
        ]
        withExtendedLifetime(types) {}
    }
}
