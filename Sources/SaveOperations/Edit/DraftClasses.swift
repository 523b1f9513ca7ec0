import KeyedArchives
import SaveCodec

/// The classes of a draft by number: the classes of the archive, with their changed records, then the classes that edits
/// add. An archive may have any number of classes, so looking one up does not search all of them.
struct DraftClasses {
    private let stored: [ClassRecord]
    /// The classes that the archive does not have. Their numbers follow the numbers of its own classes.
    private(set) var new: [ArchiveClass] = []
    /// The new records of the archive's classes, by class number.
    private(set) var changed: [Int: ArchiveClass] = [:]
    private var numbers: [ArchiveClass: Int] = [:]
    /// The number of the first class with each name among the archive's classes.
    private var storedNames: [[UInt16]: Int] = [:]
    /// The number of the first class with each name among the new classes, and of each class that a text labels.
    private var newNames: [[UInt16]: Int] = [:]

    init(_ archive: KeyedArchive?) {
        stored = archive?.classes ?? []
        index()
    }

    var count: Int { stored.count + new.count }

    subscript(number: Int) -> ArchiveClass {
        guard number < stored.count else { return new[number - stored.count] }
        return changed[number] ?? ArchiveClass(stored[number])
    }

    private mutating func index() {
        (numbers, storedNames, newNames) = ([:], [:], [:])
        for number in 0..<count {
            let record = self[number]
            if numbers[record] == nil { numbers[record] = number }
            if number >= stored.count {
                if newNames[record.name] == nil { newNames[record.name] = number }
            } else if storedNames[record.name] == nil {
                storedNames[record.name] = number
            }
        }
        // A class may also be named as Swift prints it, unless another class has exactly that name.
        for (number, record) in stored.enumerated() {
            let renamed = changed[number].map { SwiftTypeName.text(ofClass: $0.name) }
            guard let shown = renamed ?? record.swiftName, storedNames[shown] == nil else { continue }
            storedNames[shown] = number
        }
    }

    /// Changes class records. Each object keeps its record, even if two classes get the same name: unarchivers look
    /// classes up by name.
    ///
    /// - Returns: The number of records that changed.
    mutating func change(_ change: (ArchiveClass) -> ArchiveClass) -> Int {
        var count = 0
        for number in 0..<self.count {
            let old = self[number]
            let record = change(old)
            guard record != old else { continue }
            count += 1
            if number >= stored.count {
                new[number - stored.count] = record
            } else {
                changed[number] = record == ArchiveClass(stored[number]) ? nil : record
            }
        }
        if count > 0 { index() }
        return count
    }

    // MARK: Numbers

    /// Returns the number of the class with a record; nil for none.
    func number(ofRecord record: ArchiveClass) -> Int? { numbers[record] }

    /// Returns the number of the archive's class with a name; nil for none.
    func number(ofStored name: [UInt16]) -> Int? { storedNames[name] }

    /// Returns the number of the new class with a name or a label; nil for none.
    func number(ofNew name: [UInt16]) -> Int? { newNames[name] }

    /// Returns the number of a class. Adds the class if no record equals it.
    mutating func number(adding record: ArchiveClass) -> Int {
        if let number = numbers[record] { return number }
        let number = count
        new.append(record)
        numbers[record] = number
        if newNames[record.name] == nil { newNames[record.name] = number }
        return number
    }

    /// Returns the number of the class with a name, see ``named(_:)``.
    mutating func number(addingNamed name: String) -> Int { number(adding: named(Array(name.utf16))) }

    /// Makes a label of graph JSON refer to a class. Adds the class if no record equals it.
    mutating func label(_ record: ArchiveClass, as name: [UInt16]) { newNames[name] = number(adding: record) }

    /// Returns the class with a name: as recorded in the archive, or else as known to ``KeyedArchive``. An unknown
    /// class is a direct subclass of NSObject.
    func named(_ name: [UInt16]) -> ArchiveClass {
        if let number = storedNames[name] { return self[number] }
        let chain = KeyedArchive.chain(ofClass: name) ?? [name, Array("NSObject".utf16)]
        return ArchiveClass(name: name, chain: chain)
    }
}
