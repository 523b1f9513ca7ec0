import KeyedArchives
import SaveCodec

/// `uniqueItems` and `x-uniqueBy`.
///
/// `uniqueItems` requires that no two elements are equal. `x-uniqueBy` lists addresses, and requires that any two
/// elements differ at one or more of these addresses.
struct UniqueElements: Assertion {
    let keyword: Keyword
    /// The addresses of the compared values, relative to each element.
    let addresses: [JSONPointer]

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        guard case .array(let contents) = checked.value else { return true }
        if keyword == .uniqueItems, let areDifferent = areDifferentScalars(contents, evaluator.view) {
            return areDifferent
        }
        return repeatedElement(of: contents, in: &evaluator) == nil
    }

    func expectation(in schema: Schema) -> String {
        guard keyword == .xUniqueBy else { return "different elements" }
        return "elements that differ at \(Phrase.alternatives(addresses.prefix(5).map(\.description)))"
    }

    func message(for checked: CheckedValue, in explainer: inout Explainer) -> String {
        guard case .array(let contents) = checked.value,
            let (first, second) = repeatedElement(of: contents, in: &explainer.evaluator)
        else { return "" }
        return "elements \(first) and \(second) are equal; expected \(expectation(in: explainer.schema))"
    }

    /// Returns whether all elements differ, for an array of at most eight scalars; nil for any other array.
    private func areDifferentScalars(_ contents: ViewContents, _ view: ObjectView) -> Bool? {
        guard contents.count <= 8 else { return nil }
        let scalars = (0..<contents.count).compactMap { view.json(view.element($0, of: contents)).asScalar }
        guard scalars.count == contents.count else { return nil }
        for (position, scalar) in scalars.enumerated() where scalars[..<position].contains(scalar) { return false }
        return true
    }

    /// Finds the first element that equals an earlier one at the addresses, and returns the positions of both.
    ///
    /// Elements without a value at one of the addresses are not compared.
    private func repeatedElement(
        of contents: ViewContents, in evaluator: inout Evaluator
    ) -> (first: Int, second: Int)? {
        // Unequal elements hardly ever share a hash, unless they differ only within cycles.
        var first: [Int: Int] = [:]
        var others: [Int: [Int]] = [:]
        for position in 0..<contents.count where evaluator.work > 0 {
            guard let values = values(at: position, of: contents, in: &evaluator) else { continue }
            let hash = hash(values, in: &evaluator)
            guard let other = first[hash] else {
                first[hash] = position
                continue
            }
            for other in [other] + others[hash, default: []] {
                guard let known = self.values(at: other, of: contents, in: &evaluator) else { continue }
                if areEqual(known, values, in: &evaluator) { return (other, position) }
                if evaluator.work <= 0 { return nil }
            }
            others[hash, default: []].append(position)
        }
        return nil
    }

    /// Returns the values at ``addresses``, relative to an element, or nil if one of them does not exist.
    private func values(
        at position: Int, of contents: ViewContents, in evaluator: inout Evaluator
    ) -> [ViewID]? {
        let element = evaluator.view.element(position, of: contents)
        var values: [ViewID] = []
        for address in addresses {
            evaluator.work -= address.tokens.count
            guard let value = evaluator.finder.find(address, from: element) else { return nil }
            values.append(value)
        }
        return values
    }

    private func hash(_ values: [ViewID], in evaluator: inout Evaluator) -> Int {
        if values.count == 1 { return evaluator.hasher.hash(values[0]) }
        var combination = Hasher()
        for value in values { combination.combine(evaluator.hasher.hash(value)) }
        return combination.finalize()
    }

    private func areEqual(_ left: [ViewID], _ right: [ViewID], in evaluator: inout Evaluator) -> Bool {
        for (a, b) in zip(left, right) {
            evaluator.work -= 64
            var comparison = ValueComparison(evaluator.view, evaluator.view, budget: evaluator.work)
            let areEqual = comparison.areEqual(a, b)
            evaluator.work = comparison.budget
            if !areEqual { return false }
        }
        return true
    }
}

/// `prefixItems` and `items`.
struct ItemSchemas: Applicator {
    let prefix: [Int]
    let rest: Int?

    var schemas: [Int] { prefix + [rest].compactMap(\.self) }

    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        guard case .array(let contents) = frame.value else { return .holds }
        let view = evaluator.view
        let count = rest == nil ? min(prefix.count, contents.count) : contents.count
        return .all(&frame, after: result, count: count) {
            ($0 < prefix.count ? prefix[$0] : rest ?? 0, Subject(view.element($0, of: contents)))
        }
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        guard case .array(let contents) = failure.value else { return }
        for position in 0..<contents.count {
            guard let schema = position < prefix.count ? prefix[position] : rest else { return }
            if position >= prefix.count, explainer.schema.nodes[schema].verdict == false {
                let most = Phrase.count(prefix.count, "element")
                let found = explainer.phrase(failure.subject)
                return explainer.add("found \(found); expected at most \(most)", .items, at: failure)
            }
            explainer.queueIfFailing(schema, element: position, of: contents, in: failure)
        }
    }

    func add(to keywords: inout QuickKeywords) {
        keywords.items = rest
        if !prefix.isEmpty { keywords.isComplete = false }
    }

    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {
        guard walk.isItems else { return }
        rest == nil ? walk.mark(0..<prefix.count) : walk.markAll()
    }
}

/// `contains`, `minContains` and `maxContains`.
struct Contains: Applicator {
    let schema: Int
    let minCount: Int
    let maxCount: Int?

    var schemas: [Int] { [schema] }

    func nextAction(_ frame: inout EvaluationFrame, after result: Bool?, in evaluator: inout Evaluator)
        -> ApplicatorAction
    {
        guard case .array(let contents) = frame.value else { return .holds }
        if result == true { frame.count += 1 }
        if let maxCount, frame.count > maxCount { return .fails }
        if maxCount == nil, frame.count >= minCount { return .holds }
        guard frame.step < contents.count else { return frame.count >= minCount ? .holds : .fails }
        frame.step += 1
        return .apply(schema, Subject(evaluator.view.element(frame.step - 1, of: contents)))
    }

    func explain(_ failure: Explainer.Failure, in explainer: inout Explainer) {
        guard case .array(let contents) = failure.value else { return }
        let matches = (0..<contents.count).count {
            explainer.holds(schema, Subject(explainer.view.element($0, of: contents)), in: failure)
        }
        let found = "found \(Phrase.count(matches, "element")) matching \"contains\""
        if matches < minCount {
            let keyword = minCount == 1 ? Keyword.contains : .minContains
            explainer.add("\(found); expected at least \(CountText.of(minCount))", keyword, at: failure)
        } else if let maxCount, matches > maxCount {
            explainer.add("\(found); expected at most \(CountText.of(maxCount))", .maxContains, at: failure)
        }
    }

    /// Marks the matching elements as evaluated.
    func markEvaluated(in walk: EvaluatedWalk, scope: Int, _ evaluator: inout Evaluator) {
        if walk.isItems { walk.add(.matches(schema, scope: scope, next: 0)) }
    }
}

extension SchemaCompiler {
    mutating func compileElementCounts(_ source: UncompiledSchema) throws(Problem) {
        try compileLimits(on: .elements, maximum: .maxItems, minimum: .minItems, of: source)
        if try boolean(.uniqueItems, source) == true {
            add(UniqueElements(keyword: .uniqueItems, addresses: [.root]), to: source.node)
        }
    }

    mutating func compileElements(_ source: UncompiledSchema) throws(Problem) {
        let prefix = try schemaList(.prefixItems, source)
        let rest = try schema(.items, source)
        if prefix != nil || rest != nil { add(ItemSchemas(prefix: prefix ?? [], rest: rest), to: source.node) }
        let least = try count(.minContains, source)
        let most = try count(.maxContains, source)
        if let schema = try schema(.contains, source) {
            add(Contains(schema: schema, minCount: least ?? 1, maxCount: most), to: source.node)
        }
        if let schema = try schema(.unevaluatedItems, source) {
            add(UnevaluatedContents(schema: schema, isItems: true), to: source.node)
        }
    }
}
