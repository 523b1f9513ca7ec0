import SaveCodec

/// Our own vocabulary.
extension SchemaCompiler {
    mutating func compileViewKeywords(_ source: SchemaSource) throws(Problem) {
        if let names = try oneOrMoreStrings(.xClass, source, "the name of a class or an array of names") {
            add(.xClass(ClassNames(names, number: classRuleCount)), to: source.node)
            classRuleCount += 1
        }
        try compileViewTypes(source)
        if source.values[.xOrder] != nil { add(.xOrder(try order(source)), to: source.node) }
        let expected = "a JSON Pointer or an array of JSON Pointers"
        if let pointers = try oneOrMoreStrings(.xUniqueBy, source, expected) {
            let addresses = pointers.compactMap { Address(String(decoding: $0, as: UTF16.self)) }
            guard addresses.count == pointers.count else { throw wrongValue(.xUniqueBy, source, expected) }
            add(.xUniqueBy(addresses), to: source.node)
        }
        if let limit = try count(.xMaxBytes, source) { add(.xMaxBytes(limit), to: source.node) }
    }

    private mutating func compileViewTypes(_ source: SchemaSource) throws(Problem) {
        let expected = "a type or an array of types: " + Phrase.alternatives(ViewTypes.names.map(\.name))
        guard let names = try oneOrMoreStrings(.xType, source, expected) else { return }
        var types: ViewTypes = []
        for name in names {
            guard let type = ViewTypes.names.first(where: { $0.name.utf16.elementsEqual(name) })?.type else {
                throw wrongValue(.xType, source, expected)
            }
            types.insert(type)
        }
        add(.xType(types), to: source.node)
    }

    /// `{"by": "/score", "direction": "descending"}`; without `by` the elements themselves, without `direction`
    /// ascending.
    private func order(_ source: SchemaSource) throws(Problem) -> OrderRule {
        let document = documents[source.place.document].document
        var (by, isDescending): (Address?, Bool?) = (.root, false)
        guard let value = source.values[.xOrder], case .dictionary(let pairs) = document[value] else {
            throw wrongOrder(source)
        }
        for pair in pairs {
            switch (document.text(pair.key)?.string, document.text(pair.value)?.string) {
            case ("by", let pointer?): by = Address(pointer)
            case ("direction", "ascending"): isDescending = false
            case ("direction", "descending"): isDescending = true
            default: throw wrongOrder(source)
            }
        }
        guard let by, let isDescending else { throw wrongOrder(source) }
        return OrderRule(by: by, isDescending: isDescending)
    }

    private func wrongOrder(_ source: SchemaSource) -> Problem {
        wrongValue(
            .xOrder, source,
            #"{"by": a JSON Pointer, "direction": "ascending" or "descending"}, of which either may be left out"#
        )
    }
}
