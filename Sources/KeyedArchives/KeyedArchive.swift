public import SaveCodec

/// A keyed archive: the graph of objects that NSKeyedArchiver stored in a property list (<doc:ArchiveFormat>).
///
///     property list                                          object graph
///     $version  100000                                       root ─▶ Map
///     $archiver "NSKeyedArchiver"                                    ├ currentLevelName ─▶ "Swamp"
///     $top      {root: UID 1}                                        └ health            100, inline
///     $objects  0  "$null"
///               1  {$class: UID 3, currentLevelName: UID 2, health: 100}
///               2  "Swamp"
///               3  {$classname: "Map", $classes: ["Map", "NSObject"]}
///
/// The archive is a second graph over the document's table: what is an edge there is a reference, a UID, here. Nothing is
/// copied, no class is instantiated, and no shared object is expanded; an object's identity is its ``UID``.
///
/// An archive that exists is sound: `$top` and `$objects` are what they must be, every reference leads to an object, and
/// every object has a class record with a name. What Foundation's own classes make of their fields is checked object by
/// object, see ``remarks``: it is found when the archive is opened, in the pass that checks it, so that every look at an
/// object takes constant time.
public final class KeyedArchive: Sendable {
    /// The property list that the archive is stored in.
    public let document: Document
    /// The name of the class that wrote it, `NSKeyedArchiver` as a rule.
    package let archiver: StoredString
    /// The records of the classes that objects may have, in the order of their UIDs.
    package let classes: [ClassRecord]
    /// What is worth knowing of a sound archive: errors in objects of Foundation's classes, which are then read as the
    /// fields that are stored, warnings, and information.
    public let remarks: [Problem]
    /// What the property list holds and no archiver writes: members of the root and of class records.
    let unwritable: [Problem]
    /// The objects as stored, in the order of their UIDs.
    let objects: StoredObject
    /// The object that `$objects` is.
    let objectsID: ObjectID
    /// The dictionary `$top` as stored.
    package let top: StoredObject
    /// The object that `$top` is.
    let topID: ObjectID
    /// What each object is, by UID.
    let entries: [Entry]
    /// The references of objects whose contents are fields of their own, in the order of their numbers.
    let numberedReferences: [ObjectID]
    /// Whether the archiver is of a class that numbers the elements of collections instead of listing them.
    package let numbersElements: Bool

    /// Finds the object graph of a document.
    ///
    /// - Throws: the first problem that makes it no sound archive, with its address in the property list.
    public init(_ document: Document, limits: Limits = Limits()) throws(Problem) {
        try document.checkExpansion(limits)
        let faults = Envelope.faults(in: document)
        guard faults.isEmpty, let envelope = Envelope(document) else { throw faults.first ?? .memberMissing(.objects) }
        var check = ArchiveCheck(document, envelope)
        check.run()
        if let fault = check.faults.first { throw fault }
        self.document = document
        archiver = check.envelope.archiver
        objects = check.envelope.objects
        objectsID = check.envelope.objectsID
        top = check.envelope.top
        topID = check.envelope.topID
        classes = check.classes
        entries = check.entries
        remarks = check.remarks.problems
        unwritable = check.unwritable.problems
        numberedReferences = check.encodings.numberedReferences
        numbersElements = check.encodings.numbersElements
    }

    /// Opens an archive, given as a file in any format, graph JSON included.
    ///
    /// - Throws: the first problem that makes it no sound archive.
    public convenience init(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) {
        let document = try Document.readSave(bytes, as: Format.recognize(bytes), limits: limits)
        try self.init(
            GraphJSON.isPresent(in: document) ? GraphJSON.archive(from: document) : document, limits: limits)
    }

    /// Everything that is wrong with a document as an archive or worth knowing of it, in the order of the objects.
    static func problems(in document: Document, limits: Limits = Limits()) -> [Problem] {
        examine(document, limits: limits).problems
    }

    /// All problems of a document as an archive, and the classes of those objects that have one.
    package static func examine(_ document: Document, limits: Limits) -> (problems: [Problem], classes: [ClassUse]) {
        do throws(Problem) {
            try document.checkExpansion(limits)
        } catch {
            return ([error], [])
        }
        let faults = Envelope.faults(in: document)
        guard let envelope = Envelope(document) else { return (faults, []) }
        var check = ArchiveCheck(document, envelope, faults: faults)
        check.run()
        return (check.faults.problems + check.remarks.problems, check.classUses)
    }

    /// Whether a document presents itself as an archive: a dictionary with `$objects` and one of `$archiver`, `$top` and
    /// `$version`, or with all these three. It may still be none that is sound.
    public static func isArchive(_ document: Document) -> Bool {
        Envelope.isPresent(in: document)
    }

    /// How many objects there are, `$null` and class records included.
    package var count: Int { objects.count }

    /// Whether NSArchiver wrote it, so that it was a typedstream and is no keyed archive. Fields whose names are not known
    /// have that of the class, and their position.
    package var isTypedStream: Bool { Self.isTypedStream(document) }

    /// Whether a document presents itself as an archive that NSArchiver wrote.
    package static func isTypedStream(_ document: Document) -> Bool {
        Envelope(document).map { document.text($0.archiver.object, equals: "NSArchiver") } ?? false
    }
}

/// The number of an object in a keyed archive: its index in `$objects`.
package struct UID: Sendable, Hashable, Comparable {
    /// The index in `$objects`, from 0.
    package let index: Int

    package init(_ index: Int) {
        self.index = index
    }

    /// The object that stands for nil.
    package static let null = UID(0)

    /// Objects are ordered by their number.
    package static func < (a: UID, b: UID) -> Bool {
        a.index < b.index
    }
}
