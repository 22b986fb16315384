import Foundation
import GRDB
import TourModel

// How our values lie in SQLite's columns.

extension LogicalClock {
    /// SQLite's integers are signed: moved down by 2^63, so that they sort as the readings do.
    var column: Int64 { value.ordered }

    /// Any integer is a reading.
    init(column: Int64) { self.init(value: UInt64(ordered: column)) }
}

extension UInt64 {
    /// Moved down by 2^63: keeps the order in a signed column.
    var ordered: Int64 { Int64(bitPattern: self ^ (1 << 63)) }

    /// The reverse of `ordered`.
    init(ordered: Int64) { self = UInt64(bitPattern: ordered) ^ (1 << 63) }
}

extension Identifier {
    /// The 32 bytes: blobs sort as the identifiers do.
    var column: Data { Data(bytes) }

    /// - Throws: `damaged` unless the column has 32 bytes.
    init(column: Data) throws(StoreError) {
        guard let id = Self([UInt8](column)) else { throw .damaged(.database) }
        self = id
    }
}

extension EventID {
    /// The first eight bytes, in the ids' order.
    var prefixColumn: Int64 { bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }.ordered }
}

// SQLite holds no column to its type, and a disk forgets: what is in a row may be anything. GRDB's own subscript ends
// the process where a value does not fit.
extension Row {
    /// A column that is declared an integer and not null.
    /// - Throws: `damaged` for anything else; so do the others.
    func integer(_ index: Int) throws(StoreError) -> Int64 { try value(index) }

    /// A column that is declared a blob and not null.
    func data(_ index: Int) throws(StoreError) -> Data { try value(index) }

    /// A column that is declared a text and not null.
    func text(_ index: Int) throws(StoreError) -> String { try value(index) }

    /// A column that is declared a blob.
    func dataIfAny(_ index: Int) throws(StoreError) -> Data? { try value(index) }

    /// As `data`, copied out of the row.
    func bytes(_ index: Int) throws(StoreError) -> [UInt8] { [UInt8](try data(index)) }

    /// Sequences are stored from 0 up; what is below was not written by us.
    func sequence(_ index: Int) throws(StoreError) -> UInt64 { UInt64(clamping: try integer(index)) }

    /// A number of things or of bytes: what was not written by us is brought to where sums of it do not overflow.
    func count(_ index: Int) throws(StoreError) -> Int { Int(Swift.min(Swift.max(try integer(index), 0), 1 << 48)) }

    private func value<Value: DatabaseValueConvertible>(_ index: Int) throws(StoreError) -> Value {
        // The value itself, and not what SQLite would make of it: how a row was fetched changes nothing.
        let stored: DatabaseValue = self[index]
        guard let value = Value.fromDatabaseValue(stored) else { throw .damaged(.database) }
        return value
    }
}
