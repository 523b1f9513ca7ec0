/// The order in which a program visited the objects, as evidence for references.
///
/// Programs number the objects in the order of their first visit. If the references of a file are followed in that
/// order, each leads either to a visited object or to the next number. A damaged reference leaves a number out:
///
///     #0 [#1 #2 #3]     1, 2, 3
///     #0 [#1 #7 #3]     1, 7: nothing leads to 2, so #7 should be #2
///     #0 [#1 #1 #3]     1, 3: nothing leads to 2, so one of the references before #3 is wrong, which alone leads to #3
///
/// Edits add objects that are not numbered in this order, but they leave no number out.
struct ReferenceOrder {
    /// A container with a reference that contradicts the order.
    struct Contradiction {
        let container: Int
        /// The index of the wrong reference in the container; nil if it is unknown.
        var position: Int?
        /// The number of the object to which it should refer; nil if it is unknown.
        var target: Int?
    }

    private let bytes: [UInt8]
    private let objects: [StoredObject?]
    private let referenceSize: Int
    private let isReferenced: Bitmap
    /// The objects with more than one reference to them.
    private let isShared: Bitmap

    private var visited: Bitmap
    /// The lowest number that has not been visited.
    private var next = 0
    /// The containers of all references to visited objects since the last new object.
    private var recent: [Int] = []
    /// Whether the last new object is lost, so that its contents may have the next numbers.
    private var mayHaveContents = false
    /// The number of first visits that follow the order, and of all first visits.
    private var (inOrder, firstVisits) = (0, 0)
    private var contradictions: [Contradiction] = []
    private var pending: [(container: Int, position: Int)] = []
    /// The kinds and bytes of the visited Booleans, UIDs and nulls.
    private var repeatable: Set<[UInt8]> = []

    /// Returns the contradictions if a few references of a file contradict the order of all others.
    ///
    /// - Parameter objects: The objects by number; nil for lost ones.
    static func contradictions(
        in bytes: [UInt8], _ objects: [StoredObject?], referenceSize: Int, root: Int
    ) -> [Contradiction] {
        guard objects.count > 2, root < objects.count, objects[root] != nil else { return [] }
        var (isReferenced, isShared) = (Bitmap(count: objects.count), Bitmap(count: objects.count))
        for object in objects {
            guard let object else { continue }
            for position in 0..<object.referenceCount {
                let number = bytes.bigEndian(at: object.start + position * referenceSize, width: referenceSize)
                guard number < UInt64(objects.count) else { continue }
                if isReferenced.contains(Int(number)) { isShared.insert(Int(number)) }
                isReferenced.insert(Int(number))
            }
        }
        var best: ReferenceOrder?
        for isBreadthFirst in [false, true] {
            for isInterleaved in [false, true] {
                var order = ReferenceOrder(
                    bytes, objects, referenceSize: referenceSize, isReferenced: isReferenced, isShared: isShared)
                order.walk(from: root, isBreadthFirst: isBreadthFirst, isInterleaved: isInterleaved)
                if order.inOrder > best?.inOrder ?? 0 { best = order }
            }
        }
        guard let best, best.inOrder * 10 >= best.firstVisits * 9,
            Set(best.contradictions.map(\.container)).count <= 4 + objects.count / 100
        else { return [] }
        return best.contradictions
    }

    private init(
        _ bytes: [UInt8], _ objects: [StoredObject?], referenceSize: Int, isReferenced: Bitmap, isShared: Bitmap
    ) {
        (self.bytes, self.objects, self.referenceSize) = (bytes, objects, referenceSize)
        (self.isReferenced, self.isShared) = (isReferenced, isShared)
        visited = Bitmap(count: objects.count)
    }

    private mutating func walk(from root: Int, isBreadthFirst: Bool, isInterleaved: Bool) {
        enter(root)
        var first = 0
        while isBreadthFirst ? first < pending.count : !pending.isEmpty {
            let current = isBreadthFirst ? first : pending.count - 1
            let (container, step) = pending[current]
            guard let object = objects[container], step < object.referenceCount else {
                if isBreadthFirst { first += 1 } else { pending.removeLast() }
                continue
            }
            pending[current].position += 1
            let isPair = isInterleaved && object.kind == .dictionary
            let position = isPair ? step / 2 + (step % 2 == 0 ? 0 : object.count) : step
            let number = bytes.bigEndian(at: object.start + position * referenceSize, width: referenceSize)
            let isFollowed = visit(number < UInt64(objects.count) ? Int(number) : nil, at: position, of: container)
            if !isFollowed { pending[current].position -= 1 }
        }
        if isLeftOut(next), let container = recent.last {
            contradictions.append(Contradiction(container: container))
        }
    }

    /// Whether an object has not been visited and nothing refers to it.
    private func isLeftOut(_ number: Int) -> Bool {
        number < objects.count && !visited.contains(number) && !isReferenced.contains(number)
    }

    /// Follows a reference. `number` is nil if the reference leads nowhere.
    ///
    /// - Returns: False if an object is visited before the one to which the reference leads. The reference has to be
    ///   followed again later: depth first, after the contents of that object.
    private mutating func visit(_ number: Int?, at position: Int, of container: Int) -> Bool {
        if mayHaveContents, isLeftOut(next) {
            while isLeftOut(next) { skip(next) }
        }
        if let number, visited.contains(number) {
            // Core Foundation writes a copy of a Boolean or UID at every visit, but always refers to the first copy.
            if isLeftOut(next), isSame(next, number) { skip(next) } else { recent.append(container) }
            return true
        }
        // The same copies can follow here: an edit may have replaced the reference to the first one.
        while number != next, isLeftOut(next), let scalar = repeatableScalar(next), repeatable.contains(scalar) {
            skip(next)
        }
        if number != next, isLeftOut(next) {
            if let number, !recent.isEmpty, number == next + 1 || !isShared.contains(number) {
                var noted: Set<Int> = []
                for container in recent where noted.insert(container).inserted {
                    contradictions.append(Contradiction(container: container))
                }
                enter(next)
                return false
            }
            contradictions.append(Contradiction(container: container, position: position, target: next))
            enter(next)
            return true
        }
        if let number { enter(number) }
        return true
    }

    private mutating func enter(_ number: Int) {
        firstVisits += 1
        if number == next { inOrder += 1 }
        recent.removeAll(keepingCapacity: true)
        skip(number)
        if let object = objects[number] {
            mayHaveContents = false
            if object.kind.isContainer { pending.append((number, 0)) }
        } else {
            mayHaveContents = true
        }
    }

    private mutating func skip(_ number: Int) {
        visited.insert(number)
        if let scalar = repeatableScalar(number) { repeatable.insert(scalar) }
        while next < objects.count, visited.contains(next) { next += 1 }
    }

    /// Returns the kind and the bytes of a Boolean, UID or null; nil for another object.
    private func repeatableScalar(_ number: Int) -> [UInt8]? {
        guard let object = objects[number], [.null, .false, .true, .uid].contains(object.kind) else { return nil }
        return [object.kind.rank] + bytes[object.start..<object.start + object.count]
    }

    /// Whether two objects are equal scalars. Strings in UTF-16 are not compared.
    private func isSame(_ a: Int, _ b: Int) -> Bool {
        guard let first = objects[a], let second = objects[b], first.kind == second.kind else { return false }
        guard !first.kind.isContainer, first.count == second.count, first.kind != .utf16String else { return false }
        return bytes[first.start..<first.start + first.count].elementsEqual(
            bytes[second.start..<second.start + second.count])
    }
}
