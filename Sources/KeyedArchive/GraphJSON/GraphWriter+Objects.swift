import SaveCodec

/// Objects, and values in place: which of its forms each takes.
extension GraphWriter {
    /// The level of indentation of a container's contents, and how many containers of JSON are open around them.
    typealias Level = (indentation: Int, depth: Int)

    // MARK: Contents

    mutating func writeContent(_ position: Int, of frame: GraphFrame, to output: inout ByteWriter) {
        switch frame.contents {
        case .pairs(let stored, let omitted):
            let pair = position < omitted ? position : position + 1
            writeKey(document.object(document.key(pair, of: stored)), frame.form, to: &output)
            writeStored(document.value(pair, of: stored), in: frame, to: &output)
        case .elements(let stored): writeStored(document.reference(position, of: stored), in: frame, to: &output)
        case .entry(let key, let value): writeStored(position == 0 ? key : value, in: frame, to: &output)
        case .numbered(let references):
            writeStored(archive.numberedReferences[references.start + position], in: frame, to: &output)
        case .entries(let keys, let values):
            writeEntry(
                document.reference(position, of: keys), document.reference(position, of: values), in: frame, to: &output
            )
        case .objects(let uids): writeReference(uids[position], in: frame, to: &output)
        }
    }

    /// Writes what stands before the value of a pair.
    private func writeKey(_ key: StoredObject, _ form: GraphFrame.Form, to output: inout ByteWriter) {
        guard form == .fieldPairs || form == .inlinePairs else { return writeName(key, to: &output) }
        output.write(UInt8(ascii: "["))
        if key.kind.isString { writeEscaped(key, to: &output) } else { scalars.writeScalar(key, to: &output) }
        output.write(options.isCompact ? "," : ", ")
    }

    private func writeName(_ key: StoredObject, to output: inout ByteWriter) {
        writeEscaped(key, to: &output)
        output.write(options.isCompact ? ":" : ": ")
    }

    /// Writes a key and a value of a dictionary. A key that is no text may be a container, so that the two are elements
    /// of a container of their own.
    private mutating func writeEntry(
        _ key: ObjectID, _ value: ObjectID, in frame: GraphFrame, to output: inout ByteWriter
    ) {
        guard frame.form == .entryPairs else {
            writeName(archive.stored(uid(key)), to: &output)
            return writeReference(uid(value), in: frame, to: &output)
        }
        output.write("[")
        open(
            GraphFrame(
                .elements, .entry(key: key, value: value), indentation: frame.indentation + 1, depth: frame.depth + 1,
                closing: "]", isLine: true), to: &output)
    }

    mutating func writeStored(_ id: ObjectID, in frame: GraphFrame, to output: inout ByteWriter) {
        let object = document.object(id)
        if object.kind == .uid {
            writeReference(UID(Int(document.uid(object))), in: frame, to: &output)
        } else if object.kind.isContainer {
            openInline(object, in: frame, to: &output)
        } else {
            writeInline(object, isNatural: frame.isField && object.kind.isNumber, to: &output)
            endValue(to: &output)
        }
    }

    private func uid(_ id: ObjectID) -> UID {
        UID(Int(document.uid(document.object(id))))
    }

    // MARK: Values in place

    private func writeInline(_ scalar: StoredObject, isNatural: Bool, to output: inout ByteWriter) {
        if isNatural { return scalars.writeScalar(scalar, to: &output) }
        output.write(options.isCompact ? "{\"$inline\":" : "{\"$inline\": ")
        scalars.writeScalar(scalar, to: &output)
        output.write("}")
    }

    private mutating func openInline(_ container: StoredObject, in frame: GraphFrame, to output: inout ByteWriter) {
        output.write(options.isCompact ? "{\"$inline\":" : "{\"$inline\": ")
        let indentation = frame.indentation + 1
        let depth = frame.depth + 2
        switch container.kind {
        case .set:
            output.write(options.isCompact ? "{\"$set\":[" : "{\"$set\": [")
            open(
                GraphFrame(
                    .inlineElements, .elements(container), indentation: indentation, depth: depth + 1, closing: "]}}"),
                to: &output)
        case .dictionary where hasNames(container):
            output.write("{")
            open(
                GraphFrame(
                    .inlineEntries, .pairs(container, omitting: container.count), indentation: indentation,
                    depth: depth,
                    closing: "}}", order: order(of: container, omitting: container.count)), to: &output)
        case .dictionary:
            output.write(options.isCompact ? "{\"$dict\":[" : "{\"$dict\": [")
            open(
                GraphFrame(
                    .inlinePairs, .pairs(container, omitting: container.count), indentation: indentation,
                    depth: depth + 1, closing: "]}}"), to: &output)
        default:
            output.write("[")
            open(
                GraphFrame(
                    .inlineElements, .elements(container), indentation: indentation, depth: depth, closing: "]}"),
                to: &output)
        }
    }

    // MARK: References

    mutating func writeReference(_ uid: UID, in frame: GraphFrame, to output: inout ByteWriter) {
        if let mention = mentions[uid] {
            write(mention, to: &output)
            return endValue(to: &output)
        }
        switch archive.role(of: uid) {
        case .null:
            output.write("null")
            endValue(to: &output)
        case .value, .classRecord:
            writeValue(uid, in: frame, to: &output)
            endValue(to: &output)
        case .instance:
            writeInstance(uid, in: frame, to: &output)
        }
    }

    /// Writes a plain value of `$objects`.
    private mutating func writeValue(_ uid: UID, in frame: GraphFrame, to output: inout ByteWriter) {
        let id = archive.objectID(uid)
        let object = document.object(id)
        switch object.kind {
        case .oneByteString, .utf16String, .data: scalars.writeScalar(object, to: &output)
        case .integer, .real, .true, .false:
            guard frame.isField else { return scalars.writeScalar(object, to: &output) }
            output.write(options.isCompact ? "{\"$object\":" : "{\"$object\": ")
            scalars.writeScalar(object, to: &output)
            output.write("}")
        default: writeRaw(uid, id, object, in: frame, to: &output)
        }
    }

    /// Writes what stands in `$objects` where an object of a class is usual. A container has an identity, a scalar none.
    private mutating func writeRaw(
        _ uid: UID, _ id: ObjectID, _ object: StoredObject, in frame: GraphFrame, to output: inout ByteWriter
    ) {
        if isShared(uid), let number = numbers[uid] { return writeMention(number, to: &output) }
        output.write(options.isCompact ? "{\"$raw\":" : "{\"$raw\": ")
        JSONWriter.writeValue(of: document, root: id, indentation: frame.indentation, options: options, to: &output)
        if object.kind.isContainer, isShared(uid) {
            output.write(options.isCompact ? ",\"$id\":" : ", \"$id\": ")
            output.write("\(newNumber(for: uid))")
        }
        output.write("}")
    }

    private mutating func newNumber(for uid: UID) -> Int {
        let number = numbers.count + 1
        numbers[uid] = number
        return number
    }

    private func writeMention(_ number: Int, to output: inout ByteWriter) {
        output.write(options.isCompact ? "{\"$ref\":\(number)}" : "{\"$ref\": \(number)}")
    }

    private mutating func writeInstance(_ uid: UID, in frame: GraphFrame, to output: inout ByteWriter) {
        // Whatever is met once has no number yet.
        if isShared(uid), let number = numbers[uid] {
            writeMention(number, to: &output)
            endValue(to: &output)
        } else if frame.depth >= GraphJSON.maxDepth, survey != nil {
            deferred.append(uid)
            writeMention(newNumber(for: uid), to: &output)
            endValue(to: &output)
        } else {
            let number = isShared(uid) ? newNumber(for: uid) : nil
            writeInstance(uid, number: number, at: (frame.indentation + 1, frame.depth + 1), to: &output)
        }
    }

    // MARK: Objects

    /// Writes an object, or as much of it as comes before its contents.
    ///
    /// - Parameter number: its `$id`, or nil if it has none to show.
    mutating func writeInstance(_ uid: UID, number: Int?, at level: Level, to output: inout ByteWriter) {
        guard let position = archive.classPosition(of: uid) else { return }
        let encoding = archive.encoding(of: uid)
        if number == nil, writeBare(encoding, class: position, at: level, to: &output) { return }
        output.write("{")
        writeMember("$class", at: level.indentation, isFirst: true, to: &output)
        writeLabel(position, to: &output)
        if let number {
            writeMember("$id", at: level.indentation, to: &output)
            output.write("\(number)")
        }
        openContents(encoding, of: uid, at: level, to: &output)
    }

    /// Writes an object of the classes that JSON has values of its own for, if it is one: arrays, dictionaries with text
    /// as keys, dates.
    private mutating func writeBare(
        _ encoding: ObjectEncoding, class position: Int, at level: Level, to output: inout ByteWriter
    ) -> Bool {
        switch encoding {
        case .elements(let elements, .array) where labels.bare[position] == .array:
            output.write("[")
            open(
                GraphFrame(
                    .elements, .elements(elements), indentation: level.indentation, depth: level.depth, closing: "]"),
                to: &output)
        case .pairs(let keys, let values) where labels.bare[position] == .dictionary && hasTexts(keys):
            output.write("{")
            open(
                GraphFrame(
                    .entries, .entries(keys: keys, values: values), indentation: level.indentation, depth: level.depth,
                    closing: "}", order: order(ofKeys: keys)), to: &output)
        case .scalar(.date, let seconds) where labels.bare[position] == .date:
            scalars.writeDate(document.real64(document.object(seconds)), to: &output)
            endValue(to: &output)
        default: return false
        }
        return true
    }

    /// Writes what an object holds behind its class.
    private mutating func openContents(
        _ encoding: ObjectEncoding, of uid: UID, at level: Level, to output: inout ByteWriter
    ) {
        switch encoding {
        case .elements(let elements, _): openElements(.elements(elements), at: level, to: &output)
        case .numbered(let references, _) where archive.isAlwaysNumbered(uid):
            openElements(.numbered(references), at: level, to: &output)
        case .pairs(let keys, let values): openEntries(keys, values, at: level, to: &output)
        default: openFields(of: uid, at: level, to: &output)
        }
    }

    private mutating func openElements(
        _ contents: GraphFrame.Contents, at level: Level, to output: inout ByteWriter
    ) {
        writeMember("$elements", at: level.indentation, to: &output)
        output.write("[")
        open(
            GraphFrame(
                .elements, contents, indentation: level.indentation + 1, depth: level.depth + 1, closing: "]",
                isWrapped: true), to: &output)
    }

    private mutating func openEntries(
        _ keys: StoredObject, _ values: StoredObject, at level: Level, to output: inout ByteWriter
    ) {
        writeMember("$entries", at: level.indentation, to: &output)
        let isObject = hasTexts(keys)
        output.write(isObject ? "{" : "[")
        open(
            GraphFrame(
                isObject ? .entries : .entryPairs, .entries(keys: keys, values: values),
                indentation: level.indentation + 1, depth: level.depth + 1, closing: isObject ? "}" : "]",
                order: isObject ? order(ofKeys: keys) : nil, isWrapped: true), to: &output)
    }

    private mutating func openFields(of uid: UID, at level: Level, to output: inout ByteWriter) {
        let stored = archive.stored(uid)
        let member = archive.classMember(of: uid)
        let contents = GraphFrame.Contents.pairs(stored, omitting: member)
        if hasNames(stored) {
            open(
                GraphFrame(
                    .fields, contents, indentation: level.indentation, depth: level.depth, closing: "}",
                    order: order(of: stored, omitting: member), isBegun: true), to: &output)
        } else {
            writeMember("$fields", at: level.indentation, to: &output)
            output.write("[")
            open(
                GraphFrame(
                    .fieldPairs, contents, indentation: level.indentation + 1, depth: level.depth + 1, closing: "]",
                    isWrapped: true), to: &output)
        }
    }

    // MARK: Classes

    func writeLabel(_ position: Int, to output: inout ByteWriter) {
        if survey == nil, !labels.areNames[position] {
            let record = archive.classes[position]
            let isChain = record.hints == nil && record.chain?.first?.elementsEqual(record.name) ?? false
            writeRecord(record, isNamed: isChain, to: &output)
        } else if labels.areNames[position] {
            scalars.writeString(archive.classes[position].name.object, to: &output)
        } else {
            ScalarText.writeString(labels.labels[position], to: &output)
        }
    }
}

extension KeyedArchive {
    /// Whether the elements of an object are fields of their own whoever archives it.
    fileprivate func isAlwaysNumbered(_ uid: UID) -> Bool {
        guard let position = classPosition(of: uid), case .numbered? = classes[position].foundation?.layout else {
            return false
        }
        return true
    }
}
