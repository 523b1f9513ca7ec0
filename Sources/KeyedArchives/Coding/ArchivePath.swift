import SaveCodec

/// The way to a value, from the dictionary of roots down. Going one step further costs the same at any depth.
struct ArchivePath: Sendable {
    enum Step: Sendable {
        case name(String)
        case index(Int)
    }

    private let last: Link?

    /// The way to the dictionary of roots.
    static let top = ArchivePath(last: nil)

    private init(last: Link?) {
        self.last = last
    }

    func appending(_ step: Step) -> ArchivePath {
        ArchivePath(last: Link(step, behind: last))
    }

    func appending(_ key: any CodingKey) -> ArchivePath {
        appending(.name(key.stringValue))
    }

    /// The steps, from the root down.
    private var steps: [Step] {
        var steps: [Step] = []
        var link = last
        while let step = link {
            steps.append(step.step)
            link = step.parent
        }
        return steps.reversed()
    }

    var address: JSONPointer {
        JSONPointer(
            tokens: steps.map { step in
                switch step {
                case .name(let name): Array(name.utf16)
                case .index(let index): Array(String(index).utf16)
                }
            })
    }

    var codingPath: [any CodingKey] {
        steps.map { step in
            switch step {
            case .name(let name): ArchiveKey(stringValue: name)
            case .index(let index): ArchiveKey(intValue: index)
            }
        }
    }

    /// A step and those before it. `parent` changes only when the link goes, so links may be shared between threads.
    ///
    /// Sound: what a link holds changes only in deinit, where nobody else has it, and in that of another only where a link
    /// is known to be referenced by nobody else.
    private final class Link: @unchecked Sendable {
        let step: Step
        private(set) var parent: Link?

        init(_ step: Step, behind parent: Link?) {
            self.step = step
            self.parent = parent
        }

        /// Lets go of the links before this one in turn: each letting go of its own would take stack for every step.
        deinit {
            var next = parent
            parent = nil
            while isKnownUniquelyReferenced(&next) {
                let parent = next?.parent
                next?.parent = nil
                next = parent
            }
        }
    }
}

/// A key that is a name or an index.
struct ArchiveKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    /// The key of what a superclass encodes on its own.
    static let `super` = ArchiveKey(stringValue: "super")
}

/// The names of fields as they are stored (see <doc:ArchiveFormat>): those with one `$` in front belong to the
/// archiver.
enum FieldName {
    static func stored(_ name: String) -> String {
        name.utf8.first == UInt8(ascii: "$") ? "$" + name : name
    }

    static func read(_ stored: String) -> String {
        stored.hasPrefix("$$") ? String(stored.dropFirst()) : stored
    }
}
