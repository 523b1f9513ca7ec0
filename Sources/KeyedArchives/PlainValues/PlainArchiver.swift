public import SaveCodec

/// An archiver for property lists: the value becomes the root object, and its containers become Foundation collections.
///
/// The result is what a program would write if it read the file and archived the value.
///
///     {"name": "Ada", "seen": date}     ─▶     root: NSDictionary {"name": "Ada", "seen": NSDate}
///
/// Shared objects of the property list stay shared. Null becomes NSNull. The text `$null`, which represents nil in an
/// archive, becomes an NSMutableString.
public enum PlainArchiver {
    /// Returns the archive of a property list.
    ///
    /// - Throws: A problem if the property list contains a UID, which refers to nothing outside an archive.
    public static func archive(of document: Document) throws(Problem) -> Document {
        var archiver = Conversion(document)
        try archiver.run()
        return try archiver.builder.finish()
    }

    private struct Conversion: ~Copyable {
        let document: Document
        var builder: KeyedArchiveBuilder
        private var numbers: [ObjectID: UID] = [:]
        private var pending: [ObjectID] = []
        private var records: [String: UID] = [:]

        init(_ document: Document) {
            self.document = document
            builder = KeyedArchiveBuilder(expectedSize: document.imageSize)
        }

        mutating func run() throws(Problem) {
            builder.addTop(root: try reference(to: document.root))
            while let id = pending.popLast() {
                if let uid = numbers[id] { try describe(id, uid) }
            }
        }

        private mutating func reference(to id: ObjectID) throws(Problem) -> UID {
            let object = document.object(id)
            switch object.kind {
            case .uid:
                throw Problem(
                    "plain.uid", "found a UID; an archive cannot store it as a value", address: document.address(of: id)
                )
            case .array, .set, .dictionary, .date, .null: return number(id)
            // A plain string with this text would be nil.
            case _ where document.text(object, equals: "$null"):
                return number(id)
            default: return number(scalar: object, id)
            }
        }

        /// Returns the UID of a plain scalar. Later occurrences of a scalar are recognized by their object in the
        /// document, without comparing the values.
        private mutating func number(scalar object: StoredObject, _ id: ObjectID) -> UID {
            if let uid = numbers[id] { return uid }
            let document = document
            let uid = builder.add { $0.add(object, of: document) }
            numbers[id] = uid
            return uid
        }

        /// Returns the UID of an object that is described later; the same UID for every reference.
        private mutating func number(_ id: ObjectID) -> UID {
            if let uid = numbers[id] { return uid }
            let uid = builder.reserve()
            numbers[id] = uid
            pending.append(id)
            return uid
        }

        private mutating func describe(_ id: ObjectID, _ uid: UID) throws(Problem) {
            switch document[id] {
            case .array(let elements):
                begin(uid, "NSArray")
                builder.addCollection(try references(to: elements))
            case .set(let elements):
                begin(uid, "NSSet")
                builder.addCollection(try references(to: elements))
            case .dictionary(let pairs):
                begin(uid, "NSDictionary")
                let keys = try references(to: pairs.lazy.map(\.key))
                builder.addCollection(keys: keys, try references(to: pairs.lazy.map(\.value)))
            case .date(let seconds):
                begin(uid, "NSDate")
                builder.contents.add(string: "NS.time")
                builder.contents.add(real64: seconds)
            case .string:
                begin(uid, "NSMutableString")
                builder.contents.add(string: "NS.string")
                builder.contents.add(string: "$null")
            default: begin(uid, "NSNull")
            }
            builder.end()
        }

        private mutating func begin(_ uid: UID, _ name: String) {
            let record = records[name] ?? builder.addClass(name, chain: FoundationClass.named(name)?.chain)
            records[name] = record
            builder.begin(uid, of: record)
        }

        private mutating func references(to ids: some Sequence<ObjectID>) throws(Problem) -> [UID] {
            try ids.map { id throws(Problem) in try reference(to: id) }
        }
    }
}
