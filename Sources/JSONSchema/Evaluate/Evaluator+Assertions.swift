import SaveCodec

/// Whether a value is as one keyword demands. A keyword for another type of value demands nothing.
extension Evaluator {
    mutating func satisfies(_ assertion: Assertion, _ value: InstanceValue, _ id: InstanceID) -> Bool {
        switch assertion {
        case .type(let types): return types.include(value)
        case .const(let values), .enumeration(let values): return isOne(of: values, value, id)
        case .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum:
            guard case .number(let number) = value else { return true }
            return Self.satisfies(assertion, number)
        case .maxLength, .minLength, .pattern, .format:
            guard case .string(let text) = value else { return true }
            return satisfies(assertion, text)
        case .maxItems, .minItems, .uniqueItems, .xOrder, .xUniqueBy:
            guard case .array(let count) = value else { return true }
            return satisfies(assertion, array: id, count: count)
        case .maxProperties, .minProperties, .required, .dependentRequired:
            guard case .object(let count) = value else { return true }
            return satisfies(assertion, object: id, count: count)
        case .xClass(let names): return hasClass(id, names)
        case .xType(let types): return viewType(id).map { !types.isDisjoint(with: $0) } ?? false
        case .xMaxBytes(let limit): return !isLarger(id, than: limit)
        }
    }

    private static func satisfies(_ assertion: Assertion, _ number: Number) -> Bool {
        switch assertion {
        case .multipleOf(_, let divisor): number.decimal.isMultiple(of: divisor)
        case .maximum(let limit): !(limit < number)
        case .exclusiveMaximum(let limit): number < limit
        case .minimum(let limit): !(number < limit)
        case .exclusiveMinimum(let limit): limit < number
        default: true
        }
    }

    private mutating func satisfies(_ assertion: Assertion, _ text: InstanceText) -> Bool {
        switch assertion {
        case .maxLength(let limit): text.length <= limit
        case .minLength(let limit): text.length >= limit
        case .pattern(let pattern): matches(text.units, pattern)
        case .format(let format): format.allows(text.units)
        default: true
        }
    }

    /// Whether a text matches a pattern. One that would take too many steps does not, which is told apart.
    mutating func matches(_ units: [UInt16], _ pattern: SchemaPattern) -> Bool {
        switch searches.search(units, for: pattern) {
        case .matched: return true
        case .notMatched: return false
        case .gaveUp:
            hasGivenUp = true
            return false
        }
    }

    private mutating func satisfies(_ assertion: Assertion, array id: InstanceID, count: Int) -> Bool {
        switch assertion {
        case .maxItems(let limit): count <= limit
        case .minItems(let limit): count >= limit
        case .uniqueItems: areDifferentScalars(id, count: count) ?? (repeatedElement(of: id, by: [.root]) == nil)
        case .xUniqueBy(let addresses): repeatedElement(of: id, by: addresses) == nil
        case .xOrder(let rule): disorder(of: id, rule) == nil
        default: true
        }
    }

    private mutating func satisfies(_ assertion: Assertion, object id: InstanceID, count: Int) -> Bool {
        switch assertion {
        case .maxProperties(let limit): return count <= limit
        case .minProperties(let limit): return count >= limit
        case .required(let names): return hasAll(names, id, count: count)
        case .dependentRequired(let rules):
            return unmetDependency(rules, in: id) == nil
        default: return true
        }
    }

    // MARK: Members

    /// Whether there is a member for each of the names.
    private mutating func hasAll(_ table: NameTable<Void>, _ id: InstanceID, count: Int) -> Bool {
        guard table.count <= 64 else { return missingNames(table, in: id).isEmpty }
        var missing = table.count == 64 ? UInt64.max : 1 << UInt64(table.count) - 1
        for position in 0..<count where missing != 0 {
            let name = instance.member(position, of: id).name
            if let found = table.position(names.number(name)) { missing &= ~(1 << UInt64(found)) }
        }
        return missing == 0
    }

    /// The names that no member has.
    mutating func missingNames(_ table: NameTable<Void>, in id: InstanceID) -> [Int32] {
        var isThere = [Bool](repeating: false, count: table.count)
        var left = table.count
        for position in 0..<instance.memberCount(id) where left > 0 {
            let name = instance.member(position, of: id).name
            guard let found = table.position(names.number(name)), !isThere[found] else { continue }
            isThere[found] = true
            left -= 1
        }
        return left == 0 ? [] : table.names.indices.filter { !isThere[$0] }.map { table.names[$0] }
    }

    /// The first name that is there without others that it demands. The members are gone through once for all rules.
    mutating func unmetDependency(
        _ rules: [(name: Int32, required: NameTable<Void>)], in id: InstanceID
    ) -> (name: Int32, required: NameTable<Void>)? {
        var present: Set<Int32> = []
        for position in 0..<instance.memberCount(id) {
            let number = names.number(instance.member(position, of: id).name)
            if number >= 0 { present.insert(number) }
        }
        guard !present.isEmpty else { return nil }
        return rules.first { present.contains($0.name) && !present.isSuperset(of: $0.required.names) }
    }

    // MARK: Values

    private mutating func isOne(of values: SchemaValues, _ value: InstanceValue, _ id: InstanceID) -> Bool {
        let other = schema.documents[values.document].instance
        if !value.isContainer, values.ids.count <= 4 {
            return values.ids.contains { ValueComparison.areEqualScalars(value, other.value($0)) }
        }
        guard let positions = values.positions[hasher.hash(id)] else { return false }
        for position in positions {
            var comparison = ValueComparison(instance, other, isOneDocument: false, budget: work)
            let areEqual = comparison.areEqual(id, values.ids[position])
            work = comparison.budget
            if areEqual { return true }
        }
        return false
    }

    /// Whether the elements differ, for a few scalars; nil for others.
    private func areDifferentScalars(_ id: InstanceID, count: Int) -> Bool? {
        guard count <= 8 else { return nil }
        let values = (0..<count).map { instance.value(instance.element($0, of: id)) }
        guard !values.contains(where: \.isContainer) else { return nil }
        for (position, value) in values.enumerated() {
            for other in values[..<position] where ValueComparison.areEqualScalars(value, other) { return false }
        }
        return true
    }

    /// The first element that is equal to one before, at what the addresses lead to, and that one. Elements without a
    /// value at one of the addresses are not compared.
    mutating func repeatedElement(of id: InstanceID, by addresses: [Address]) -> (first: Int, second: Int)? {
        // Hardly ever do two elements that differ have one hash: only where they differ within cycles.
        var first: [Int: Int] = [:]
        var others: [Int: [Int]] = [:]
        for position in 0..<instance.elementCount(id) where work > 0 {
            guard let values = values(of: instance.element(position, of: id), at: addresses) else { continue }
            let hash = hash(values)
            guard let other = first[hash] else {
                first[hash] = position
                continue
            }
            for other in [other] + others[hash, default: []] {
                guard let known = self.values(of: instance.element(other, of: id), at: addresses) else { continue }
                if areEqual(known, values) { return (other, position) }
                if work <= 0 { return nil }
            }
            others[hash, default: []].append(position)
        }
        return nil
    }

    /// What the addresses lead to from an element; nil if one leads nowhere.
    private mutating func values(of element: InstanceID, at addresses: [Address]) -> [InstanceID]? {
        var values: [InstanceID] = []
        for address in addresses {
            work -= address.tokens.count
            guard let value = finder.find(address, from: element) else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func hash(_ values: [InstanceID]) -> Int {
        if values.count == 1 { return hasher.hash(values[0]) }
        var combination = Hasher()
        for value in values { combination.combine(hasher.hash(value)) }
        return combination.finalize()
    }

    private mutating func areEqual(_ left: [InstanceID], _ right: [InstanceID]) -> Bool {
        for (a, b) in zip(left, right) {
            work -= 64
            var comparison = ValueComparison(instance, instance, isOneDocument: true, budget: work)
            let areEqual = comparison.areEqual(a, b)
            work = comparison.budget
            if !areEqual { return false }
        }
        return true
    }
}
