import KeyedArchive
import SaveCodec
import SaveOperations

/// Conflicts as lines: where, and what each side has.
///
///     game.save: /root/health: conflict: was 100, ours 64, theirs 80
///     game.save: /root/enemies/2: conflict: was Enemy {health: 10}, ours removed, theirs Enemy {health: 4}
struct ConflictLines {
    private let merge: ThreeWayMerge
    private let name: String
    private var base: Abbreviation?
    private var ours: Abbreviation
    private var theirs: Abbreviation

    init(_ merge: ThreeWayMerge, in name: String) {
        self.merge = merge
        self.name = Invocation.shownName(name)
        base = merge.base.map { Abbreviation(of: $0) }
        ours = Abbreviation(of: merge.ours)
        theirs = Abbreviation(of: merge.theirs)
    }

    /// Says all of them, and what can be done. Few hostile bytes can ask for gigabytes of text, a long key above many
    /// conflicts for one: where no honest save would come to, the others are only counted.
    ///
    /// - Parameter room: how many bytes are told.
    consuming func say(within room: Int = 64 << 20, _ invocation: Invocation) {
        var room = room
        for (position, conflict) in merge.conflicts.enumerated() {
            guard room > 0 else {
                invocation.say("\(name): … and \(Counted.of(merge.conflicts.count - position, "conflict")) more")
                break
            }
            let line = line(conflict)
            room -= line.utf8.count
            invocation.say(line)
        }
        let count = Counted.of(merge.conflicts.count, "conflict")
        invocation.say("\(name): \(count), nothing written; \(Option.rule.shown) settles them")
    }

    private mutating func line(_ conflict: MergeConflict) -> String {
        let address = merge.address(of: conflict)
        let text = address == .root ? ChangeText.root : SafeText.escaping(address.description.utf16)
        return "\(name): \(text)\(address.isCut ? "/…" : ""): conflict: " + sides(conflict)
    }

    private mutating func sides(_ conflict: MergeConflict) -> String {
        if case .className = conflict.subject { return classes(conflict) }
        var words: [String] = []
        if let id = conflict.base, let line = base?.line(id) { words.append("was \(line)") }
        words.append("ours " + (conflict.ours.map { ours.line($0) } ?? "removed"))
        words.append("theirs " + (conflict.theirs.map { theirs.line($0) } ?? "removed"))
        return words.joined(separator: ", ")
    }

    private func classes(_ conflict: MergeConflict) -> String {
        guard let base = merge.base, let was = conflict.base, let x = conflict.ours, let y = conflict.theirs else {
            return "class"
        }
        return "was class \(TypeName.class(of: was, in: base)), ours \(TypeName.class(of: x, in: merge.ours)), "
            + "theirs \(TypeName.class(of: y, in: merge.theirs))"
    }
}
