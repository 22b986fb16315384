import TourModel

// Every text message and every mail of the server goes out here, so that the metrics count all of them.
extension ServerParts {
    /// - Throws: `smsFailed`.
    func send(_ text: String, to phone: PhoneNumber) async throws(Failure) {
        do throws(Failure) { try await sms.send(text, to: phone) } catch {
            metrics.countMessage(isSent: false)
            throw error
        }
        metrics.countMessage(isSent: true)
    }

    /// - Throws: `mailFailed`.
    func send(_ message: Mail) async throws(Failure) {
        do throws(Failure) { try await mail.send(message) } catch {
            metrics.countMail(isSent: false)
            throw error
        }
        metrics.countMail(isSent: true)
    }
}
