/// A priority queue of postponed candidate pairs. The order is by similarity, then by the number of slots at which the
/// two containers meet (most first), then by the number of references to them (fewest first), then by first occurrence.
///
/// Implemented as a binary heap. Two containers have one entry for each slot at which they meet. The latest entry has
/// the greatest count and comes first, but the queue then returns their first candidate, so that they are paired at
/// their first occurrence.
struct MatchQueue {
    private struct Entry {
        let score: Int32
        /// The number of candidates of the two containers so far.
        let count: Int32
        /// The number of slots that refer to the two containers.
        let references: Int32
        /// The number of the first candidate of the two containers.
        let first: Int32
        /// The index of the two containers in the queues.
        let pair: Int32

        func isBefore(_ other: Entry) -> Bool {
            (score, count, other.references, other.first) > (other.score, other.count, references, first)
        }
    }

    private struct ContainerPair: Hashable {
        let before: Int
        let after: Int
    }

    private var heap: [Entry] = []
    private var pairs: [ContainerPair: Int32] = [:]
    private var candidates: [Comparison.CandidatePair] = []
    /// For each candidate, the next candidate of the same two containers; -1 for none.
    private var next: [Int32] = []
    /// For each pair of containers, the first candidate not yet returned, the last candidate, the number of candidates,
    /// and the first of all its candidates.
    private var queues: [(first: Int32, last: Int32, count: Int32, start: Int32)] = []

    mutating func add(_ candidate: Comparison.CandidatePair, score: Int, references: Int) {
        let number = Int32(truncatingIfNeeded: candidates.count)
        candidates.append(candidate)
        next.append(-1)
        let pair = ContainerPair(before: candidate.before, after: candidate.after)
        let index = pairs[pair] ?? Int32(truncatingIfNeeded: queues.count)
        if Int(index) == queues.count {
            pairs[pair] = index
            queues.append((number, number, 1, number))
        } else {
            let queue = queues[Int(index)]
            if queue.first >= 0 { next[Int(queue.last)] = number }
            queues[Int(index)] = (queue.first >= 0 ? queue.first : number, number, queue.count &+ 1, queue.start)
        }
        let queue = queues[Int(index)]
        push(
            Entry(
                score: Int32(truncatingIfNeeded: score), count: queue.count, references: Int32(clamping: references),
                first: queue.start, pair: index))
    }

    mutating func popBest() -> Comparison.CandidatePair? {
        guard let best = pop() else { return nil }
        let pair = Int(best.pair)
        let number = Int(queues[pair].first)
        guard number >= 0 else { return nil }
        queues[pair].first = next[number]
        return candidates[number]
    }

    // MARK: The heap

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func pop() -> Entry? {
        guard let best = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return best }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least])
            {
                least = child
            }
            guard least != parent else { return best }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
