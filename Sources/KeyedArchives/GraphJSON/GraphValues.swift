package import SaveCodec

/// Values of graph JSON that stand anywhere in a JSON text, such as those of a patch, read into one archive.
///
///     {"$class": "Player", "map": {"$ref": "/root/map"}}
///
/// They are as graph JSON has them in a field, but for three things: `{"$ref": "/pointer"}` is an object that is found
/// elsewhere; `$class` may be what `$classes` would say of the class; and the number of an `$id` is known in the value
/// that it stands in only.
package struct GraphValues: Sendable {
    /// The archive that holds the values.
    package let view: ObjectView
    private let archive: KeyedArchive

    /// A value to be read.
    package struct Slot {
        /// Where it stands.
        package let id: ObjectID
        /// Whether it is the dictionary of an archive's roots.
        package let isTop: Bool

        package init(_ id: ObjectID, isTop: Bool) {
            self.id = id
            self.isTop = isTop
        }
    }

    /// Reads values.
    ///
    /// - Parameter classes: the classes that are known by their names, besides Foundation's.
    /// - Throws: the first thing that is no graph JSON, with its address in the JSON text.
    package init(_ places: [Slot], in document: Document, classes: [ClassRecord]) throws(Problem) {
        var reader = GraphReader(valuesIn: document, classes: ClassReader(classes, in: document))
        let read = try reader.readValues(places)
        archive = try KeyedArchive(reader.finish(of: read))
        view = ObjectView(archive)
    }

    /// A value by its number. One that stands for a number stands in place.
    package func value(_ number: Int) -> ViewID {
        let holder = view.item(number, of: view[view.root].contents).id
        return view.item(0, of: view[holder].contents).id
    }

    /// The address that an object has in place of a description; nil for one that is described.
    package func pointer(_ id: ViewID) -> StoredString? {
        guard let position = view[id].classPosition, case let record = archive.classes[position],
            record.chain == nil, record.name.elementsEqual(GraphReader.pointerClass.utf16)
        else { return nil }
        let contents = view[id].contents
        return contents.count == 1 ? view.text(view.item(0, of: contents).id) : nil
    }
}

extension GraphReader {
    /// The class of the objects that stand for those of another archive.
    static let pointerClass = "$ref"
    private static let field = "value"

    /// Reads values into objects that hold one each.
    mutating func readValues(_ places: [GraphValues.Slot]) throws(Problem) -> [UID] {
        var holders: [UID] = []
        let record = builder.addClass("$value", chain: nil)
        pointerRecord = builder.addClass(Self.pointerClass, chain: nil)
        for place in places {
            let holder = builder.reserve()
            builder.begin(holder, of: record)
            builder.contents.add(string: Self.field)
            if place.isTop { try addTop(place.id) } else { try addField(place.id) }
            builder.end()
            try describePending()
            numbered = [:]
            holders.append(holder)
        }
        return holders
    }

    private mutating func addTop(_ id: ObjectID) throws(Problem) {
        guard case .dictionary(let pairs) = document[id] else {
            throw document.graphMember(.top, id, expected: "an object", at: id)
        }
        builder.contents.open(.dictionary)
        for (key, value) in pairs {
            try addName(key, in: id)
            try addField(value)
        }
        builder.contents.close()
    }

    /// The archive of the objects that hold the values.
    consuming func finish(of holders: [UID]) throws(Problem) -> Document {
        builder.beginTop()
        for (number, holder) in holders.enumerated() {
            builder.contents.add(string: "\(number)")
            builder.refer(to: holder)
        }
        builder.end()
        return try finish()
    }

    /// Describes an object that is elsewhere by its address.
    mutating func describePointer(_ uid: UID, _ pointer: ObjectID) {
        builder.begin(uid, of: pointerRecord)
        builder.contents.add(string: Self.field)
        scalars.add(pointer, of: document, to: &builder.contents)
        builder.end()
    }
}
