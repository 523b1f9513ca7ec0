import Foundation
import TestSupport

/// A random edit: its command, and the value expected afterwards.
struct RandomTextEdit {
    enum Kind: String, CaseIterable {
        case set, setNew, insert, remove, removeSome, move, patch
    }

    let kind: Kind
    let command: [String]
    let after: SampleValue
    /// The addresses of the changed values.
    let paths: [[String]]

    /// Fails if the value offers no target for such an edit.
    init?(_ kind: Kind, of value: SampleValue, _ dice: inout SeededGenerator, textOnly: Bool) {
        self.kind = kind
        switch kind {
        case .set, .setNew, .insert:
            guard let step = Step(kind, of: value, &dice, textOnly: textOnly) else { return nil }
            let json = step.value?.json ?? "null"
            command =
                (kind == .insert ? ["insert", "--partial"] : ["set", "--change-type"]) + [
                    Self.pointer(step.path), json,
                ]
            (after, paths) = (step.after, [step.path])
        case .remove, .removeSome:
            var paths: [[String]] = []
            for _ in 0..<(kind == .remove ? 1 : 4) {
                let path = dice.pick(value.paths)
                let overlaps = paths.contains { $0.starts(with: path) || path.starts(with: $0) }
                if !path.isEmpty, !overlaps { paths.append(path) }
            }
            guard !paths.isEmpty else { return nil }
            // Elements of one array are removed from last to first.
            let order = paths.sorted { $0.map(Self.sortable).lexicographicallyPrecedes($1.map(Self.sortable)) }
            after = order.reversed().reduce(value) { $0.removing($1) }
            self.paths = paths
            command = ["remove"] + paths.map(Self.pointer)
        case .move:
            let arrays = value.paths.filter { path in
                if case .array(let elements)? = value.value(at: path) { elements.count > 1 } else { false }
            }
            guard !arrays.isEmpty, case let path = dice.pick(arrays), case .array(var elements)? = value.value(at: path)
            else { return nil }
            let (from, to) = (dice.pick(Array(elements.indices)), dice.pick(Array(elements.indices)))
            elements.insert(elements.remove(at: from), at: to)
            (after, paths) = (value.setting(path, to: .array(elements)), [path])
            let (source, target) = (Self.pointer(path + ["\(from)"]), Self.pointer(path + ["\(to)"]))
            command = ["patch", "[{\"op\":\"move\",\"from\":\"\(source)\",\"path\":\"\(target)\"}]"]
        case .patch:
            var (after, paths, operations) = (value, [[String]](), [String]())
            for _ in 0..<Int.random(in: 2...6, using: &dice) {
                guard
                    let step = Step(dice.pick([.set, .setNew, .insert, .remove]), of: after, &dice, textOnly: textOnly)
                else { continue }
                after = step.after
                paths.append(step.path)
                operations.append(step.operation)
            }
            guard !operations.isEmpty else { return nil }
            (self.after, self.paths) = (after, paths)
            command = ["patch", "[" + operations.joined(separator: ",") + "]", "--change-type"]
        }
    }

    private static func sortable(_ token: String) -> String {
        String(repeating: "0", count: max(0, 8 - token.count)) + token
    }

    static func pointer(_ path: [String]) -> String { path.map { "/" + $0 }.joined() }

    private struct Step {
        let path: [String]
        var value: SampleValue?
        let after: SampleValue
        let operation: String

        init?(_ kind: Kind, of root: SampleValue, _ dice: inout SeededGenerator, textOnly: Bool) {
            let new = SampleValue.random(&dice, textOnly: textOnly)
            let paths = root.paths
            switch kind {
            case .set, .remove:
                path = dice.pick(paths)
                guard !path.isEmpty else { return nil }
                value = kind == .set ? new : nil
                after = kind == .set ? root.setting(path, to: new) : root.removing(path)
            case .setNew:
                let path = dice.pick(paths)
                guard case .dictionary(let pairs)? = root.value(at: path) else { return nil }
                let key = dice.pick(SampleValue.keys.filter { key in !pairs.contains { $0.key == key } } + ["new"])
                self.path = path + [key]
                value = new
                after = root.setting(self.path, to: new)
            default:
                let path = dice.pick(paths)
                guard case .array(let elements)? = root.value(at: path) else { return nil }
                let position = Int.random(in: 0...elements.count, using: &dice)
                self.path = path + ["\(position)"]
                value = new
                after = root.setting(path, to: .array(elements[..<position] + [new] + elements[position...]))
            }
            let pointer = SampleValue.quoted(RandomTextEdit.pointer(path))
            let name = kind == .remove ? "remove" : kind == .set ? "replace" : "add"
            operation = "{\"op\":\"\(name)\",\"path\":\(pointer)" + (value.map { ",\"value\":\($0.json)" } ?? "") + "}"
        }
    }
}

extension SampleValue {
    static let keys = ["a", "b", "c", "d", "e", "f", "g", "h"]

    static func random(_ dice: inout SeededGenerator, depth: Int = 0, textOnly: Bool) -> SampleValue {
        if depth < 3, dice.happens(20) {
            return .dictionary(
                keys.shuffled(using: &dice).prefix(Int.random(in: 0...4, using: &dice)).map {
                    ($0, random(&dice, depth: depth + 1, textOnly: textOnly))
                })
        }
        if depth < 3, dice.happens(25) {
            return .array(
                (0..<Int.random(in: 0...5, using: &dice)).map { _ in
                    random(&dice, depth: depth + 1, textOnly: textOnly)
                })
        }
        let text = dice.pick(["x", "Ada", "a b", "é", "http://e/*", "-5", "", "<&>", "q\"uote", "12", "y/z", "l1\nl2"])
        guard !textOnly else { return .string(text) }
        return dice.pick([
            .string(text), .string(text), .integer(Int.random(in: -5...300, using: &dice)),
            .boolean(dice.happens(50)), .real(dice.pick([0.5, 0.6, -2.25, 1e30])),
        ])
    }

    /// The addresses of the value and of all values inside it.
    var paths: [[String]] {
        var paths: [[String]] = [[]]
        switch self {
        case .array(let elements):
            for (number, element) in elements.enumerated() { paths += element.paths.map { ["\(number)"] + $0 } }
        case .dictionary(let pairs):
            for pair in pairs { paths += pair.value.paths.map { [pair.key] + $0 } }
        default: break
        }
        return paths
    }

    func value(at path: some Collection<String>) -> SampleValue? {
        guard let token = path.first else { return self }
        switch self {
        case .array(let elements):
            return Int(token).flatMap { $0 < elements.count ? elements[$0].value(at: path.dropFirst()) : nil }
        case .dictionary(let pairs): return pairs.first { $0.key == token }?.value.value(at: path.dropFirst())
        default: return nil
        }
    }

    func setting(_ path: some Collection<String>, to value: SampleValue) -> SampleValue {
        changing(path) { _ in value } ?? self
    }

    func removing(_ path: some Collection<String>) -> SampleValue { changing(path) { _ in nil } ?? self }

    private func changing(_ path: some Collection<String>, _ change: (SampleValue?) -> SampleValue?) -> SampleValue? {
        guard let token = path.first else { return change(self) }
        switch self {
        case .array(var elements):
            guard let position = Int(token), position < elements.count else { return self }
            let new = elements[position].changing(path.dropFirst(), change)
            elements.replaceSubrange(position...position, with: new.map { [$0] } ?? [])
            return .array(elements)
        case .dictionary(var pairs):
            guard let position = pairs.firstIndex(where: { $0.key == token }) else {
                return .dictionary(pairs + (change(nil).map { [(token, $0)] } ?? []))
            }
            let new = pairs[position].value.changing(path.dropFirst(), change)
            pairs.replaceSubrange(position...position, with: new.map { [(token, $0)] } ?? [])
            return .dictionary(pairs)
        default: return self
        }
    }
}
