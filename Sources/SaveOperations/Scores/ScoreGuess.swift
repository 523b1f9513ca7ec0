import KeyedArchives
package import SaveCodec

/// The array of a save that is most likely a table of high scores with custom field names.
///
///     {"best": {"list": [{"who": "Ada", "points": 5}]}}      --at /best/list --fields name=who,score=points
package struct ScoreGuess {
    private static let nameWords = ["name", "player", "user", "nick", "initial", "who"]
    private static let scoreWords = ["score", "point", "total", "result", "best"]
    /// The maximum number of arrays to examine, since this only improves a message.
    private static let maxArrays = 10_000
    private static let maxFields = 100
    private static let longestField = 40

    private let address: JSONPointer
    private let count: Int
    private let needsAddress: Bool
    /// The suggested argument of `--fields`.
    private let fields: String

    /// Finds the array at an address, or the most likely array; of equally likely ones, the nearest to the root.
    /// Returns nil if no array has a string and a number in its first element.
    init?(in view: ObjectView, at address: JSONPointer?) {
        let graph = view.graph
        var best: (container: ContainerGraph.Container, fields: String, likelihood: Int)?
        let given = address.flatMap { address -> ViewID? in
            guard case .found(let id, let foundView) = view.find(address), foundView === view else { return nil }
            return id
        }
        for container in graph.containers.prefix(Self.maxArrays) where container.kind == .array && container.count > 0 {
            guard given == nil || container.id == given,
                let (fields, likelihood) = Self.fields(of: graph.value(0, of: container), in: view),
                likelihood > best?.likelihood ?? -1
            else { continue }
            best = (container, fields, likelihood)
        }
        guard let best, let path = view.graph.paths(to: [best.container.id], longest: 20)[best.container.id],
            let found = StoredAddressTranslator(view).address(path)
        else { return nil }
        self.address = found
        count = best.container.count
        fields = best.fields
        needsAddress = found != .root
    }

    /// The maximum length, in UTF-16 code units, of an address that a message suggests for copying.
    private static let longestAddress = 160

    /// The end of a sentence with options that read the array; empty if the address is too long or contains escaped
    /// characters.
    var advice: String {
        guard let word = Self.word(for: address), let fields = Shell.word(fields) else { return "" }
        let at = needsAddress ? "--at \(word) " : ""
        return "; \(at)--fields \(fields) would read \(Phrase.count(count, "record"))"
    }

    /// Returns an address as a word for a shell; nil if it is too long or contains escaped characters.
    package static func word(for address: JSONPointer) -> String? {
        let isExact = address.tokens.allSatisfy { SafeText.escaping($0).utf16.elementsEqual($0) }
        let text = address == .root ? "" : address.description
        return isExact && text.utf16.count <= longestAddress ? Shell.word(text) : nil
    }

    /// Returns the fields of an element as an argument of `--fields`, and the number of likely names among them.
    private static func fields(of element: ViewID, in view: ObjectView) -> (fields: String, likelihood: Int)? {
        guard let value = view.container(element), value.variant.isKeyed, value.contents.count <= maxFields else {
            return nil
        }
        var names: [String] = []
        var scores: [String] = []
        var dates: [String] = []
        for position in 0..<value.contents.count {
            let item = view.item(position, of: value.contents)
            guard let text = item.key.flatMap(view.text), text.count <= longestField, case let key = text.escaped,
                !key.contains(","), !key.contains("\\")
            else { continue }
            switch view.scalar(item.id) {
            case .string: if isDate(key) { dates.append(key) } else { names.append(key) }
            case .integer, .real32, .real64:
                scores.append(key)
                if isDate(key, isNumber: true) { dates.append(key) }
            case .date: dates.insert(key, at: 0)
            default: break
            }
        }
        guard let name = likeliest(names, nameWords), let score = likeliest(scores, scoreWords) else { return nil }
        let date = dates.first { $0 != score.name }
        let fields = "name=\(name.name),score=\(score.name)" + (date.map { ",date=\($0)" } ?? "")
        return (fields, (name.isLikely ? 1 : 0) + (score.isLikely ? 1 : 0))
    }

    /// Whether a key with a text or a number names a date. Numbers such as `time` and `day` may be quantities.
    private static func isDate(_ key: String, isNumber: Bool = false) -> Bool {
        guard let word = ScoreWords.normal(Array(key.utf16)), ScoreWords.dateRank(word) != nil else { return false }
        return !isNumber || !["time", "day", "at"].contains(word)
    }

    /// Returns the first name that contains one of the words, or else the first name.
    private static func likeliest(_ names: [String], _ words: [String]) -> (name: String, isLikely: Bool)? {
        let patterns = words.map { TextPattern(Array($0.utf16), ignoresCase: true) }
        let likely = names.first { name in patterns.contains { $0.match(in: Array(name.utf16)) == .found } }
        return likely.map { ($0, true) } ?? names.first.map { ($0, false) }
    }
}
