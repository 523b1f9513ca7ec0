import SaveCodec

/// The validation vocabulary and formats.
extension SchemaCompiler {
    mutating func compileTypes(_ source: SchemaSource) throws(Problem) {
        let expected = "a type or an array of types: " + Phrase.alternatives(JSONTypes.names.map(\.name))
        if let names = try oneOrMoreStrings(.type, source, expected) {
            var types: JSONTypes = []
            for name in names {
                guard let type = JSONTypes.names.first(where: { $0.name.utf16.elementsEqual(name) })?.type else {
                    throw wrongValue(.type, source, expected)
                }
                types.insert(type)
            }
            add(.type(types), to: source.node)
        }
        if let value = source.values[.const] { add(.const(values([value], source)), to: source.node) }
        if let value = source.values[.enumeration] {
            guard case .array(let elements) = documents[source.place.document].document[value] else {
                throw wrongValue(.enumeration, source, "an array")
            }
            add(.enumeration(values(Array(elements), source)), to: source.node)
        }
    }

    private mutating func values(_ objects: [ObjectID], _ source: SchemaSource) -> SchemaValues {
        let position = source.place.document
        let instance = documents[position].instance
        let ids = objects.map { InstanceID($0) }
        var hasher = hashers[position] ?? ValueHasher(instance)
        var positions: [Int: [Int]] = [:]
        for (index, id) in ids.enumerated() { positions[hasher.hash(id), default: []].append(index) }
        hashers[position] = hasher
        return SchemaValues(document: position, ids: ids, positions: positions)
    }

    mutating func compileNumbers(_ source: SchemaSource) throws(Problem) {
        if let divisor = try number(.multipleOf, source) {
            guard .integer(0) < divisor else { throw wrongValue(.multipleOf, source, "a number greater than 0") }
            add(.multipleOf(divisor, divisor.decimal), to: source.node)
        }
        if let limit = try number(.maximum, source) { add(.maximum(limit), to: source.node) }
        if let limit = try number(.exclusiveMaximum, source) { add(.exclusiveMaximum(limit), to: source.node) }
        if let limit = try number(.minimum, source) { add(.minimum(limit), to: source.node) }
        if let limit = try number(.exclusiveMinimum, source) { add(.exclusiveMinimum(limit), to: source.node) }
    }

    mutating func compileText(_ source: SchemaSource) throws(Problem) {
        if let limit = try count(.maxLength, source) { add(.maxLength(limit), to: source.node) }
        if let limit = try count(.minLength, source) { add(.minLength(limit), to: source.node) }
        if let value = source.values[.pattern] {
            guard let text = documents[source.place.document].document.text(value) else {
                throw wrongValue(.pattern, source, "a regular expression")
            }
            add(.pattern(try pattern(Array(text), at: address(of: source.place, .pattern))), to: source.node)
        }
        guard let value = source.values[.format] else { return }
        let name = try string(value, .format, in: source.place)
        guard let format = SchemaFormat(rawValue: name) else {
            return warn(
                .unknownFormat(Array(name.utf16), at: address(of: source.place, .format)), in: source.place.document)
        }
        if assertsFormats || source.dialect.assertsFormats { add(.format(format), to: source.node) }
    }

    /// A regular expression of the schema.
    mutating func pattern(_ source: [UInt16], at address: Address) throws(Problem) -> SchemaPattern {
        do throws(RegexFault) {
            let pattern = SchemaPattern(regex: try ECMARegex(source), source: source, number: patternCount)
            patternCount += 1
            return pattern
        } catch {
            throw .badPattern(source, error, at: address)
        }
    }

    mutating func compileSizes(_ source: SchemaSource) throws(Problem) {
        if let limit = try count(.maxItems, source) { add(.maxItems(limit), to: source.node) }
        if let limit = try count(.minItems, source) { add(.minItems(limit), to: source.node) }
        if try boolean(.uniqueItems, source) == true { add(.uniqueItems, to: source.node) }
        if let limit = try count(.maxProperties, source) { add(.maxProperties(limit), to: source.node) }
        if let limit = try count(.minProperties, source) { add(.minProperties(limit), to: source.node) }
        if let names = try strings(.required, source) { add(.required(nameTable(names)), to: source.node) }
        if source.values[.dependentRequired] != nil { try compileDependentRequired(source) }
    }

    private mutating func compileDependentRequired(_ source: SchemaSource) throws(Problem) {
        let document = documents[source.place.document].document
        guard let value = source.values[.dependentRequired], case .dictionary(let pairs) = document[value] else {
            throw wrongValue(.dependentRequired, source, "an object of arrays of different strings")
        }
        var rules: [(name: Int32, required: NameTable<Void>)] = []
        for pair in pairs {
            guard let key = document.text(pair.key), let names = strings(pair.value, source) else {
                throw wrongValue(.dependentRequired, source, "an object of arrays of different strings")
            }
            rules.append((name(Array(key)), nameTable(names)))
        }
        add(.dependentRequired(rules), to: source.node)
    }
}
