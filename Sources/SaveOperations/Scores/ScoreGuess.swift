import KeyedArchives
import SaveCodec

/// The array in a save that is most likely a table of high scores whose fields have names of their own.
///
///     {"best": {"list": [{"who": "Ada", "points": 5}]}}      --at /best/list --fields name=who,score=points
struct ScoreGuess {
    /// The words that names of fields have in them.
    private static let nameWords = ["name", "player", "user", "nick", "initial", "who"]
    private static let scoreWords = ["score", "point", "total", "result", "best"]
    /// A large save is not searched to the end for the sake of a message.
    private static let mostArrays = 10_000
    private static let mostFields = 100
    private static let longestField = 40

    private let address: JSONPointer
    private let count: Int
    private let needsAddress: Bool
    /// What `--fields` would be.
    private let fields: String

    /// The array at an address, or else the nearest to the root of those that are most likely; nil if there is none with
    /// a string and a number in its first element.
    init?(in view: ObjectView, at address: JSONPointer?) {
        let graph = view.graph
        var best: (container: ObjectGraph.Container, fields: String, likelihood: Int)?
        let given = address.flatMap { address -> ViewID? in
            guard case .found(let id, let place) = view.find(address), place === view else { return nil }
            return id
        }
        for container in graph.containers.prefix(Self.mostArrays) where container.kind == .array && container.count > 0
        {
            guard given == nil || container.id == given,
                let (fields, likelihood) = Self.fields(of: graph.value(0, of: container), in: view),
                likelihood > best?.likelihood ?? -1
            else { continue }
            best = (container, fields, likelihood)
        }
        guard let best, let path = view.graph.paths(to: [best.container.id], longest: 20)[best.container.id],
            let found = ViewAddresses(view).address(path)
        else { return nil }
        self.address = found
        count = best.container.count
        fields = best.fields
        needsAddress = found != .root
    }

    /// No longer address is of use in a line that is to be copied.
    private static let longestAddress = 160

    /// The end of a sentence that says how the array would be read; nothing if its address is long, or cannot be shown as
    /// it is.
    var advice: String {
        let place = address.description
        let isExact = address.tokens.allSatisfy { SafeText.escaping($0).utf16.elementsEqual($0) }
        guard isExact, place.utf16.count <= Self.longestAddress, let word = Shell.word(place),
            let fields = Shell.word(fields)
        else { return "" }
        let at = needsAddress ? "--at \(word) " : ""
        return "; \(at)--fields \(fields) would read \(Phrase.count(count, "record")) at \(place)"
    }

    /// The fields of an element, as the option has them, and how many of the names are likely.
    private static func fields(of element: ViewID, in view: ObjectView) -> (fields: String, likelihood: Int)? {
        guard let value = view.container(element), value.form.isKeyed, value.contents.count <= mostFields else {
            return nil
        }
        var names: [String] = []
        var scores: [String] = []
        var date: String?
        for position in 0..<value.contents.count {
            let item = view.item(position, of: value.contents)
            guard let text = item.key.flatMap(view.text), text.count <= longestField, case let key = text.escaped,
                !key.contains(","), !key.contains("\\")
            else { continue }
            switch view.scalar(item.id) {
            case .string: names.append(key)
            case .integer, .real32, .real64: scores.append(key)
            case .date: date = date ?? key
            default: break
            }
        }
        guard let name = likeliest(names, nameWords), let score = likeliest(scores, scoreWords) else { return nil }
        let fields = "name=\(name.name),score=\(score.name)" + (date.map { ",date=\($0)" } ?? "")
        return (fields, (name.isLikely ? 1 : 0) + (score.isLikely ? 1 : 0))
    }

    /// The name that has one of the words in it, or else the first.
    private static func likeliest(_ names: [String], _ words: [String]) -> (name: String, isLikely: Bool)? {
        let likely = names.first { name in words.contains { name.lowercased().contains($0) } }
        return likely.map { ($0, true) } ?? names.first.map { ($0, false) }
    }
}
