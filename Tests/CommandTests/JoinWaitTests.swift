import Testing
import TourClient
import TourWords

/// Goal: whoever waits to join is told what for and what to do, soon and then seldom.
/// Method: the times and the words of two minutes.
@Suite struct JoinWaitTests {
    @Test func theFirstWordComesSoonTheOthersSeldom() {
        var times = [Int]()
        var waited = 0
        while waited < 100 {
            waited += JoinWait.pause(after: waited)
            times.append(waited)
        }
        #expect(times == [10, 40, 70, 100])
    }

    @Test func itSaysWhatToDo() {
        let note = JoinWait.phrase(after: 70).english
        for word in ["1 min", "tour-chat run", "Wi-Fi", "tour-chat doctor", "--peer HOST:PORT", "Ctrl-C"] {
            #expect(note.contains(word), "\(word)")
        }
        #expect(!note.contains("\u{1B}"), "no colours, on a terminal or off it")
    }
}
