import TourModel

/// The changes of a version. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct SharedChangesView: Encodable, JSONObject {
    /// A field whose value changed.
    package struct Field: Encodable, JSONObject {
        /// The field's name, as in the schema.
        package var field: String
        package var before: String
        package var now: String
    }

    /// A changed line of the text.
    package struct Line: Encodable, JSONObject {
        /// `added` or `removed`.
        package var change: String
        /// From 1.
        package var line: Int
        package var text: String
    }

    /// A stop that changed.
    package struct StopChange: Encodable, JSONObject {
        /// `added`, `removed`, `moved` or `changed`.
        package var change: String
        package var id: String
        package var title: String
        /// Its number before, from 1.
        @Nullable package var from: Int?
        /// Its number now, from 1.
        @Nullable package var to: Int?
        /// The fields that changed.
        package var fields: [String]
    }

    /// The version that this one is compared with.
    package var since: UInt64
    /// The fields that changed, the text apart.
    package var fields: [Field]
    /// The changed lines of the text.
    package var lines: [Line]
    /// The stops that changed.
    package var stops: [StopChange]
}
