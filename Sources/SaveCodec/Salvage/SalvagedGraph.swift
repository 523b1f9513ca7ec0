/// The recovered objects of a binary property list, and the file that is built from them with repaired references.
///
/// Every object keeps its number. A lost object becomes null. An impossible reference is changed to lead to an added
/// null. A key that cannot be read is replaced by an added string, so that its value is kept:
///
///     #3  {lost: 100}     key #7 is lost     ─▶  #3  {"lost key 7": 100}
///     #4  [#5, #900]      #900 is missing    ─▶  #4  [#5, null]
struct SalvagedGraph {
    private let bytes: [UInt8]
    private var objects: [RecoveredObject]
    private let referenceSize: Int
    /// The number of the root that the trailer states, or nil.
    private let statedRoot: Int?
    private let mayLackRoot: Bool
    private var root = 0
    /// The losses in the order of the objects.
    private(set) var losses: [SalvageLoss] = []
    /// The objects that are added. ``findRoot()`` creates the list, because it may append a root to the recovered ones.
    private var added = AddedObjects(after: [], in: [])
    /// The containers among whose references bytes were inserted, removed or overwritten.
    private var overwritten: [Int] = []
    /// The new references of containers, by the number of the container.
    private var replaced: [Int: [(position: Int, target: Int)]] = [:]
    /// The containers that take the place of a lost root.
    private var orphans: [Int] = []
    /// The number of references that contradict the order of the objects, and of containers with others that cannot be
    /// right.
    private var (wrongCount, faultyCount) = (0, 0)
    /// The references of the dictionary that takes the place of the lost root of an archive: the keys, then the values.
    private var envelope: [Int] = []

    /// The number of objects before the placeholders that are added.
    var numberedCount: Int { objects.count }

    /// - Parameters:
    ///   - root: The number of the root that the trailer states, or nil.
    ///   - mayLackRoot: Whether the root may be an object after the others, where the file was cut off.
    init(
        _ bytes: [UInt8], _ objects: [RecoveredObject], referenceSize: Int, root: Int?,
        mayLackRoot: Bool = false
    ) {
        (self.bytes, self.objects, self.referenceSize) = (bytes, objects, referenceSize)
        (statedRoot, self.mayLackRoot) = (root, mayLackRoot)
    }

    /// The number of objects that are not placeholders.
    var foundCount: Int { objects.count { $0.stored != nil } + (envelope.isEmpty ? 0 : 1) }

    private func isContainer(_ index: Int) -> Bool { objects[index].stored?.kind.isContainer ?? false }

    mutating func run() {
        findRoot()
        overwritten = objects.indices.filter { objects[$0].reason == .inserted && isContainer($0) }
        checkOrder()
        let direction = self.direction
        for index in objects.indices where isContainer(index) { check(index, direction) }
        for index in overwritten { doubtMembers(of: index) }
        if direction == .mixed { breakCycles() }
        checkVersions()
        noteObjects()
        losses.sort { ($0.range?.lowerBound ?? .max) < ($1.range?.lowerBound ?? .max) }
    }

    // MARK: The root

    /// Finds the root and, if it is lost, the containers that take its place.
    private mutating func findRoot() {
        let search = RootSearch(in: bytes, objects.map(\.stored), referenceSize: referenceSize, stated: statedRoot)
        root = search.root
        if mayLackRoot, !search.containsAll {
            root = objects.count
            objects.append(RecoveredObject(state: .missing, reason: .cut))
        }
        added = AddedObjects(after: objects, in: bytes)
        if search.isDoubtful || mayLackRoot, objects[root].state == .kept {
            (objects[root].state, objects[root].reason) = (.doubtful, .root)
        }
        let orphans = objects.indices.filter { $0 != root && isContainer($0) && !search.isReferenced($0) }
        let stored = objects.map(\.stored)
        guard stored[root] == nil else {
            restoreEnvelope(stored, orphans)
            if let (number, size) = search.leftOut, replaced[root] == nil { loseReference(to: number, size) }
            return
        }
        self.orphans = orphans
        let parts = LostEnvelope(
            in: bytes, stored, referenceSize: referenceSize, orphans: orphans, isReferenced: search.isReferenced)
        if let members = parts?.members {
            envelope = members.map { $0.keyNumber ?? added.add(.text($0.key)) } + members.map(\.value)
            (objects[root].state, objects[root].reason) = (.doubtful, .envelope)
        }
    }

    /// Restores damaged references in the root of an archive.
    private mutating func restoreEnvelope(_ stored: [StoredObject?], _ orphans: [Int]) {
        let references = EnvelopeReferences(
            in: bytes, stored, referenceSize: referenceSize, root: root, orphans: orphans)
        guard !references.damaged.isEmpty else { return }
        replaced[root] = references.damaged.map { ($0.position, $0.target) }
        (objects[root].state, objects[root].reason) = (.doubtful, .restored)
    }

    /// Reports that an unknown reference to a container is damaged.
    private mutating func loseReference(to number: Int, _ size: Int) {
        if objects[root].state != .lost { objects[root].reason = .leftOut }
        losses.append(
            SalvageLoss(
                .value, objects[number].range, at: .unknown,
                "the reference to object \(number), which contains \(Phrase.count(size - 1, "object"))", count: 0))
    }

    // MARK: References

    /// Marks containers as doubtful if a reference contradicts the order of the objects. A reference that leads to no
    /// readable object is corrected. One that leads to another object is kept, because it may be an edit.
    private mutating func checkOrder() {
        let contradictions = ReferenceOrder.contradictions(
            in: bytes, objects.map(\.stored), referenceSize: referenceSize, root: root)
        // Several containers may have the same wrong reference if its position is unknown.
        wrongCount = contradictions.count { $0.position != nil }
        for contradiction in contradictions {
            if objects[contradiction.container].state != .doubtful || replaced[contradiction.container] == nil {
                objects[contradiction.container].state = .doubtful
                objects[contradiction.container].reason = .reference
            }
            if let position = contradiction.position, let target = contradiction.target,
                let container = objects[contradiction.container].stored,
                case let number = reference(position, of: container),
                number >= objects.count || objects[number].stored == nil,
                !(replaced[contradiction.container] ?? []).contains(where: { $0.position == position })
            {
                replaced[contradiction.container, default: []].append((position, target))
            }
        }
    }

    /// Whether containers have higher or lower numbers than the containers that refer to them.
    private enum Direction {
        case ascending, descending, mixed
    }

    private var direction: Direction {
        var (up, down) = (0, 0)
        for index in objects.indices {
            forEachReference(of: index) { _, number in
                guard number < objects.count, isContainer(number) else { return }
                if number > index { up += 1 } else { down += 1 }
            }
        }
        if down * 8 <= up { return .ascending }
        return up * 8 <= down ? .descending : .mixed
    }

    private func forEachReference(of index: Int, _ body: (Int, Int) -> Void) {
        guard let stored = objects[index].stored, stored.kind.isContainer else { return }
        for position in 0..<stored.referenceCount { body(position, reference(position, of: stored)) }
    }

    private func reference(_ position: Int, of container: StoredObject) -> Int {
        let number = bytes.bigEndian(at: container.start + position * referenceSize, width: referenceSize)
        return number < UInt64(Int.max) ? Int(number) : .max
    }

    private mutating func check(_ index: Int, _ direction: Direction) {
        guard let stored = objects[index].stored else { return }
        var seen: Set<Int> = []
        var repeated: Set<Int> = []
        if stored.kind == .dictionary {
            for position in 0..<stored.count {
                let key = reference(position, of: stored)
                if !seen.insert(key).inserted { repeated.insert(key) }
            }
        }
        let corrected = Dictionary(
            (replaced[index] ?? []).map { ($0.position, $0.target) }, uniquingKeysWith: { $1 })
        let count = losses.count
        for position in 0..<stored.referenceCount {
            let number = corrected[position] ?? reference(position, of: stored)
            let isKey = stored.kind == .dictionary && position < stored.count
            if isKey {
                checkKey(number, at: position, of: index, isRepeated: repeated.contains(number))
            } else if let fault = fault(of: number, in: index, direction) {
                let target = added.add(.null)
                replaced[index, default: []].append((position, target))
                losses.append(
                    SalvageLoss(
                        number < objects.count ? .value : .missing, range(of: position, in: stored),
                        at: .object(ObjectID(target)), "a reference to object \(number) of \(objects.count)\(fault)",
                        count: 0))
            }
        }
        // Overwritten bytes may read as references to other objects.
        guard losses.count > count, objects[index].state == .kept else { return }
        faultyCount += 1
        if losses.count - count >= Self.fewestOverwritten {
            (objects[index].state, objects[index].reason) = (.doubtful, .references)
            overwritten.append(index)
        }
    }

    /// Doubts the values of a container whose references may be wrong.
    private mutating func doubtMembers(of index: Int) {
        guard let stored = objects[index].stored else { return }
        let corrected = Set((replaced[index] ?? []).map(\.position))
        for position in stored.referenceCount - stored.count..<stored.referenceCount
        where !corrected.contains(position) {
            let number = reference(position, of: stored)
            if objects[number].state == .kept { (objects[number].state, objects[number].reason) = (.doubtful, .member) }
        }
    }

    /// Doubts the root if more references are wrong than the objects that are known to be damaged explain. Then the
    /// objects may be of two versions of the file, which number them differently.
    private mutating func checkVersions() {
        guard objects[root].state == .kept else { return }
        let faults = ReferenceFaults(
            in: bytes, objects.map(\.stored), referenceSize: referenceSize, root: root,
            corrected: replaced.values.flatMap { $0.map(\.target) })
        // Each reference of a doubtful or lost container may be the one that is missing. If only its order is wrong,
        // one reference is.
        let capacity = objects.lazy.filter { $0.state != .kept }.reduce(0) { count, object in
            let size = object.stored.map(\.referenceCount) ?? object.range.map { $0.count / referenceSize } ?? .max
            return count.addingSaturated(object.reason == .reference ? min(size, 1) : size)
        }
        let wrong = max(faultyCount, wrongCount)
        guard faults.areEvidence && faults.orphans.count > capacity || wrong >= (capacity > 0 ? 2 : 3) else { return }
        (objects[root].state, objects[root].reason) = (.doubtful, .versions)
    }

    /// The number of wrong references in a container from which on its bytes were probably overwritten.
    private static let fewestOverwritten = 4

    private func range(of position: Int, in stored: StoredObject) -> Range<Int> {
        let start = stored.start + position * referenceSize
        return start..<start + referenceSize
    }

    /// Returns the reason why a reference cannot be right, or nil if it may be right.
    private func fault(of number: Int, in index: Int, _ direction: Direction) -> String? {
        if number >= objects.count { return ", which does not exist" }
        if number == root { return ", which is the root" }
        guard isContainer(number) else { return nil }
        let isWrong =
            switch direction {
            case .ascending: number <= index
            case .descending: number >= index
            case .mixed: number == index
            }
        return isWrong ? ", which would contain itself" : nil
    }

    private mutating func checkKey(_ number: Int, at position: Int, of index: Int, isRepeated: Bool) {
        guard let stored = objects[index].stored else { return }
        let isNamed = number < objects.count && objects[number].stored?.kind.isString ?? false
        if isNamed, !isRepeated { return }
        if number < objects.count, objects[number].stored == nil, !isRepeated {
            replaced[index, default: []].append((position, added.addKey(of: number)))
            return
        }
        let key = added.addKey()
        replaced[index, default: []].append((position, key))
        let reason = isRepeated ? "is used twice in one dictionary" : "is not a string"
        losses.append(
            SalvageLoss(
                .key, range(of: position, in: stored), at: .object(ObjectID(key)),
                "a key cannot be read: object \(number) \(number < objects.count ? reason : "does not exist")", count: 0
            ))
    }

    /// Replaces references by which a container would contain itself.
    private mutating func breakCycles() {
        var state = [UInt8](repeating: 0, count: objects.count)
        let corrected = replaced.mapValues { changes in
            Dictionary(changes.map { ($0.position, $0.target) }, uniquingKeysWith: { $1 })
        }
        for start in [root] + Array(objects.indices) where state[start] == 0 && isContainer(start) {
            var path = [(index: start, next: 0)]
            state[start] = 1
            while let (index, next) = path.last {
                guard let stored = objects[index].stored, next < stored.referenceCount else {
                    state[index] = 2
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let number = corrected[index]?[next] ?? reference(next, of: stored)
                guard number < objects.count, isContainer(number) else { continue }
                if state[number] == 0 {
                    state[number] = 1
                    path.append((number, 0))
                } else if state[number] == 1, !(stored.kind == .dictionary && next < stored.count) {
                    let target = added.add(.null)
                    replaced[index, default: []].append((next, target))
                    losses.append(
                        SalvageLoss(
                            .value, range(of: next, in: stored), at: .object(ObjectID(target)),
                            "a reference to object \(number), which would contain itself", count: 0))
                }
            }
        }
    }

    // MARK: Losses

    private mutating func noteObjects() {
        for index in objects.indices {
            let object = objects[index]
            let place = SalvageLoss.Place.object(ObjectID(index))
            switch object.state {
            case .kept: break
            case .doubtful:
                losses.append(.doubtful(index, at: object.range, object.reason))
            case .lost:
                losses.append(SalvageLoss(.value, object.range, at: place, "object \(index): \(object.reason.message)"))
            case .missing:
                var loss = SalvageLoss(.missing, nil, at: place, "object \(index): it is not in the file")
                loss.missingObject = index
                losses.append(loss)
            }
            if let key = added.key(of: index) {
                losses.append(
                    SalvageLoss(
                        .key, object.range, at: .object(ObjectID(key)), "the key in object \(index) cannot be read",
                        count: 0))
            }
        }
    }

    // MARK: The file

    /// Returns the objects as a file.
    ///
    /// - Throws: A problem if the objects overlap so much that the file would be far larger than before.
    func file() throws(Problem) -> [UInt8] {
        let count = objects.count + added.count
        let size = BinaryPlistWriter.size(for: count)
        var output = ByteWriter()
        output.write("bplist00")
        var offsets: [Int] = []
        offsets.reserveCapacity(count)
        /// The offset of each scalar in the output, by its offset in the damaged file. Several entries may share a
        /// scalar.
        var written: [Int: Int] = [:]
        for (index, object) in objects.enumerated() {
            if let stored = object.stored, let range = object.range, !stored.kind.isContainer {
                if let offset = written[range.lowerBound] {
                    offsets.append(offset)
                    continue
                }
                written[range.lowerBound] = output.count
                offsets.append(output.count)
                write(object, stored, at: range, to: &output)
            } else {
                offsets.append(output.count)
                write(object.stored, index, referenceSize: size, to: &output)
            }
            guard output.count <= 16 * bytes.count + 4096 else {
                throw Problem("limit.overlap", "the objects overlap too much to be separated")
            }
        }
        added.write(to: &output, &offsets)
        let start = output.count
        let offsetSize = BinaryPlistWriter.size(for: start)
        output.writeBigEndian(offsets.count, width: offsetSize) { offsets[$0] }
        Trailer(
            offsetSize: offsetSize, referenceSize: size, objectCount: UInt64(count), root: UInt64(root),
            tableStart: UInt64(start)
        ).write(to: &output)
        return output.takeBytes()
    }

    /// Writes a scalar. The marker and the count of a doubtful one may be damaged.
    private func write(
        _ object: RecoveredObject, _ stored: StoredObject, at range: Range<Int>, to output: inout ByteWriter
    ) {
        guard object.state == .doubtful else { return output.write(bytes, in: range) }
        let contents = stored.start..<range.upperBound
        if stored.kind == .oneByteString, bytes[contents].contains(where: { $0 >= 0x80 }) {
            // Other readers refuse a file whose ASCII strings have bytes above 0x7F.
            BinaryPlistWriter.writeMarker(ObjectMarker.utf16String, count: contents.count, &output)
            for byte in bytes[contents] { output.writeBigEndian(UInt64(byte), width: 2) }
        } else {
            BinaryPlistWriter.writeMarker(of: stored, &output)
            output.write(bytes, in: contents)
        }
    }

    private func write(_ stored: StoredObject?, _ index: Int, referenceSize size: Int, to output: inout ByteWriter) {
        guard let stored else {
            guard index == root, !orphans.isEmpty else { return output.write(ObjectMarker.null) }
            guard envelope.isEmpty else {
                BinaryPlistWriter.writeMarker(ObjectMarker.dictionary, count: envelope.count / 2, &output)
                for number in envelope { output.writeBigEndian(UInt64(number), width: size) }
                return
            }
            BinaryPlistWriter.writeMarker(ObjectMarker.array, count: orphans.count, &output)
            output.writeBigEndian(orphans.count, width: size) { orphans[$0] }
            return
        }
        BinaryPlistWriter.writeMarker(of: stored, &output)
        var changes = (replaced[index] ?? []).sorted { $0.position < $1.position }[...]
        for position in 0..<stored.referenceCount {
            var number = reference(position, of: stored)
            while let change = changes.first, change.position == position {
                number = change.target
                changes.removeFirst()
            }
            output.writeBigEndian(UInt64(number), width: size)
        }
    }
}

extension SalvageLoss {
    /// Returns the loss for an object that came back, but may be wrong.
    static func doubtful(_ index: Int, at range: Range<Int>?, _ reason: RecoveredObject.Reason) -> SalvageLoss {
        var loss = SalvageLoss(.doubtful, range, at: .object(ObjectID(index)), "object \(index): \(reason.message)")
        loss.reason = reason.message
        return loss
    }
}

extension Salvage {
    /// Marks ASCII strings with bytes above 0x7F as doubtful, and keeps their bytes.
    mutating func doubtOddStrings() {
        isProved = false
        for index in 0..<document.count {
            let (id, object) = (ObjectID(index), document.object(ObjectID(index)))
            guard let start = document.offset(of: id),
                RecoveredObjects.isOddString(document.image, object, areHigh: true)
            else { continue }
            losses.append(.doubtful(index, at: start..<object.end(in: document.table), .characters))
        }
    }
}
