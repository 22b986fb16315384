import TourModel

/// Why something failed, in the reader's words. Source: `Protocol/Schema/local-api.yaml`, `SyncProblem`.
package struct Problem: Encodable, Hashable, JSONObject {
    /// Stable, lower-case words with dashes.
    package var code: String
    package var message: String
    /// The next step, where the message does not name it.
    @Nullable package var advice: String?
}

/// A request was refused: the whole answer, or the last line of a stream. Source: `Protocol/Schema/local-api.yaml`,
/// `Error`.
package struct Refusal: Encodable, JSONObject {
    /// Why, in the reader's words.
    package struct Reason: Encodable, JSONObject {
        /// Stable, lower-case words with dashes.
        package var code: String
        package var message: String
        /// The next step, where the message does not name it.
        package var advice: String?
    }

    package var error: Reason
}

/// One finding of the doctor. Source: `Protocol/Schema/local-api.yaml`, `Check`.
package struct Check: Encodable, Hashable, JSONObject {
    package var name: String
    /// `ok`, `warning` or `failed`.
    package var state: String
    package var message: String
    package var advice: String
}
