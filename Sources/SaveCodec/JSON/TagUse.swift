/// Plain JSON with member names like typed JSON tags: `{"$set": 255}`, `{"$date": {"$numberLong": "5"}}`.
///
///     {"a": {"$date": "2009-09-06T12:34:56Z"}}                        typed: a date
///     {"a": {"$date": "2009-09-06T12:34:56Z"}, "b": {"$oid": 5}}      plain: two dictionaries
///     {"a": {"$date": "yesterday"}, "b": {"$data": "3q0="}}           plain: two dictionaries
extension Document {
    /// The use of tagged values in a JSON text, which decides how dictionaries with such names are written.
    enum TagUse: Sendable {
        /// The document was not read from JSON.
        case unknown
        /// The text has no tagged values, and `{"$oid": 5}` is an ordinary object.
        case none
        /// There are some, so all others that look like one are lists of pairs.
        case typed
        /// Nothing is a tagged value, even if it looks like one.
        case plain
    }

    /// The same as plain JSON; nil if it was not read from JSON, or from a text with tagged values.
    package func asPlainJSON() -> Document? {
        tagUse == .none || tagUse == .plain ? noting { $0.tagUse = .plain } : nil
    }

    /// The same document as typed JSON, which escapes names that begin with `$`, even if it was read from plain JSON.
    package func asTypedJSON() -> Document {
        noting { $0.tagUse = .typed }
    }

    /// Whether JSON of the document has tagged values. A list of pairs is one, which the writer makes of duplicate keys, so
    /// all objects are looked at even if the JSON that the document was read from has none.
    var hasTaggedValues: Bool {
        switch tagUse {
        case .plain: false
        case .typed: true
        case .none, .unknown: (0..<count).contains { isTagged(ObjectID($0)) }
        }
    }

    private func isTagged(_ id: ObjectID) -> Bool {
        switch self[id] {
        case .date, .data, .uid, .set, .real32: return true
        case .real64(let real): return !real.isFinite
        case .dictionary:
            let dictionary = object(id)
            let keys = (0..<dictionary.count).lazy.map { self.object(self.key($0, of: dictionary)) }
            guard keys.allSatisfy(\.kind.isString) else { return true }
            return tag(of: dictionary) != nil || firstRepeatedKey(of: dictionary) != nil
        default: return false
        }
    }

    /// The tag that the only key of a dictionary names; nil for any other dictionary.
    private func tag(of dictionary: StoredObject) -> JSONTag? {
        guard dictionary.kind == .dictionary, dictionary.count == 1 else { return nil }
        let key = object(key(0, of: dictionary))
        return key.kind.isString ? JSONTag(StoredString(self, key)) : nil
    }

    /// Why a document was read from plain JSON though it has members named like tags, as a warning; nil if nothing in it
    /// looks like one, or if it was asked for.
    package var plainJSONWarning: Problem? {
        tagContradiction.map {
            Problem(
                "json.plain",
                "\($0.message); so the file is plain JSON, and a member such as \"$date\" is an ordinary key",
                severity: .warning, at: $0.place, address: $0.address)
        }
    }

    /// A warning for each of the first dictionaries that a conversion makes of objects named like tagged values, and their
    /// number. There are none where nobody could have meant a tagged value.
    ///
    /// - Parameter limit: how many warnings there are at most.
    package func plainTagWarnings(limit: Int) -> (problems: [Problem], count: Int) {
        guard let warning = plainJSONWarning else { return ([], 0) }
        let named = (0..<count).lazy.map { ObjectID($0) }.filter { tag(of: object($0)) != nil }
        let addresses = addresses(of: Set(named.prefix(limit)))
        let problems = addresses.compactMap { id, address -> Problem? in
            guard let tag = tag(of: object(id)) else { return nil }
            return Problem(
                "json.plain", "the object with the member \"\(tag.rawValue)\" becomes a dictionary", severity: .warning,
                address: address)
        }
        return ([warning] + problems.sorted { "\($0)" < "\($1)" }, 1 + named.count)
    }
}
