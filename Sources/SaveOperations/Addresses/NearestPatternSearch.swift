package import KeyedArchives
package import SaveCodec

/// A search for the values whose addresses match a pattern, or for the nearest pattern that matches at least one value.
///
///     /root/*/helth      root ─root─▶ {charList} ─*─▶ Player ─health─▶ 100     one letter off: /root/*/health
///
/// Each visit pairs a value with the rest of the pattern. Its cost is the sum of the distances between the keys in the
/// pattern and the actual keys (see ``MistypedWord``). The cheapest visit continues first (Dijkstra 1959), so the first
/// to reach the end is the nearest. Each value is visited once per segment, and the number of keys compared with a
/// mistyped one is limited. The search is iterative.
struct NearestPatternSearch {
    /// A value with the rest of the pattern.
    private struct Visit {
        /// The number of the view: 0 for the searched view, or the number of a nested save.
        var view = 0
        let id: ViewID
        /// The number of segments matched on the way here.
        let position: Int
        /// The visit before this one; negative for the first.
        let parent: Int
        /// The corrected step, which replaces the last matched segment, or comes before all segments.
        var correction: Correction?
    }

    /// A correction: the step to take instead of the one that the pattern describes.
    private enum Correction {
        case to(PathStep)
        /// Several steps, for a segment that is a path in the syntax of another tool.
        case along([PathStep])
        /// One step for several segments, see ``ObjectView/slots(ofJoined:in:)``.
        case joined(PathStep)
        case className
        /// No step: the segment after the slash is empty.
        case none
    }

    /// The largest number of keys to compare with mistyped ones.
    private static let maxKeys = 10_000
    /// The largest number of slots to visit for wildcards during a fuzzy search.
    private static let maxContents = 5000
    /// The cost of leaving out the root of an archive.
    private static let costOfRoot = 4
    /// The largest cost of a suggestion.
    private static let maxCost = 16

    private var segments: [PointerPattern.Segment]
    private var address: JSONPointer
    /// The searched view, and the views of the nested saves on the way.
    private var views: [ObjectView]
    private var viewNumbers: [ObjectIdentifier: Int] = [:]
    private let start: ViewID
    /// Whether `$class` leads to the class of an object.
    private let reachesClasses: Bool
    /// Whether keys may differ slightly from the names in the pattern.
    private var isFuzzy = false
    private var keysLeft = 0
    private var contentsLeft = 0
    private var visits: [Visit] = []
    /// The visits to continue from, by cost.
    private var pending: [[Int]] = []
    /// The values already visited, by view and by number of matched segments.
    private var done: [[Bitmap?]] = []

    /// Creates a search for the values that match a pattern in a view.
    init(_ pattern: PointerPattern, in view: ObjectView, reachesClasses: Bool = false) {
        (segments, address, views, start) = (pattern.segments, pattern.address, [view], view.root)
        self.reachesClasses = reachesClasses
    }

    /// Creates a search for the value at an address that is relative to the value `start`.
    init(_ address: JSONPointer, from start: ViewID, in view: ObjectView) {
        segments = address.tokens.indices.map { depth in
            let token = address.token(at: depth)
            return token.entersSave ? .nestedRoot : .literal(token)
        }
        (self.address, views, self.start) = (address, [view], start)
        reachesClasses = true
    }

    /// Whether any value matches.
    mutating func leadsSomewhere() -> Bool {
        isFuzzy = false
        return run() != nil
    }

    /// Returns the nearest other pattern that matches a value, and its cost; nil if none is near.
    mutating func nearest() -> (address: JSONPointer, cost: Int)? {
        isFuzzy = true
        if let nearest = nearestAsWritten() { return nearest }
        return splitPaths() ? nearestAsWritten() : nil
    }

    /// Splits each segment that is a path of another tool, such as `a.b`, into keys, so that suggestions are found for
    /// each key. Returns false if no segment is such a path, or if any segment is a wildcard or another extension
    /// token.
    private mutating func splitPaths() -> Bool {
        var split = JSONPointer.root
        for segment in segments {
            guard case .literal(let token) = segment, !token.isExtension else { return false }
            for key in ForeignPath(token.units)?.keys ?? [token.units] { split.append(key: key) }
        }
        guard split.tokens.count > segments.count || split.tokens != address.tokens else { return false }
        (address, segments) = (split, split.tokens.map { .literal(AddressToken($0)) })
        return true
    }

    private mutating func nearestAsWritten() -> (address: JSONPointer, cost: Int)? {
        (keysLeft, contentsLeft) = (Self.maxKeys, Self.maxContents)
        guard let (visit, cost) = run(), cost > 0 else { return nil }
        return (address(to: visit), cost)
    }

    // MARK: Going down

    /// Returns the cheapest visit at the end of the pattern.
    private mutating func run() -> (visit: Int, cost: Int)? {
        visits = []
        done = views.map { _ in Array(repeating: nil, count: segments.count) }
        pending = Array(repeating: [], count: Self.maxCost + 1)
        push(Visit(id: start, position: 0, parent: -1), cost: 0)
        for cost in pending.indices {
            var next = 0
            while next < pending[cost].count {
                let number = pending[cost][next]
                next += 1
                let visit = visits[number]
                if visit.position == segments.count { return (number, cost) }
                if !isFuzzy || isNew(visit) { goOn(from: number, cost) }
            }
            pending[cost] = []
        }
        return nil
    }

    /// Whether a value has not been visited yet at this position of the pattern. Marks it as visited.
    private mutating func isNew(_ visit: Visit) -> Bool {
        var values = done[visit.view][visit.position] ?? Bitmap(count: views[visit.view].count)
        done[visit.view][visit.position] = nil
        let isNew = !values.contains(visit.id.index)
        values.insert(visit.id.index)
        done[visit.view][visit.position] = values
        return isNew
    }

    private mutating func push(_ visit: Visit, cost: Int) {
        guard cost < pending.count else { return }
        guard visit.position < segments.count else { return add(visit, cost: cost) }
        var visits = [visit]
        while let first = visits.first, let save = try? views[first.view].nestedSave(in: first.id) {
            for visit in visits where visit.position == segments.count { add(visit, cost: cost) }
            let view = number(of: save.view)
            visits = Set(visits.flatMap { positions(insideOf: $0.position) }).sorted().map { position in
                Visit(
                    view: view, id: save.view.root, position: position, parent: visit.parent,
                    correction: visit.correction)
            }
        }
        for visit in visits { add(visit, cost: cost) }
    }

    /// Returns the positions in the pattern at the root of a nested save, given the position at the data that holds the
    /// save.
    private func positions(insideOf position: Int) -> [Int] {
        guard position < segments.count else { return [] }
        guard segments[position] != .nestedRoot else { return [position + 1] }
        let next = segments[position...].firstIndex { $0 != .any }
        guard segments[position] == .any, let next, segments[next] == .nestedRoot else { return [position] }
        return [position, next + 1]
    }

    private mutating func add(_ visit: Visit, cost: Int) {
        // Without fuzzy matching, all visits cost the same, so the first visit of a value is as good as any.
        if !isFuzzy, visit.position < segments.count, !isNew(visit) { return }
        pending[cost].append(visits.count)
        visits.append(visit)
    }

    private mutating func number(of view: ObjectView) -> Int {
        if let known = viewNumbers[ObjectIdentifier(view)] { return known }
        viewNumbers[ObjectIdentifier(view)] = views.count
        views.append(view)
        done.append(Array(repeating: nil, count: segments.count))
        return views.count - 1
    }

    private mutating func goOn(from number: Int, _ cost: Int) {
        let visit = visits[number]
        let view = views[visit.view]
        switch segments[visit.position] {
        case .any:
            push(Visit(view: visit.view, id: visit.id, position: visit.position + 1, parent: number), cost: cost)
            pushContents(of: number, leadingTo: visit.position, cost)
        case .one: pushContents(of: number, leadingTo: visit.position + 1, cost)
        case .nestedRoot: break
        case .literal(let token):
            if let id = step(from: visit.id, by: token, in: view) {
                push(Visit(view: visit.view, id: id, position: visit.position + 1, parent: number), cost: cost)
            }
            if isFuzzy {
                pushPath(token.units, of: number, cost)
                pushJoined(of: number, cost)
                pushNear(token.units, of: number, cost)
            }
            if isFuzzy, token.units.isEmpty {
                let next = Visit(
                    view: visit.view, id: visit.id, position: visit.position + 1, parent: number,
                    correction: Correction.none)
                push(next, cost: cost + 1)
            }
        }
    }

    /// Treats a token as a path in the syntax of another tool. If the path exists, continues from the value at its end.
    private mutating func pushPath(_ token: [UInt16], of number: Int, _ cost: Int) {
        let visit = visits[number]
        guard let (end, steps) = ForeignPath(token)?.follow(from: visit.id, in: views[visit.view]) else { return }
        let next = Visit(
            view: visit.view, id: end, position: visit.position + 1, parent: number, correction: .along(steps))
        push(next, cost: cost + 1)
    }

    /// Treats several tokens as one key. If the key exists, continues from its value.
    private mutating func pushJoined(of number: Int, _ cost: Int) {
        let visit = visits[number]
        let view = views[visit.view]
        let next = segments[visit.position...].prefix(ObjectView.maxJoined)
        let tokens = next.prefix { if case .literal = $0 { true } else { false } }
        let names = tokens.indices.map { address.token(at: $0).units }
        for (step, count) in view.slots(ofJoined: names, in: visit.id) {
            guard let value = view.container(visit.id) else { return }
            let id = view.item(step.position, of: value.contents).id
            let next = Visit(
                view: visit.view, id: id, position: visit.position + count, parent: number, correction: .joined(step))
            push(next, cost: cost + 1)
        }
    }

    /// Pushes a visit for the value in each slot of a container. Scalars without a nested save are skipped, unless the
    /// pattern may end there.
    private mutating func pushContents(of number: Int, leadingTo position: Int, _ cost: Int) {
        let view = views[visits[number].view]
        guard let value = view.container(visits[number].id) else { return }
        // If only `**` segments remain, they may match no token.
        let mayEnd = segments.lastIndex { $0 != .any } ?? -1 < position
        for index in 0..<value.contents.count where !isFuzzy || contentsLeft > 0 {
            let id = view.item(index, of: value.contents).id
            guard mayEnd || view.container(id) != nil || (try? view.nestedSave(in: id)) != nil else { continue }
            push(Visit(view: visits[number].view, id: id, position: position, parent: number), cost: cost)
            contentsLeft -= 1
            if position == segments.count { return }
        }
    }

    private func step(from id: ViewID, by token: AddressToken, in view: ObjectView) -> ViewID? {
        if isEnd(token, of: id, in: view) { return id }
        guard let target = view.target(of: token, in: id), reachesClasses || target != .className else { return nil }
        return view.value(at: target, of: id)
    }

    /// Whether a token is the position after the last element, where a value can be inserted.
    private func isEnd(_ token: AddressToken, of id: ViewID, in view: ObjectView) -> Bool {
        guard isFuzzy, reachesClasses, token.isEnd else { return false }
        switch view[id].variant {
        case .array, .set: return true
        case .scalar, .dictionary, .object: return false
        }
    }

    /// Continues from the values under keys that resemble a token. At the top of an archive, also continues from each
    /// root, in case the pattern leaves out its name.
    private mutating func pushNear(_ token: [UInt16], of number: Int, _ cost: Int) {
        let visit = visits[number]
        let view = views[visit.view]
        guard let value = view.container(visit.id), value.variant.isKeyed else { return }
        let word = MistypedWord(token)
        // If there are too many keys to compare, the nearest is unknown, unless it differs only in case.
        let isLarge = value.contents.count > keysLeft
        if !isLarge { keysLeft -= value.contents.count }
        let isAboveRoots =
            !isLarge && view.archive != nil && visit.view == 0 && visit.id == view.root && visit.position == 0
        for position in 0..<value.contents.count {
            let item = view.item(position, of: value.contents)
            guard let key = item.key else { return }
            let step = Correction.to(PathStep(key: key, position: position))
            if isAboveRoots {
                push(
                    Visit(view: visit.view, id: item.id, position: 0, parent: number, correction: step),
                    cost: cost + Self.costOfRoot)
            }
            let near =
                isLarge
                ? distanceOfCase(from: word, to: key, in: view) : distance(from: word, to: key, at: position, in: view)
            guard let distance = near, distance > 0 else { continue }
            push(
                Visit(view: visit.view, id: item.id, position: visit.position + 1, parent: number, correction: step),
                cost: cost + distance)
        }
        guard reachesClasses, case .object = value.variant, let distance = word.distance(to: "$class".utf16),
            distance > 0,
            let name = value.classPosition.flatMap({ view.archive?.storedName(ofClass: $0) })
        else { return }
        push(
            Visit(view: visit.view, id: name, position: visit.position + 1, parent: number, correction: .className),
            cost: cost + distance)
    }

    /// Returns the distance of a key from a mistyped word. A key with the token `=5` also has the distance 1 from `5`.
    private func distance(
        from word: MistypedWord, to key: ViewID, at position: Int, in view: ObjectView
    ) -> Int? {
        if let text = view.text(key) { return word.distance(to: text) }
        let form = view.token(ofKey: key, at: position).units
        return word.distance(to: form.dropFirst()) == 0 ? 1 : word.distance(to: form)
    }

    private func distanceOfCase(from word: MistypedWord, to key: ViewID, in view: ObjectView) -> Int? {
        view.text(key).flatMap { word.distanceOfCase(to: $0) }
    }

    // MARK: Addresses

    /// Returns the corrected pattern that leads to a visit.
    private func address(to visit: Int) -> JSONPointer {
        var steps: [Visit] = []
        var number = visit
        while visits[number].parent >= 0 {
            steps.append(visits[number])
            number = visits[number].parent
        }
        var nearest = JSONPointer.root
        var position = 0
        for visit in steps.reversed() {
            switch visit.correction {
            case .to(let step): views[visits[visit.parent].view].append(step, to: &nearest)
            case .joined(let step):
                views[visits[visit.parent].view].append(step, to: &nearest)
                position = visit.position
            case .along(let steps):
                for step in steps { views[visits[visit.parent].view].append(step, to: &nearest) }
            case .className: nearest.append(key: "$class".utf16)
            case Correction.none?, nil: break
            }
            let isReported = visit.correction != nil && visit.position > position
            for position in (isReported ? position + 1 : position)..<max(position, visit.position) {
                append(segment: position, to: &nearest)
            }
            position = visit.position
        }
        return nearest
    }

    private func append(segment position: Int, to nearest: inout JSONPointer) {
        nearest.append(address.token(at: position))
    }
}

// MARK: Suggestions

extension MissingValue {
    /// The end of an error message about the address: a suggestion, or an empty string.
    package var advice: String {
        Suggestion.rootOrEmptyKey(address) ?? adviceOnTag ?? Suggestion.sentence(probable, for: address)
    }

    /// The end of a message about an address such as `/when/$date` into a tagged value of a JSON file; nil for any
    /// other address.
    private var adviceOnTag: String? {
        let name = address.token(at: prefix.tokens.count).units
        guard view.document.tagsAreRead, view.scalar(id) != nil, JSON.isTag(name), isInFile else { return nil }
        return "; --from plain-json reads \(String(decoding: name, as: UTF16.self)) as an ordinary key"
    }

    /// Whether the value at the prefix is in the view of the file, not in a nested save.
    private var isInFile: Bool {
        guard case .found(let found, in: let owner) = view.find(prefix) else { return false }
        return owner === view && found == id
    }

    /// Whether the first missing tokens form one existing key, see ``ObjectView/slots(ofJoined:in:)``, and the others
    /// lead to a value below it.
    package var isSplitKey: Bool {
        let rest = rest
        guard let value = view.container(id) else { return false }
        return view.slots(ofJoined: Array(rest.tokens.prefix(ObjectView.maxJoined)), in: id).contains { step, count in
            let start = view.item(step.position, of: value.contents).id
            return if case .found = view.find(rest, from: start, depth: count) { true } else { false }
        }
    }

    /// The end of a message about a new key at the address: a key with a similar spelling, or an empty string.
    package var adviceOnNewKey: String {
        Suggestion.rootOrEmptyKey(address) ?? Suggestion.sentence(nearest, for: address)
    }

    /// The address that was probably meant: one with a similar spelling, or a longer one. Nil if no address is likely.
    var probable: JSONPointer? { nearest ?? longer }

    /// The existing address with the most similar spelling; nil if none is near.
    private var nearest: JSONPointer? {
        var search = NearestPatternSearch(rest, from: id, in: view)
        return search.nearest().map { prefix.appending($0.address) }
    }

    /// The first address that begins with the prefix and ends with the rest, such as `/root/charList/0/health` for
    /// `/health`. Nil if no address has this end, if the file is too large to search, or in a nested save.
    private var longer: JSONPointer? {
        guard isInFile else { return nil }
        var pattern = prefix
        pattern.append(extensionToken: "**")
        var matches = PatternMatches(PointerPattern(pattern.appending(rest)), in: view)
        guard (try? matches.next()) != nil else { return nil }
        return try? matches.address()
    }

    /// The tokens of the address after the prefix.
    private var rest: JSONPointer { JSONPointer.root.appending(address, from: prefix.tokens.count) }
}

extension ObjectView {
    /// Returns the address that was probably meant: the same one if it exists; nil if none is similar.
    package func nearest(to address: JSONPointer) -> JSONPointer? {
        guard case .missing(let missing) = find(address) else { return address }
        return missing.probable
    }
}

extension PointerPattern {
    /// Whether the address of any value in a view matches the pattern.
    ///
    /// - Parameter reachesClasses: Whether `$class` leads to the class of an object, as in the rules of a merge.
    package func leadsSomewhere(in view: ObjectView, reachesClasses: Bool = false) -> Bool {
        var search = NearestPatternSearch(self, in: view, reachesClasses: reachesClasses)
        return search.leadsSomewhere()
    }

    /// Whether an asterisk is only a part of a segment, as in file names.
    private var hasPartialWildcard: Bool {
        segments.contains { segment in
            if case .literal(let token) = segment { token.units.contains(UInt16(UInt8(ascii: "*"))) } else { false }
        }
    }

    /// Returns the nearest pattern that matches a value in one of the views, for a pattern that matches none.
    package func nearest(in views: [ObjectView]) -> JSONPointer? {
        var best: (address: JSONPointer, cost: Int)?
        for view in views {
            var search = NearestPatternSearch(self, in: view)
            if let found = search.nearest(), found.cost < best?.cost ?? .max { best = found }
        }
        return best?.address
    }

    /// Returns the end of an error message about a pattern that matches nothing in any of the views: a suggestion, or
    /// an empty string.
    package func advice(in views: [ObjectView]) -> String {
        if let advice = Suggestion.rootOrEmptyKey(address) { return advice }
        let nearest = nearest(in: views)
        if nearest == nil, hasPartialWildcard { return "; * is a wildcard only as a whole step, as in /*/name" }
        return Suggestion.sentence(nearest, for: address)
    }
}
