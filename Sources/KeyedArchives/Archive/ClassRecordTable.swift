import SaveCodec

/// The class records of an archive, in the order of their UIDs.
///
/// `$objects` may contain the same record at several UIDs, and many records may share one stored name. Each record and
/// each name is read only once.
struct ClassRecordTable {
    private(set) var records: [ClassRecord] = []
    /// The position in ``records`` of each stored record.
    private var positions: [ObjectID: Int32] = [:]
    /// The demangled name for each object that stores a mangled class name; nil if the name cannot be parsed.
    private var swiftNames: [ObjectID: [UInt16]?] = [:]
    /// The first record with each name.
    private var namedRecords: [[UInt16]: UID] = [:]
    /// The first record with each name, by the object that stores the name.
    private var recordsByNameObject: [ObjectID: UID] = [:]

    /// Returns the position of the record that an object stores; nil for none.
    func position(ofRecord object: ObjectID) -> Int32? { positions[object] }

    /// Adds a record.
    ///
    /// - Returns: The position of the record; nil if the table is full.
    mutating func add(_ record: ClassRecord, storedIn object: ObjectID) -> Int32? {
        guard let position = Int32(exactly: records.count) else { return nil }
        var record = record
        record.swiftName = swiftName(of: record)
        positions[object] = position
        records.append(record)
        return position
    }

    /// Returns the class name as Swift prints it; nil if the stored name is not mangled. Results are cached, because
    /// many records may share one stored name.
    private mutating func swiftName(of record: ClassRecord) -> [UInt16]? {
        guard record.name.starts(with: "_Tt".utf16) else { return nil }
        if let known = swiftNames[record.storedName] { return known }
        let swiftName = SwiftTypeName.text(ofClass: record.name)
        swiftNames[record.storedName] = .some(swiftName)
        return swiftName
    }

    /// Registers the name of a record at a UID.
    ///
    /// - Returns: The first record with the same name; nil if this is the first one.
    mutating func registerName(of record: ClassRecord, at uid: UID) -> UID? {
        // Many records may share one name, which is only copied once.
        if recordsByNameObject[record.storedName] == nil {
            let name = Array(record.name)
            recordsByNameObject[record.storedName] = namedRecords[name] ?? uid
            guard namedRecords[name] != nil else {
                namedRecords[name] = uid
                return nil
            }
        }
        return recordsByNameObject[record.storedName]
    }
}
