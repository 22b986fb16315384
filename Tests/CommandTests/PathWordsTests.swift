import Testing
import TourClient
import TourJSON
import TourWords

// Goal: a guide reads whether datagrams go to a neighbour, and what carries messages where they do not.
// Method: what the node answers, and what is said of it.
@Suite struct PathWordsTests {
    @Test(arguments: [
        (#"{"working":0,"blocked":0}"#, "messages go to each neighbour one by one"),
        (#"{"working":3,"blocked":0}"#, "messages go to each neighbour one by one"),
        (#"{"working":3,"blocked":1}"#, "messages go one by one: quickly to 3, over slower connections to 1"),
        (#"{"working":0,"blocked":2}"#, "datagrams to single neighbours too: connections carry everything"),
    ])
    func withoutMulticast(paths: String, words: String) throws {
        #expect(PathWords.oneByOne(try answered(JSON(parsing: Array(paths.utf8)[...]))).english == words)
    }

    @Test(arguments: [
        (#"{"datagrams":"working","rttMilliseconds":3.2,"lossPercent":0.4}"#, "3.2 ms"),
        (#"{"datagrams":"working","rttMilliseconds":12,"lossPercent":9.6}"#, "12 ms, 10 % lost"),
        (#"{"datagrams":"working","rttMilliseconds":null,"lossPercent":0}"#, "yes"),
        (#"{"datagrams":"blocked","rttMilliseconds":3.2,"lossPercent":null}"#, "held back"),
        (#"{"datagrams":"untested","rttMilliseconds":null,"lossPercent":null}"#, "not needed yet"),
        (#"{"datagrams":"off","rttMilliseconds":null,"lossPercent":null}"#, "no"),
    ])
    func ofAPeer(peer: String, words: String) throws {
        #expect(PathWords.toPeer(try answered(JSON(parsing: Array(peer.utf8)[...]))).english == words)
    }
}
