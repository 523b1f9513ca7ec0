import SaveCodec

/// `x-stored` for the names of members demands nothing, as they are stored in neither way.
extension SchemaCompiler {
    /// Refuses `x-stored` in the schema of `propertyNames`.
    func refuseStorageOfNames(_ source: SchemaSource) throws(Problem) {
        guard let schema = source.values[.propertyNames],
            case .dictionary(let pairs) = documents[source.place.document].document[schema],
            pairs.value(for: Keyword.xStored.rawValue.utf16) != nil
        else { return }
        throw wrongValue(
            .propertyNames, source, expected: "a schema without x-stored, as names are stored in neither way")
    }

    /// Warns of `x-stored` in the schemas that `propertyNames` comes to by `$ref`, `allOf` and the like. They may be
    /// there for values as well, so that this is no error.
    mutating func warnOfStorageOfNames() {
        var pending = nodes.indices.filter { nodes[$0].assertions.contains { $0 is StorageAssertion } }
        guard !pending.isEmpty else { return }
        var appliedBy = [[Int]](repeating: [], count: nodes.count)
        for node in nodes.indices {
            for applicator in nodes[node].applicators where applicator.isInPlace {
                for schema in applicator.schemas { appliedBy[schema].append(node) }
            }
        }
        var asksForStorage = Set(pending)
        while let node = pending.popLast() {
            for other in appliedBy[node] where asksForStorage.insert(other).inserted { pending.append(other) }
        }
        for node in nodes.indices {
            let ofNames = nodes[node].applicators.lazy.compactMap { $0 as? PropertyNames }
            guard ofNames.contains(where: { asksForStorage.contains($0.schema) }) else { continue }
            var address = address(of: node)
            address.append(key: Keyword.propertyNames.rawValue.utf16)
            warn(
                Problem(
                    "schema.stored-names", "x-stored demands nothing here, as names are stored in neither way",
                    severity: .warning, address: address),
                in: nodes[node].location.document)
        }
    }
}
