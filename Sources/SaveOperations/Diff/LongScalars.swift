import KeyedArchives
import SaveCodec

/// Numbers for long texts and data of two graphs, the same for equal ones: each is gone through once, however many slots
/// it is compared at.
struct LongScalars {
    private var hashes: (before: ScalarHashes, after: ScalarHashes)
    private var numbersBefore: [ViewID: Int] = [:]
    private var numbersAfter: [ViewID: Int] = [:]
    /// The first of each number, and the numbers of each hash.
    private var first: [(object: StoredObject, isAfter: Bool)] = []
    private var numbers: [UInt64: [Int]] = [:]

    init() {
        let seed = UInt64.random(in: 0...UInt64.max)
        hashes = (ScalarHashes(seed: seed), ScalarHashes(seed: seed))
    }

    mutating func numberBefore(_ object: StoredObject, _ id: ViewID, _ before: ComparedGraph, _ after: ComparedGraph)
        -> Int
    {
        if let number = numbersBefore[id] { return number }
        let number = number(object, hashes.before.hash(of: object, id, in: before), isAfter: false, before, after)
        numbersBefore[id] = number
        return number
    }

    mutating func numberAfter(_ object: StoredObject, _ id: ViewID, _ before: ComparedGraph, _ after: ComparedGraph)
        -> Int
    {
        if let number = numbersAfter[id] { return number }
        let number = number(object, hashes.after.hash(of: object, id, in: after), isAfter: true, before, after)
        numbersAfter[id] = number
        return number
    }

    private mutating func number(
        _ object: StoredObject, _ hash: UInt64, isAfter: Bool, _ before: ComparedGraph, _ after: ComparedGraph
    ) -> Int {
        let document = isAfter ? after.document : before.document
        for number in numbers[hash, default: []] {
            let other = first[number]
            let otherDocument = other.isAfter ? after.document : before.document
            if document.sameScalar(object, as: other.object, in: otherDocument) { return number }
        }
        numbers[hash, default: []].append(first.count)
        first.append((object, isAfter))
        return first.count - 1
    }
}
