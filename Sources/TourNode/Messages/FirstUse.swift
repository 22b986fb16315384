import TourAPI
import TourStore

/// Types that the runtime builds at their first use. For a generic type with a parameter constrained to errors the
/// runtime searches all conformances of the program, which takes as long as half a message: done while the node
/// starts, so that no message waits.
enum FirstUse {
    static func prepare() {
        let types: [Any.Type] = [
            Result<SentMessage, NodeError>.self, Result<[ArrivedEvent], StoreError>.self,
        ]
        withExtendedLifetime(types) {}
    }
}
