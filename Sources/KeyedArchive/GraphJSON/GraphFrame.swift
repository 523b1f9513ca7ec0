import SaveCodec

/// A container of graph JSON that is being written.
struct GraphFrame {
    /// How the contents stand in JSON.
    enum Form {
        /// Members of an object: the fields of an instance, or the roots.
        case fields
        /// The same as `[name, value]` each, where names repeat or are no text.
        case fieldPairs
        /// Elements of an array, all references.
        case elements
        /// Members of an object, all references.
        case entries
        /// `[key, value]` each, both references.
        case entryPairs
        /// Elements in place, or references.
        case inlineElements
        /// Members in place, or references.
        case inlineEntries
        /// `[key, value]` each, the values in place or references.
        case inlinePairs
    }

    /// Where the contents come from.
    enum Contents {
        /// The pairs of a stored dictionary, but for one.
        case pairs(StoredObject, omitting: Int)
        /// The elements of a stored array or set.
        case elements(StoredObject)
        /// A key and a value, which are references.
        case entry(key: ObjectID, value: ObjectID)
        /// References that are fields of their own.
        case numbered(NumberedReferences)
        /// The elements of two stored arrays.
        case entries(keys: StoredObject, values: StoredObject)
        /// Objects.
        case objects([UID])

        var count: Int {
            switch self {
            case .pairs(let stored, let omitted): omitted < stored.count ? stored.count - 1 : stored.count
            case .elements(let stored): stored.count
            case .entry: 2
            case .numbered(let references): references.count
            case .entries(let keys, _): keys.count
            case .objects(let uids): uids.count
            }
        }
    }

    let form: Form
    let contents: Contents
    /// How many containers of JSON are open around the contents.
    let depth: Int
    /// The order in which the contents are written; nil for the stored one.
    var order: [UInt32]?
    /// Whether an object is open around the container, and is closed with it.
    var isWrapped = false
    /// How many of the contents have been begun.
    var next = 0

    var isField: Bool { form == .fields || form == .fieldPairs }
}
