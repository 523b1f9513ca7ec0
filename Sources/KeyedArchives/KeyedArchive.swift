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
/// The archive is a second graph over the document's object table, with UIDs as its edges. Nothing is copied, no class
/// is instantiated, and no shared object is expanded. An object's identity is its ``UID``.
///
/// An archive is always sound: `$top` and `$objects` have the right kinds, every reference leads to an object, and
/// every object of a class has a class record with a name. Opening an archive also checks each object of a Foundation
/// class against the fields that the class expects, see ``findings``. Later access to any object takes constant time.
public final class KeyedArchive: Sendable {
    /// The property list that the archive is stored in.
    public let document: Document
    /// The name of the class that wrote the archive, usually `NSKeyedArchiver`.
    package let archiver: StoredString
    /// The class records, in the order of their UIDs.
    package let classes: [ClassRecord]
    /// The findings about a sound archive, of any severity. They do not prevent reading: an object whose fields do not
    /// fit the layout of its Foundation class is read as its stored fields.
    public let findings: [Problem]
    /// The findings about members of the root and of class records that no archiver writes. Only the stored property
    /// list can represent these members.
    let unwritable: [Problem]
    /// The stored array `$objects`.
    package let objects: StoredObject
    let objectsID: ObjectID
    /// The stored dictionary `$top`.
    package let top: StoredObject
    let topID: ObjectID
    /// The role and encoding of each object, by UID.
    let entries: [ObjectEntry]
    /// The references in numbered fields such as `NS.object.0`, object by object. For each object they are in the order
    /// of the numbers; for a dictionary, the keys precede the values.
    let numberedReferences: [ObjectID]
    /// Whether the roots are known to reach all objects. Otherwise a search may find that they do.
    package let reachesAllObjects: Bool
    /// Whether the archiver's class stores the elements of collections as numbered fields instead of arrays.
    package let numbersElements: Bool
    /// The attributed strings that are shown with their runs; empty unless ``showingRuns()`` made the archive.
    package let attributedStrings: AttributedStrings

    /// Finds the object graph of a document.
    ///
    /// - Throws: The first problem that makes the archive unsound, with its address in the property list.
    public convenience init(_ document: Document, limits: Limits = Limits()) throws(Problem) {
        try document.checkExpansion(limits)
        let faults = ArchiveRoot.faults(in: document)
        guard faults.isEmpty, let envelope = ArchiveRoot(document) else {
            throw faults.first ?? ArchiveRoot.Member.objects.missing
        }
        var check = ArchiveCheck(document, envelope)
        check.run()
        if let fault = check.faults.first { throw fault }
        self.init(check, findings: check.findings.problems)
    }

    private init(_ check: ArchiveCheck, findings: [Problem], _ strings: AttributedStrings = AttributedStrings()) {
        document = check.document
        archiver = check.envelope.archiver
        objects = check.envelope.objects
        objectsID = check.envelope.objectsID
        top = check.envelope.top
        topID = check.envelope.topID
        classes = check.classes.records
        entries = check.entries
        self.findings = findings
        unwritable = check.unwritable.problems
        numberedReferences = check.encodings.numberedReferences
        reachesAllObjects = check.reachesAllObjects
        numbersElements = check.encodings.numbersElements
        attributedStrings = strings
    }

    /// Returns the archive with its attributed strings shown as text and runs, in an extension of its document.
    package func showingRuns() -> KeyedArchive {
        guard attributedStrings.elements.isEmpty, let (strings, document) = AttributedStrings.find(in: self),
            let envelope = ArchiveRoot(document)
        else { return self }
        var check = ArchiveCheck(document, envelope)
        check.run()
        return KeyedArchive(check, findings: findings, strings)
    }

    /// Opens an archive from the bytes of a file in any format, including graph JSON.
    ///
    /// - Throws: The first problem that makes the file unreadable or the archive unsound.
    public convenience init(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) {
        let document = try Document.readSave(bytes, as: Format.recognize(bytes), limits: limits)
        try self.init(
            GraphJSON.isPresent(in: document) ? GraphJSON.archive(from: document) : document, limits: limits)
    }

    /// Checks a document as an archive, and returns all findings and the classes that the objects use.
    package static func examine(
        _ document: Document, limits: Limits = Limits(), faultsOnly: Bool = false
    ) -> (problems: [Problem], classes: [ClassUse]) {
        do throws(Problem) {
            try document.checkExpansion(limits)
        } catch {
            return ([error], [])
        }
        let faults = ArchiveRoot.faults(in: document)
        guard let envelope = ArchiveRoot(document) else { return (faults, []) }
        var check = ArchiveCheck(document, envelope, faults: faults)
        check.run()
        return (check.faults.problems + (faultsOnly ? [] : check.findings.problems), check.classUses)
    }

    /// Whether a document presents itself as an archive.
    ///
    /// A document does so if it is a dictionary with `$objects` and at least one of `$archiver`, `$top` and `$version`,
    /// or a dictionary with all of these three. The archive may still be unsound.
    public static func isArchive(_ document: Document) -> Bool {
        ArchiveRoot.isPresent(in: document)
    }

    /// The number of objects, including `$null` and class records.
    package var count: Int { objects.count }

    /// Whether the file is a typedstream, written by NSArchiver, rather than a keyed archive.
    ///
    /// The fields of a typedstream have no names. A field whose name is not known is named after its class and its
    /// position, from 0: `Player.0`.
    package var isTypedStream: Bool { Self.isTypedStream(document) }

    /// Whether a document presents itself as an archive that NSArchiver wrote.
    package static func isTypedStream(_ document: Document) -> Bool {
        ArchiveRoot(document).map { document.text($0.archiver.object, equals: "NSArchiver") } ?? false
    }
}

/// The number of an object in a keyed archive: its index in `$objects`.
package struct UID: Sendable, Hashable, Comparable {
    /// The index in `$objects`, from 0.
    package let index: Int

    package init(_ index: Int) {
        self.index = index
    }

    /// The object that represents nil.
    package static let null = UID(0)

    /// Orders objects by their index.
    package static func < (a: UID, b: UID) -> Bool {
        a.index < b.index
    }
}

extension DocumentEditor {
    /// Replaces the objects of an archive, and optionally its roots.
    ///
    /// - Parameters:
    ///   - list: The new elements of `$objects`.
    ///   - top: The new dictionary of roots; nil to keep the present one.
    package mutating func setObjects(_ list: [ObjectID], top: ObjectID?, of archive: KeyedArchive) {
        let document = archive.document
        guard case .dictionary(let pairs) = document[document.root] else { return }
        var values = pairs.map(\.value)
        let isChanged = list.count != archive.count || list.indices.contains { list[$0] != archive.objectID(UID($0)) }
        if isChanged, let old = pairs.value(for: "$objects".utf16) {
            let array = addContainer(.array)
            setContents(of: array, to: list)
            values = values.map { $0 == old ? array : $0 }
        }
        if let top { values = values.map { $0 == archive.storedTop ? top : $0 } }
        guard values != pairs.map(\.value) else { return }
        setContents(of: document.root, to: pairs.map(\.key) + values)
    }
}
