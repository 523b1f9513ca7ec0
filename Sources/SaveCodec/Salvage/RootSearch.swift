/// The search for the root of a binary property list by its references, because its trailer may be damaged.
///
///     #0 {#1: #2}   #1 "a"     #2 [#1]          nothing refers to #0, which contains all others
///     #0 "a"        #1 [#0]    #2 {#0: #1}      the same is true of #2
///
/// The position of an object proves nothing: most programs write the root first, and WebKit writes it last.
struct RootSearch {
    /// The number of the root.
    private(set) var root: Int
    /// Whether another object may be the root as well.
    private(set) var isDoubtful = false
    /// A container that is outside the root, with more than twice as many objects; nil without one. A reference to it is
    /// probably damaged.
    private(set) var leftOut: (number: Int, size: Int)?

    private let bytes: [UInt8]
    private let objects: [StoredObject?]
    private let referenceSize: Int
    private var isReferenced: Bitmap
    /// The containers to which nothing refers, the most likely roots first.
    private var candidates: [Candidate] = []

    private struct Candidate {
        let number: Int
        /// The objects that it contains, directly or in other containers, and itself.
        let contents: Bitmap
        let size: Int
    }

    /// The maximum number of containers whose contents are counted. The limit keeps the time linear.
    private static let maxCandidates = 8

    /// Searches for the root.
    ///
    /// The contents of objects must not overlap (``RecoveredObjects/areOverlapping(_:referenceSize:in:)``).
    ///
    /// - Parameters:
    ///   - objects: The objects by number; nil for lost ones. There is at least one.
    ///   - stated: The root's number in the trailer; nil if that is not an object.
    init(in bytes: [UInt8], _ objects: [StoredObject?], referenceSize: Int, stated: Int?) {
        (self.bytes, self.objects, self.referenceSize) = (bytes, objects, referenceSize)
        root = stated ?? 0
        isReferenced = Bitmap(count: objects.count)
        for (index, object) in objects.enumerated() where object?.kind.isContainer == true {
            for number in references(of: index) where number != index { isReferenced.insert(number) }
        }
        findCandidates(stated)
        if let stated { choose(over: stated) } else { choose() }
    }

    /// Whether something refers to an object. False for a number beyond the objects.
    func isReferenced(_ number: Int) -> Bool { number < objects.count && isReferenced.contains(number) }

    /// Whether the root contains all objects.
    var containsAll: Bool { candidates.contains { $0.number == root && $0.size == objects.count } }

    /// Whether an object is lost, and nothing refers to it. Then it may have been the root.
    private func mayBeLostRoot(_ number: Int) -> Bool { objects[number] == nil && !isReferenced(number) }

    // MARK: Candidates

    /// Returns the numbers of the existing objects to which a container refers.
    private func references(of index: Int) -> some Sequence<Int> {
        let object = objects[index]
        let (start, count) = (object?.start ?? 0, object?.referenceCount ?? 0)
        return (0..<count).lazy.compactMap { position in
            let number = bytes.bigEndian(at: start + position * referenceSize, width: referenceSize)
            return number < UInt64(objects.count) ? Int(number) : nil
        }
    }

    private mutating func findCandidates(_ stated: Int?) {
        func isCandidate(_ number: Int) -> Bool {
            objects[number]?.kind.isContainer == true && !isReferenced(number)
        }
        var numbers = [stated, objects.count - 1].compactMap(\.self).filter(isCandidate)
        for number in objects.indices where isCandidate(number) && !numbers.contains(number) {
            guard numbers.count < Self.maxCandidates else { break }
            numbers.append(number)
        }
        candidates = numbers.map(candidate)
        candidates.sort { ($1.size, $0.number) < ($0.size, $1.number) }
    }

    private func candidate(_ number: Int) -> Candidate {
        var contents = Bitmap(count: objects.count)
        contents.insert(number)
        var (pending, size) = ([number], 1)
        while let container = pending.popLast() {
            for reference in references(of: container) where !contents.contains(reference) {
                contents.insert(reference)
                size += 1
                if objects[reference]?.kind.isContainer == true { pending.append(reference) }
            }
        }
        return Candidate(number: number, contents: contents, size: size)
    }

    // MARK: Choice

    /// Chooses the root of a file whose trailer states none.
    private mutating func choose() {
        let last = objects.count - 1
        guard let best = candidates.first else {
            isDoubtful = objects.count > 1
            return
        }
        if let lost = [0, last].first(where: mayBeLostRoot) {
            root = lost
            return
        }
        // The root of an archive may be small because its reference to the objects is damaged.
        let envelope = candidates.first { isEnvelope($0.number) }
        root = envelope?.number ?? best.number
        isDoubtful = root != best.number || !isProved(best) || objects.indices.contains(where: mayBeLostRoot)
    }

    /// Whether a candidate contains so much more than any other that only it can be the root.
    private func isProved(_ best: Candidate) -> Bool {
        candidates.count == 1 && best.size == objects.count
            || 2 * best.size > objects.count && candidates.dropFirst().allSatisfy { 2 * $0.size < best.size }
    }

    private func isEnvelope(_ number: Int) -> Bool {
        let reader = EnvelopeReader(bytes: bytes, objects: objects, referenceSize: referenceSize)
        return objects[number].map(reader.isEnvelope) ?? false
    }

    /// Keeps the root that the trailer states, unless another object contains it, or is the root of an archive.
    ///
    /// If the number in the trailer were wrong, the actual root would contain the object with that number.
    private mutating func choose(over stated: Int) {
        guard isReferenced(stated) else {
            guard objects[stated] != nil else { return }
            let size = candidates.first { $0.number == stated }?.size ?? 1
            if let best = candidates.first, best.size > 2 * size {
                if size == 1 || isEnvelope(best.number) && !isEnvelope(stated) {
                    root = best.number
                } else {
                    leftOut = (best.number, best.size)
                }
            }
            // A scalar can be the root only if it is the only object.
            isDoubtful =
                root != stated || leftOut != nil || objects[stated]?.kind.isContainer != true && objects.count > 1
            return
        }
        guard let best = candidates.first(where: { $0.contents.contains(stated) }) else { return }
        // A damaged reference may lead to the root, which then contains itself.
        let contents = candidate(stated)
        let isRoot = !contents.contents.contains { references(of: $0).contains(stated) }
        if isRoot { root = best.number }
        isDoubtful =
            !isRoot || 2 * contents.size > objects.count || best.number != candidates[0].number || !isProved(best)
            || objects.indices.contains(where: mayBeLostRoot)
    }
}
