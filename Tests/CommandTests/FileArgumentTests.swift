import Testing
import TourClient
import TourJSON
import TourWords

/// Goal: the file that is named is the one that is sent or saved, whatever its name looks like.
/// Method: tables of words as people and terminals write them.
@Suite struct FileArgumentTests {
    @Test(arguments: [
        ("a.jpg", "a.jpg", ""), ("  a.jpg  the sea ", "a.jpg", "the sea "), ("'my sea.jpg' hi", "my sea.jpg", "hi"),
        (#""my \"sea\".jpg""#, #"my "sea".jpg"#, ""), (#"my\ sea.jpg 'quoted' words"#, "my sea.jpg", "'quoted' words"),
        (#"'a\b'"#, #"a\b"#, ""), (#"it\'s.jpg"#, "it's.jpg", ""), (#"a"b c"d e"#, "ab cd", "e"),
        ("日本.jpg", "日本.jpg", ""),
    ])
    func words(line: String, word: String, rest: String) throws {
        let quoted = try #require(QuotedWord(line))
        #expect(quoted.word == word)
        #expect(quoted.rest == rest)
    }

    @Test(arguments: ["", "   ", "'a", "\"a", "a\\", "''", "'a' \\".replacing(" \\", with: "\\")])
    func noWords(line: String) {
        #expect(QuotedWord(line) == nil)
    }

    private static func complaint(_ line: String) -> String? {
        guard case .unknown(let words) = ChatInput(line) else { return nil }
        return words.english
    }

    @Test func inTheChat() throws {
        let id = try #require(IDArgument("3fa2c1"))
        #expect(
            ChatInput("/file ~/a.pdf the tickets ")
                == .send(FileToSend(path: "~/a.pdf", isImage: false, caption: "the tickets")))
        #expect(ChatInput("/image 'a b.jpg'") == .send(FileToSend(path: "a b.jpg", isImage: true, caption: "")))
        #expect(ChatInput("/save 3FA2C1") == .save(id, directory: nil))
        #expect(ChatInput(#"/save 3fa2c1 ~/My\ Tour"#) == .save(id, directory: "~/My Tour"))
        #expect(Self.complaint("/save 3fa") == "/save wants the id of a file, such as 3fa2c1")
        #expect(Self.complaint("/save 3fa2c1 a b") == "/save wants the id of a file, such as 3fa2c1")
        #expect(Self.complaint("/image") == "/image wants the path of a file; words about it may follow")
        #expect(Self.complaint("/file 'a") == "/file wants the path of a file; words about it may follow")
    }

    @Test func pathsAreWhole() throws {
        let here = try AbsolutePath.of(".")
        #expect(here.hasPrefix("/") && !here.hasSuffix("."))
        #expect(try AbsolutePath.of("") == here)
        #expect(try AbsolutePath.of("./a.jpg") == here + "/a.jpg")
        #expect(try AbsolutePath.of(".//./a/./b") == here + "/a/./b")
        #expect(try AbsolutePath.of(".hidden") == here + "/.hidden")
        #expect(try AbsolutePath.of("../a") == here + "/../a")
        #expect(try AbsolutePath.of("/a/./b") == "/a/./b")
        // Without a shell before it.
        #expect(try AbsolutePath.of("~/a") == here + "/~/a")
        #expect(try AbsolutePath.ofTyped("~/a", home: "/h") == "/h/a")
        #expect(try AbsolutePath.ofTyped("~", home: "/h") == "/h")
        #expect(try AbsolutePath.ofTyped("~ben/a", home: "/h") == here + "/~ben/a")
        #expect(try AbsolutePath.ofTyped("~/a", home: nil) == here + "/~/a")
    }

    @Test func aDirectoryMustBeThere() throws {
        #expect(try AbsolutePath.ofDirectory("/") == "/")
        for bad in ["/dev/null", "/no such directory", "/dev/null/x"] {
            #expect(throws: CommandFailure.self, "\(bad)") { try AbsolutePath.ofDirectory(bad) }
        }
    }

    @Test func asTheNodeTakesIt() throws {
        let plain: JSON = ["path": "/a b", "image": false]
        #expect(try FileToSend(path: "/a b", isImage: false, caption: "").json() == plain)
        let all: JSON = ["path": "/a", "image": true, "caption": "sea", "replyTo": "3fa2c1"]
        #expect(try FileToSend(path: "/a", isImage: true, caption: "sea").json(replyTo: "3fa2c1") == all)
    }
}
