import Foundation
import NIOCore
import TourAPI
import TourCrypto
import TourJSON
import TourModel
import TourNode
import TourPresentation
import TourWords

/// Seals the frames of one stream of news. Each says up to which mark the phone has everything.
struct GuestFrames {
    let channel: SeatChannel
    /// Of the request that the frames answer.
    let number: UInt64
    private var index: UInt64 = 0
    /// The last news that the phone has whole.
    var mark: UInt64 = 0

    init(channel: SeatChannel, number: UInt64) {
        self.channel = channel
        self.number = number
    }

    /// - Parameter object: JSON of an object with one member or more.
    mutating func frame(_ object: some Collection<UInt8>) -> ByteBuffer {
        sealed(Array("{\"news\":\(mark),".utf8) + object.dropFirst())
    }

    /// A sign of life.
    mutating func sign() -> ByteBuffer { sealed(Array("{\"news\":\(mark)}".utf8)) }

    /// The last frame: why the stream ends.
    mutating func end(_ error: any Error) -> ByteBuffer {
        switch error {
        case NodeError.seat(.moved): return frame("{\"moved\":true}".utf8)
        case NodeError.seat(.over): return frame(Self.over(.over) + "}".utf8)
        case NodeError.seat(.ended): return frame(Self.over(.ended) + ",\"ended\":true}".utf8)
        case NodeError.seat(.removed(let name)):
            return frame(Self.over(.removed(by: name)) + ",\"removed\":true}".utf8)
        default: return frame(GuestAnswer(refusal: error).json)
        }
    }

    /// The seat has ended, in the guest's language.
    private static func over(_ fault: NodeError.SeatFault) -> [UInt8] {
        var text = Array("{\"over\":".utf8)
        let words = NodeError.seat(fault).words(on: PlainSurface()).said(in: Reader.current.language)
        JSON.encode(words.utf8, into: &text)
        return text
    }

    private mutating func sealed(_ json: [UInt8]) -> ByteBuffer {
        defer { index += 1 }
        let box = channel.seal(frame: GuestPlaintext.joined(json), number: number, index: index)
        var frame = ByteBuffer()
        frame.reserveCapacity(box.count + 4)
        frame.writeBytes(GuestPlaintext.length(box.count))
        frame.writeBytes(box)
        return frame
    }
}

/// What a phone was last shown beside the messages.
struct GuestPicture: Sendable {
    private var view: SeatPicture?
    private var held: UInt64 = 0

    /// - Returns: what the phone has seen with this, and what it is to be sent: the JSON of an object each.
    func differences(_ picture: SeatPicture, held: UInt64) throws -> (seen: GuestPicture, texts: [[UInt8]]) {
        var seen = self
        var texts = [[UInt8]]()
        let lasting = picture.lasting
        if lasting != view {
            seen.view = lasting
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
            texts.append(try Array(encoder.encode(["view": picture])))
        }
        if held > self.held {
            seen.held = held
            texts.append(Array("{\"held\":\(held)}".utf8))
        }
        return (seen, texts)
    }
}

extension SeatPicture {
    /// Without what changes every second: the page counts by itself.
    fileprivate var lasting: Self {
        var lasting = self
        lasting.meeting?.secondsLeft = nil
        return lasting
    }
}
