import Foundation
import GRDB
import TourModel

// How our values are stored in SQLite's columns.

extension LogicalClock {
    /// SQLite's integers are signed: the value is shifted down by 2^63, so that columns sort as clocks do.
    var column: Int64 { value.ordered }

    /// Any integer is a clock.
    init(column: Int64) { self.init(value: UInt64(ordered: column)) }
}

extension UInt64 {
    /// Shifted down by 2^63: keeps the order in a signed column.
    var ordered: Int64 { Int64(bitPattern: self ^ (1 << 63)) }

    /// The inverse of `ordered`.
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
    /// The first eight bytes, ordered as the ids are.
    var prefixColumn: Int64 { bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }.ordered }
}

// SQLite enforces no column types, and disks fail: a row may contain anything. GRDB's own subscript ends the process
// where a value does not fit.
extension Row {
    /// A column declared as integer and not null.
    /// - Throws: `damaged` for anything else, as do the others.
    func integer(_ index: Int) throws(StoreError) -> Int64 { try value(index) }

    /// A column declared as blob and not null.
    func data(_ index: Int) throws(StoreError) -> Data { try value(index) }

    /// A column declared as text and not null.
    func text(_ index: Int) throws(StoreError) -> String { try value(index) }

    /// A column declared as blob.
    func dataIfAny(_ index: Int) throws(StoreError) -> Data? { try value(index) }

    /// Like `data`, but copied out of the row.
    func bytes(_ index: Int) throws(StoreError) -> [UInt8] { [UInt8](try data(index)) }

    /// Sequences are stored from 0 up; a lower value was not written by this program.
    func sequence(_ index: Int) throws(StoreError) -> UInt64 { UInt64(clamping: try integer(index)) }

    /// A count of things or bytes: values not written by this program are clamped so that sums of them do not overflow.
    func count(_ index: Int) throws(StoreError) -> Int { Int(Swift.min(Swift.max(try integer(index), 0), 1 << 48)) }

    private func value<Value: DatabaseValueConvertible>(_ index: Int) throws(StoreError) -> Value {
        // The stored value itself, not SQLite's conversion of it: the way a row was fetched must not matter.
        let stored: DatabaseValue = self[index]
        guard let value = Value.fromDatabaseValue(stored) else { throw .damaged(.database) }
        return value
    }
}
