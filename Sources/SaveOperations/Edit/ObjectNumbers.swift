import KeyedArchives
import SaveCodec

/// The UIDs of an archive under edit: those of objects that stay, and those that became free for new ones.
struct ObjectNumbers {
    /// The UIDs of new values, by the index of the value.
    private var numbers: [Int: Int] = [:]
    /// The UIDs of new classes, by the number of the class.
    private var classes: [Int: Int] = [:]
    /// The UIDs that are free, the lowest last.
    private var free: [Int] = []
    private var isTaken: [Bool]
    private(set) var reached: Bitmap

    init(_ draft: borrowing Draft) {
        guard let archive = draft.view.archive else {
            isTaken = []
            reached = Bitmap(count: 0)
            return
        }
        let base = draft.view.document.count
        let live = LiveObjects(draft, archive).reached
        isTaken = (0..<archive.count).map { $0 == 0 || live.contains(base + $0) }
        reached = live
        free = (0..<archive.count).filter { [isTaken] in !isTaken[$0] }.reversed()
        takePlaces(draft)
    }

    /// A new value that stands where a reference to an object stood that is gone takes its UID.
    private mutating func takePlaces(_ draft: borrowing Draft) {
        let view = draft.view
        for (index, number) in draft.editedContainers where reached.contains(index) {
            for slot in draft.containers[number].contents
            where slot.replaced != DraftContainer.Slot.none && !slot.isInPlace && Int(slot.value) >= view.count {
                let before = view.document.object(ObjectID(Int(slot.replaced)))
                guard before.kind == .uid, numbers[Int(slot.value)] == nil, !draft.isNil(Int(slot.value)),
                    case let uid = Int(view.document.uid(before)), !isTaken[uid]
                else { continue }
                isTaken[uid] = true
                numbers[Int(slot.value)] = uid
            }
        }
    }

    /// How many objects the archive has.
    var count: Int { isTaken.count }

    /// Whether an object has the UID.
    func isTaken(_ uid: Int) -> Bool { isTaken[uid] }

    /// The values that have a UID reserved before they are referred to.
    var reserved: [(index: Int, uid: Int)] { numbers.map { ($0.key, $0.value) }.sorted { $0.1 < $1.1 } }

    /// The UID of a value, and whether it is asked for for the first time.
    mutating func number(of index: Int) -> (uid: Int, isNew: Bool) {
        if let uid = numbers[index] { return (uid, false) }
        let uid = next()
        numbers[index] = uid
        return (uid, true)
    }

    /// The UID of a new class, and whether it is asked for for the first time.
    mutating func number(ofClass number: Int) -> (uid: Int, isNew: Bool) {
        if let uid = classes[number] { return (uid, false) }
        let uid = next()
        classes[number] = uid
        return (uid, true)
    }

    private mutating func next() -> Int {
        while let uid = free.popLast() {
            guard !isTaken[uid] else { continue }
            isTaken[uid] = true
            return uid
        }
        isTaken.append(true)
        return isTaken.count - 1
    }
}

extension Draft {
    /// Whether a new value is nil, which is no object.
    func isNil(_ index: Int) -> Bool {
        guard index >= view.count, case .scalar(let scalar) = added[index - view.count], scalar.classNumber == nil,
            case .null = node(of: scalar)
        else { return false }
        return true
    }
}
