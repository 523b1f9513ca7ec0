package import KeyedArchives
package import SaveCodec

/// A one-line description of a save: its storage, its type and its size.
///
/// Objects are only counted, not read, so this costs little compared with reading the save.
package struct Headline: Sendable {
    /// The storage of the values.
    package enum Storage: Sendable, Equatable {
        case format(Format)
        /// JSON with tags for values that plain JSON cannot represent.
        case typedJSON
        /// JSON from which another file can be rebuilt byte for byte.
        case exactJSON
        /// JSON that describes the objects of an archive.
        case graphJSON
        /// OpenStep text without enclosing braces.
        case stringsFile
        /// A database of Core Data objects.
        case coreDataStore
    }

    /// The contents of the save.
    package enum Contents: Sendable {
        case archive(Archive)
        case database(tables: Int, rows: Int)
        /// The root, and the number of its elements or pairs.
        case container(ContainerKind, count: Int)
        case scalar(ValueKind)
    }

    /// The counts of an archive.
    package struct Archive: Sendable {
        package let archive: KeyedArchive
        package let roots: Int
        /// The number of objects, with or without a class.
        package let objects: Int
        /// The classes of the game with the most objects, at most three.
        package let classes: [(name: StoredString, objects: Int)]
        /// Whether further classes of the game have objects.
        package let hasMoreClasses: Bool
    }

    package let storage: Storage
    package let contents: Contents

    /// Creates the headline of a view.
    ///
    /// - Parameters:
    ///   - source: The document read from the file. For graph JSON, this is not the view's document.
    ///   - format: The format of the file.
    package init(of view: ObjectView, from source: Document, as format: Format) {
        storage = Storage(of: source, isArchive: view.archive != nil, as: format)
        contents = Contents(of: view)
    }
}

extension Headline.Storage {
    fileprivate init(of source: Document, isArchive: Bool, as format: Format) {
        guard format.has(.typedJSON) else {
            let isCoreData = source.databaseSchema?.isCoreData ?? false
            self = source.isStringsFile ? .stringsFile : isCoreData ? .coreDataStore : .format(format)
            return
        }
        self =
            if source.sourceFormat != format {
                .exactJSON
            } else if isArchive && source.isGraphJSON {
                .graphJSON
            } else {
                source.hasTypedValues ? .typedJSON : .format(format)
            }
    }
}

extension Headline.Contents {
    fileprivate init(of view: ObjectView) {
        let root = view[view.root]
        if let archive = view.archive {
            self = .archive(Headline.Archive(archive, roots: root.contents.count))
        } else if let schema = view.document.databaseSchema {
            let rows = schema.tableObjects.reduce(0) { $0 + view.document.object($1).count }
            self = .database(tables: root.contents.count, rows: rows)
        } else if let kind = ContainerKind(root.variant) {
            self = .container(kind, count: root.contents.count)
        } else {
            self = .scalar(view.scalar(view.root)?.kind ?? .null)
        }
    }
}

extension Headline.Archive {
    private static let maxClasses = 3
    /// The number of code units of a class name to compare, so that long names take no longer than short ones.
    private static let longestName = 64

    fileprivate init(_ archive: KeyedArchive, roots: Int) {
        var instances = [Int](repeating: 0, count: archive.classes.count)
        var objects = 0
        for index in 0..<archive.count {
            switch archive.role(of: UID(index)) {
            case .value: objects += 1
            case .instance(let position):
                objects += 1
                instances[position] += 1
            case .null, .classRecord: break
            }
        }
        self.archive = archive
        self.roots = roots
        self.objects = objects
        // Class records with the same name are counted as one class.
        var positions: [[UInt16]: Int] = [:]
        var classes: [(name: StoredString, objects: Int)] = []
        for (record, count) in zip(archive.classes, instances) where count > 0 && !SystemClass.isName(record.shownName)
        {
            let name = Array(record.name.prefix(Self.longestName))
            if let position = positions[name] {
                classes[position].objects += count
            } else {
                positions[name] = classes.count
                classes.append((record.name, count))
            }
        }
        let order = classes.indices.sorted {
            classes[$0].objects == classes[$1].objects ? $0 < $1 : classes[$0].objects > classes[$1].objects
        }
        self.classes = order.prefix(Self.maxClasses).map { classes[$0] }
        hasMoreClasses = classes.count > Self.maxClasses
    }
}

extension Document {
    /// Whether the JSON text has tags for values that plain JSON cannot represent.
    fileprivate var hasTypedValues: Bool {
        (0..<count).contains { index in
            let object = object(ObjectID(index))
            return switch object.kind {
            case .date, .data, .uid, .set: true
            case .real: object.count == 4 || !isFinite(ObjectID(index))
            case .null, .false, .true, .integer, .oneByteString, .utf16String, .array, .dictionary: false
            }
        }
    }

    private func isFinite(_ id: ObjectID) -> Bool {
        if case .real64(let value) = self[id] { value.isFinite } else { true }
    }
}
