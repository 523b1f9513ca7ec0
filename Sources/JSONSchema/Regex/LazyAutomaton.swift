/// A deterministic automaton of which only the states are made that a text needs.
///
/// A state is the list of instructions at which the text so far can have arrived. `advance` finds the state after a
/// code point, once for each state and class of code points; from then on a table has it, so that a text costs one look
/// into the table for each code point. When the table is full it is emptied: no pattern takes more memory than that.
/// A state can be as large as the pattern, so that a text which needs a new one at each place takes the time of its
/// length times the pattern's: the steps by which states are made are counted, and it gives up where they are too many.
///
/// Instructions that require a fact stay in the state until the position is known (`resolve`): those on the text's ends
/// are looked at there only, so that `^[a-z]+$` runs through the table from end to end.
struct LazyAutomaton {
    typealias StateNumber = Int32

    private static let tableLimit = 1 << 20
    private static let memberLimit = 1 << 21
    private static let resolutionLimit = 1 << 16

    private let instructions: [Instruction]
    private let sets: [CodePointSet]
    let alphabet: Alphabet

    /// How many steps may still be taken to make states; below zero it has given up, and what it finds means nothing.
    var stepsLeft = Int.max

    private var states: [State] = []
    private var numbers: [[Int32]: StateNumber] = [:]
    private var memberCount = 0
    /// How often the table has been emptied, which ends the meaning of all numbers of states.
    private var generation = 0
    /// For each state and class the state that follows if it is a plain one, see `entry`.
    private var table: [Int32] = []
    /// For each state and few facts between the text's ends the state that `resolve` finds; for others the dictionary.
    private var innerResolutions: [StateNumber] = []
    private var resolutions: [Resolution: StateNumber] = [:]
    /// The facts that instructions require.
    private let required: UInt64

    // What one `closure` works with.
    private var marks: [UInt32]
    private var mark: UInt32 = 0
    private var pending: [Int32] = []
    private var members: [Int32] = []

    private struct State {
        var members: [Int32]
        var accepts = false
        var requiresEnds = false
        var requiresInner = false
    }

    private struct Resolution: Hashable {
        var state: StateNumber
        var facts: UInt64
    }

    init(_ instructions: [Instruction], sets: [CodePointSet], alphabet: Alphabet) {
        self.instructions = instructions
        self.sets = sets
        self.alphabet = alphabet
        marks = Array(repeating: 0, count: instructions.count)
        required = instructions.reduce(0) { facts, instruction in
            if case .require(let fact, _) = instruction { facts | PositionFacts.mask(fact) } else { facts }
        }
    }
}

extension LazyAutomaton {
    /// Whether there is a match anywhere in the text.
    mutating func matches(_ facts: PositionFacts) -> Bool {
        let text = facts.text
        var state = begin(facts.at(0))
        var position = 0
        if states[Int(state)].accepts { return true }
        while position < text.count, stepsLeft >= 0 {
            let letter: Int32
            if text[position] < 128 {
                letter = alphabet.ascii[Int(text[position])]
                position += 1
            } else {
                let (point, next) = TextUnits.point(at: position, in: text)
                letter = alphabet.number(of: point)
                position = next
            }
            let known = table[Int(state) * alphabet.count + Int(letter)]
            if known >= 0 {
                state = known
            } else {
                state = settle(state, letter, at: position, facts)
                if states[Int(state)].accepts { return true }
                if states[Int(state)].members.isEmpty { return false }
            }
        }
        state = resolve(state, facts.at(text.count))
        return states[Int(state)].accepts
    }

    /// The positions where a match ends if the text is read forward, or begins if backward: a bit for each.
    mutating func ends(_ facts: PositionFacts, isBackward: Bool) -> [UInt64] {
        let text = facts.text
        var bits = [UInt64](repeating: 0, count: text.count / 64 + 1)
        var position = isBackward ? text.count : 0
        let last = text.count - position
        var state = begin(facts.at(position))
        while true {
            if states[Int(state)].accepts { bits[position >> 6] |= 1 << UInt64(position & 63) }
            if position == last || stepsLeft < 0 { return bits }
            let (point, next) =
                isBackward ? TextUnits.point(before: position, in: text) : TextUnits.point(at: position, in: text)
            position = next
            state = settle(state, alphabet.number(of: point), at: position, facts)
        }
    }

    /// The state before anything is read, in which all is resolved.
    private mutating func begin(_ facts: UInt64) -> StateNumber {
        beginClosure()
        follow(0, facts: facts)
        return number(ofMembers: members)
    }

    /// The state after a code point, with what it requires of the position resolved.
    private mutating func settle(
        _ state: StateNumber, _ letter: Int32, at position: Int, _ facts: PositionFacts
    ) -> StateNumber {
        let next = advance(state, letter)
        let isEnd = position == 0 || position == facts.text.count
        guard states[Int(next)].requiresInner || (isEnd && states[Int(next)].requiresEnds) else { return next }
        return resolve(next, facts.at(position))
    }

    /// The state after a code point of a class.
    private mutating func advance(_ state: StateNumber, _ letter: Int32) -> StateNumber {
        let place = Int(state) * alphabet.count + Int(letter)
        if table[place] != Self.unknown { return Self.state(ofEntry: table[place]) }
        let point = alphabet.examples[Int(letter)]
        beginClosure()
        stepsLeft -= states[Int(state)].members.count
        for member in states[Int(state)].members {
            if case .consume(let set) = instructions[Int(member)], sets[set].contains(point) {
                follow(member + 1, facts: nil)
            }
        }
        let generation = generation
        let next = number(ofMembers: members)
        if generation == self.generation { table[place] = entry(for: next) }
        return next
    }

    /// The state with the instructions gone on with that require what holds, and without those that require what does
    /// not.
    private mutating func resolve(_ state: StateNumber, _ facts: UInt64) -> StateNumber {
        let facts = facts & required
        if let known = resolution(of: state, facts) { return known }
        beginClosure()
        for member in states[Int(state)].members { follow(member, facts: facts) }
        let generation = generation
        let next = number(ofMembers: members)
        if generation == self.generation { remember(next, resolving: state, facts) }
        return next
    }

    private func resolution(of state: StateNumber, _ facts: UInt64) -> StateNumber? {
        guard let place = Self.innerPlace(of: state, facts) else {
            return resolutions[Resolution(state: state, facts: facts)]
        }
        return innerResolutions[place] == Self.unknown ? nil : innerResolutions[place]
    }

    private mutating func remember(_ next: StateNumber, resolving state: StateNumber, _ facts: UInt64) {
        if let place = Self.innerPlace(of: state, facts) { return innerResolutions[place] = next }
        if resolutions.count >= Self.resolutionLimit { resolutions.removeAll(keepingCapacity: true) }
        resolutions[Resolution(state: state, facts: facts)] = next
    }

    /// Where few facts between the text's ends have their place: the boundary and the first two lookarounds.
    private static func innerPlace(of state: StateNumber, _ facts: UInt64) -> Int? {
        facts & 3 == 0 && facts < 32 ? Int(state) * 8 + Int(facts >> 2) : nil
    }
}

extension LazyAutomaton {
    private mutating func beginClosure() {
        members.removeAll(keepingCapacity: true)
        mark &+= 1
        if mark == 0 {
            marks = Array(repeating: 0, count: instructions.count)
            mark = 1
        }
    }

    /// Adds the instructions to which one leads without reading. Without facts, requirements are added themselves.
    private mutating func follow(_ first: Int32, facts: UInt64?) {
        pending.append(first)
        while let index = pending.popLast() {
            stepsLeft -= 1
            guard marks[Int(index)] != mark else { continue }
            marks[Int(index)] = mark
            switch instructions[Int(index)] {
            case .split(let first, let second):
                pending.append(Int32(second))
                pending.append(Int32(first))
            case .jump(let target): pending.append(Int32(target))
            case .require(let fact, let holds):
                guard let facts else {
                    members.append(index)
                    continue
                }
                if (facts & PositionFacts.mask(fact) != 0) == holds { pending.append(index + 1) }
            default: members.append(index)
            }
        }
    }

    /// The state of these members, which is made if it is new.
    private mutating func number(ofMembers members: [Int32]) -> StateNumber {
        if let number = numbers[members] { return number }
        if (states.count + 1) * alphabet.count > max(Self.tableLimit, 16 * alphabet.count)
            || memberCount + members.count > max(Self.memberLimit, 16 * instructions.count)
        {
            forgetStates()
        }
        let number = StateNumber(states.count)
        stepsLeft -= members.count + alphabet.count >> 3
        memberCount += members.count
        states.append(state(members))
        numbers[members] = number
        table.append(contentsOf: repeatElement(Self.unknown, count: alphabet.count))
        innerResolutions.append(contentsOf: repeatElement(Self.unknown, count: 8))
        return number
    }

    private func state(_ members: [Int32]) -> State {
        var state = State(members: members)
        for member in members {
            switch instructions[Int(member)] {
            case .accept: state.accepts = true
            case .require(let fact, _) where fact.isInner: state.requiresInner = true
            case .require: state.requiresEnds = true
            default: break
            }
        }
        return state
    }

    private mutating func forgetStates() {
        states.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        table.removeAll(keepingCapacity: true)
        innerResolutions.removeAll(keepingCapacity: true)
        resolutions.removeAll(keepingCapacity: true)
        memberCount = 0
        generation += 1
    }

    private static let unknown = Int32.min

    /// A state as the table has it: its number, or the number's complement if more must be looked at than the table.
    private func entry(for number: StateNumber) -> Int32 {
        let state = states[Int(number)]
        return state.accepts || state.requiresInner || state.members.isEmpty ? ~number : number
    }

    private static func state(ofEntry entry: Int32) -> StateNumber {
        entry < 0 ? ~entry : entry
    }
}
