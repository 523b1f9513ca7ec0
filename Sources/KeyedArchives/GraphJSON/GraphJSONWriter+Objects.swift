import SaveCodec

/// Writes objects and values in place, and chooses the JSON representation of each.
extension GraphJSONWriter {
    // MARK: Contents

    mutating func writeContent(_ position: Int, of frame: GraphJSONFrame, to output: inout ByteWriter) {
        switch frame.contents {
        case .pairs(let stored, let omitted):
            let pair = position < omitted ? position : position + 1
            writeKey(document.object(document.key(pair, of: stored)), frame.form, to: &output)
            writeSlot(document.value(pair, of: stored), position, of: frame, to: &output)
        case .elements(let stored):
            writeSlot(document.reference(position, of: stored), position, of: frame, to: &output)
        case .entry(let key, let value): writeStored(position == 0 ? key : value, in: frame, to: &output)
        case .numbered(let references):
            writeSlot(archive.numberedReferences[references.start + position], position, of: frame, to: &output)
        case .entries(let keys, let values):
            writeEntry(
                document.reference(position, of: keys), document.reference(position, of: values), at: position,
                of: frame, to: &output)
        case .objects(let uids): writeReference(uids[position], in: frame, to: &output)
        }
    }

    /// Writes the value of a slot, with `$inline` or `$object` for ``explicitSlots``.
    private mutating func writeSlot(
        _ id: ObjectID, _ position: Int, of frame: GraphJSONFrame, to output: inout ByteWriter
    ) {
        if !explicitSlots.isEmpty, let object = frame.object, explicitSlots.contains(ObjectSlot(object, position)) {
            json.tag(document.object(id).kind == .uid ? "$object" : "$inline", to: &output)
        }
        writeStored(id, in: frame, to: &output)
    }

    /// Writes the name of a member, or opens a pair and writes its key.
    private mutating func writeKey(_ key: StoredObject, _ form: GraphJSONFrame.Form, to output: inout ByteWriter) {
        guard form == .fieldPairs || form == .inlinePairs else { return writeName(key, to: &output) }
        json.openPair(to: &output)
        guard key.kind.isString else { return write(key, to: &output) }
        let prefix = prefix(of: key)
        json.write(to: &output) { scalars.writeString(key, prefix: prefix, to: &$0) }
    }

    /// Writes a key and a value of a dictionary.
    ///
    /// A non-string key may be a container, so a pair with a non-string key is written as a container of its own.
    private mutating func writeEntry(
        _ key: ObjectID, _ value: ObjectID, at position: Int, of frame: GraphJSONFrame, to output: inout ByteWriter
    ) {
        guard frame.form == .entryPairs else {
            writeName(archive.stored(uid(key)), to: &output)
            return writeSlot(value, position, of: frame, to: &output)
        }
        json.open(.array, .indentedRow, to: &output)
        open(
            GraphJSONFrame(form: .elements, contents: .entry(key: key, value: value), depth: frame.depth + 1),
            to: &output)
    }

    mutating func writeStored(_ id: ObjectID, in frame: GraphJSONFrame, to output: inout ByteWriter) {
        let object = document.object(id)
        if object.kind == .uid {
            writeReference(UID(Int(document.uid(object))), in: frame, to: &output)
        } else if object.kind.isContainer {
            openInline(id, object, in: frame, to: &output)
        } else {
            if !frame.isField || !object.kind.isNumber, !isOfRuns(id) { json.tag("$inline", to: &output) }
            if !json.writeNested(object, of: document, options, to: &output) { write(object, to: &output) }
        }
    }

    private func uid(_ id: ObjectID) -> UID {
        UID(Int(document.uid(document.object(id))))
    }

    // MARK: Values in place

    /// Whether a value was made to show the runs of an attributed string. It needs no tag, as it is stored in the fields
    /// of the string.
    private func isOfRuns(_ id: ObjectID) -> Bool {
        options.showsRuns && archive.attributedStrings.owner(of: id) != nil
    }

    private mutating func openInline(
        _ id: ObjectID, _ container: StoredObject, in frame: GraphJSONFrame, to output: inout ByteWriter
    ) {
        let isOfRuns = isOfRuns(id)
        if !isOfRuns { json.tag("$inline", to: &output) }
        let pairs = GraphJSONFrame.Contents.pairs(container, omitting: container.count)
        switch container.kind {
        case .set:
            json.tag("$set", to: &output)
            json.open(.array, to: &output)
            open(
                GraphJSONFrame(form: .inlineElements, contents: .elements(container), depth: frame.depth + 3),
                to: &output)
        case .dictionary where hasNames(container):
            let isRange = isOfRuns && document.object(document.value(0, of: container)).kind.isNumber
            json.open(.object, isRange ? .row : .lines, to: &output)
            let order = order(of: container, omitting: container.count)
            open(
                GraphJSONFrame(form: .inlineEntries, contents: pairs, depth: frame.depth + 2, order: order), to: &output
            )
        case .dictionary:
            json.tag("$dict", to: &output)
            json.open(.array, to: &output)
            open(GraphJSONFrame(form: .inlinePairs, contents: pairs, depth: frame.depth + 3), to: &output)
        default:
            json.open(.array, to: &output)
            open(
                GraphJSONFrame(form: .inlineElements, contents: .elements(container), depth: frame.depth + 2),
                to: &output)
        }
    }

    // MARK: References

    mutating func writeReference(_ uid: UID, in frame: GraphJSONFrame, to output: inout ByteWriter) {
        if let substitute = substitutes[uid] { return write(substitute, to: &output) }
        switch archive.role(of: uid) {
        case .null: json.writeNull(to: &output)
        case .value, .classRecord: writeValue(uid, in: frame, to: &output)
        case .instance: writeInstance(uid, in: frame, to: &output)
        }
    }

    private mutating func writeValue(_ uid: UID, in frame: GraphJSONFrame, to output: inout ByteWriter) {
        let id = archive.objectID(uid)
        let object = document.object(id)
        switch object.kind {
        case .data where json.writeNested(object, of: document, options, to: &output): break
        case .oneByteString, .utf16String, .data: write(object, to: &output)
        case .integer, .real, .true, .false:
            if frame.isField { json.tag("$object", to: &output) }
            write(object, to: &output)
        default: writeRaw(uid, object, id: id, to: &output)
        }
    }

    /// Writes a value that is in `$objects` without a class as `$raw`. A container may get an `$id`; a scalar never
    /// does.
    private mutating func writeRaw(
        _ uid: UID, _ object: StoredObject, id: ObjectID, to output: inout ByteWriter
    ) {
        if isShared(uid), let number = numbers[uid] { return writeReferenceNumber(number, to: &output) }
        json.open(.object, .row, to: &output)
        json.name("$raw", to: &output)
        json.write(to: &output) { [indentation = json.indentation] output in
            JSONWriter.writeValue(of: document, root: id, indentation: indentation, options: options, to: &output)
        }
        if object.kind.isContainer, isShared(uid) { json.member("$id", newNumber(for: uid), to: &output) }
        json.close(to: &output)
    }

    private mutating func newNumber(for uid: UID) -> Int {
        let number = numbers.count + 1
        numbers[uid] = number
        return number
    }

    private mutating func writeReferenceNumber(_ number: Int, to output: inout ByteWriter) {
        json.tag("$ref", to: &output)
        json.write(number, to: &output)
    }

    private mutating func writeInstance(_ uid: UID, in frame: GraphJSONFrame, to output: inout ByteWriter) {
        // The check avoids a lookup: an object that is reached only once never has a number.
        if isShared(uid), let number = numbers[uid] {
            writeReferenceNumber(number, to: &output)
        } else if frame.depth >= GraphJSON.maxDepth, scan != nil {
            deferred.append(uid)
            writeReferenceNumber(newNumber(for: uid), to: &output)
        } else {
            let number = isShared(uid) ? newNumber(for: uid) : nil
            writeInstance(uid, number: number, depth: frame.depth + 1, to: &output)
        }
    }

    // MARK: Objects

    /// Writes an object, or the part of it that precedes its contents.
    ///
    /// - Parameter number: The `$id`; nil for none.
    mutating func writeInstance(_ uid: UID, number: Int?, depth: Int, to output: inout ByteWriter) {
        guard let position = archive.classPosition(of: uid) else { return }
        let encoding = archive.encoding(of: uid)
        if number == nil, writeBare(encoding, of: uid, class: position, depth: depth, to: &output) { return }
        json.open(.object, to: &output)
        json.name("$class", to: &output)
        writeLabel(position, to: &output)
        if let number { json.member("$id", number, to: &output) }
        openContents(encoding, of: uid, depth: depth, to: &output)
    }

    /// Writes an object as a JSON value without `$class`, if possible: an array, a dictionary with string keys, or a
    /// date.
    ///
    /// - Returns: Whether the object was written.
    private mutating func writeBare(
        _ encoding: ObjectEncoding, of uid: UID, class position: Int, depth: Int, to output: inout ByteWriter
    ) -> Bool {
        switch encoding {
        case .elements(let elements, .array) where labels.bare[position] == .array:
            json.open(.array, to: &output)
            open(
                GraphJSONFrame(form: .elements, contents: .elements(elements), object: uid, depth: depth), to: &output)
        case .pairs(let keys, let values) where labels.bare[position] == .dictionary && hasTexts(keys):
            json.open(.object, to: &output)
            let order = order(ofKeys: keys)
            open(
                GraphJSONFrame(
                    form: .entries, contents: .entries(keys: keys, values: values), object: uid, depth: depth,
                    order: order), to: &output)
        case .scalar(.date, let seconds) where labels.bare[position] == .date:
            json.write(to: &output) { scalars.writeDate(document.real64(document.object(seconds)), to: &$0) }
        default: return false
        }
        return true
    }

    /// Writes the contents of an object after its class.
    private mutating func openContents(_ encoding: ObjectEncoding, of uid: UID, depth: Int, to output: inout ByteWriter)
    {
        switch encoding {
        case .elements(let elements, _): openElements(.elements(elements), of: uid, depth: depth, to: &output)
        case .numbered(let references, _) where archive.isAlwaysNumbered(uid):
            openElements(.numbered(references), of: uid, depth: depth, to: &output)
        case .pairs(let keys, let values): openEntries(keys, values, of: uid, depth: depth, to: &output)
        default: openFields(of: uid, depth: depth, to: &output)
        }
    }

    private mutating func openElements(
        _ contents: GraphJSONFrame.Contents, of uid: UID, depth: Int, to output: inout ByteWriter
    ) {
        json.name("$elements", to: &output)
        json.open(.array, to: &output)
        open(
            GraphJSONFrame(form: .elements, contents: contents, object: uid, depth: depth + 1, isWrapped: true),
            to: &output
        )
    }

    private mutating func openEntries(
        _ keys: StoredObject, _ values: StoredObject, of uid: UID, depth: Int, to output: inout ByteWriter
    ) {
        let isObject = hasTexts(keys)
        json.name("$entries", to: &output)
        json.open(isObject ? .object : .array, to: &output)
        open(
            GraphJSONFrame(
                form: isObject ? .entries : .entryPairs, contents: .entries(keys: keys, values: values),
                object: uid, depth: depth + 1, order: isObject ? order(ofKeys: keys) : nil, isWrapped: true),
            to: &output)
    }

    private mutating func openFields(of uid: UID, depth: Int, to output: inout ByteWriter) {
        let (fields, member) = archive.fields(of: uid, showingRuns: options.showsRuns)
        let contents = GraphJSONFrame.Contents.pairs(fields, omitting: member)
        if hasNames(fields) {
            let order = order(of: fields, omitting: member)
            open(
                GraphJSONFrame(form: .fields, contents: contents, object: uid, depth: depth, order: order), to: &output)
        } else {
            json.name("$fields", to: &output)
            json.open(.array, to: &output)
            open(
                GraphJSONFrame(form: .fieldPairs, contents: contents, object: uid, depth: depth + 1, isWrapped: true),
                to: &output)
        }
    }

    // MARK: Classes

    mutating func writeLabel(_ position: Int, to output: inout ByteWriter) {
        if scan == nil, !labels.areNames[position] {
            let record = archive.classes[position]
            let isChain = record.hints == nil && record.chain?.first?.elementsEqual(record.name) ?? false
            write(record, isNamed: isChain, to: &output)
        } else if labels.areNames[position] {
            write(archive.classes[position].name, to: &output)
        } else {
            json.write(labels.labels[position], to: &output)
        }
    }
}

extension KeyedArchive {
    /// Whether an object stores its elements as numbered fields with every archiver.
    fileprivate func isAlwaysNumbered(_ uid: UID) -> Bool {
        guard let position = classPosition(of: uid), case .numbered? = classes[position].foundation?.layout else {
            return false
        }
        return true
    }
}
