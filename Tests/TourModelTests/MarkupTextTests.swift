import Testing
import TourModel

/// Goal: what somebody wrote stays text where markup is read.
@Suite struct MarkupTextTests {
    @Test func markupIsText() {
        let hostile = "<b>\"x\"</b> & <img src='file:///etc/passwd'>"
        let safe = "&lt;b&gt;&quot;x&quot;&lt;/b&gt; &amp; &lt;img src=&#39;file:///etc/passwd&#39;&gt;"
        #expect(MarkupText.escaped(hostile) == safe)
    }
}
