/// A schema applied to a value, in a dynamic scope.
struct Application: Hashable, Sendable {
    let schema: Int
    let scope: Int
    let value: InstanceID
}

/// What is known of applications: answers, and those that are being worked out.
///
/// An application that is met again while it is being worked out is taken to hold: a cycle of objects breaks no rule by
/// being one. What holds on that assumption is provisional until the application assumed is done: then it is settled if
/// that holds, and forgotten if not.
struct Memo {
    /// An answer, or that there is none yet.
    enum Entry: Hashable {
        case holds
        case fails
        /// Holds if the application at this depth does.
        case provisional(depth: Int)
        /// Is being worked out, at this depth.
        case open(depth: Int)
    }

    private var table: ApplicationTable
    /// What is provisional, in the order of completion.
    private var provisional: [Application] = []

    /// Nothing is known yet, of so many values.
    init(values: Int) {
        table = ApplicationTable(values: values)
    }

    /// What is known of an application.
    subscript(application: Application) -> Entry? { Entry(number: table[application]) }

    /// How many applications something is known of, or was.
    var count: Int { table.count }

    /// How many entries are provisional, to be given back to ``close(_:holds:lowest:depth:mark:)``.
    var mark: Int { provisional.count }

    mutating func open(_ application: Application, depth: Int) {
        table[application] = Entry.open(depth: depth).number
    }

    /// Notes an answer that rests on nothing else.
    mutating func note(_ application: Application, holds: Bool) {
        table[application] = (holds ? Entry.holds : .fails).number
    }

    /// Notes the answer of an application that rests on assumptions down to the depth `lowest`.
    mutating func close(_ application: Application, holds: Bool, lowest: Int, depth: Int, mark: Int) {
        if !holds {
            note(application, holds: false)
            forget(from: mark)
        } else if lowest >= depth {
            note(application, holds: true)
            settle(from: mark)
        } else {
            table[application] = Entry.provisional(depth: lowest).number
            provisional.append(application)
        }
    }

    private mutating func settle(from mark: Int) {
        guard mark < provisional.count else { return }
        for application in provisional[mark...] { note(application, holds: true) }
        provisional.removeSubrange(mark...)
    }

    private mutating func forget(from mark: Int) {
        guard mark < provisional.count else { return }
        for application in provisional[mark...] { table[application] = 0 }
        provisional.removeSubrange(mark...)
    }
}

extension Memo.Entry {
    /// The entry as a number, which is not zero.
    fileprivate var number: Int {
        switch self {
        case .holds: 1
        case .fails: 2
        case .provisional(let depth): 2 * depth + 3
        case .open(let depth): 2 * depth + 4
        }
    }

    /// The entry that a number stands for; nil for zero.
    fileprivate init?(number: Int) {
        switch number {
        case 0: return nil
        case 1: self = .holds
        case 2: self = .fails
        default: self = number & 1 == 1 ? .provisional(depth: (number - 3) / 2) : .open(depth: (number - 4) / 2)
        }
    }
}
