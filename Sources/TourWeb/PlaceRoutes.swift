import Hummingbird
import TourModel
import TourNode

// Where this device is.
extension LocalAPI {
    func addPlaces(_ api: RouterGroup<BasicRequestContext>) {
        api.get("position") { [slot] request, _ in
            let fix = try await slot.node.position(gpsd: request.decodedQuery("gpsd"))
            var answer = [UInt8]()
            JSONObjectWriter.append(to: &answer) { fix.write(&$0) }
            return Answer.json(bytes: answer)
        }
    }
}
