import KeyedArchives
package import SaveCodec

extension ScoreTable {
    /// What is in the save and is not kept where only names, scores and dates are: further fields of the records, and what
    /// stands beside the table.
    package func leftOut() -> [Problem] {
        let beside = address.tokens.count > 1 || address.tokens.count == 1 && view[view.root].contents.count > 1
        return extraFields(of: records.indices) + (beside ? [.scoresBeside()] : [])
    }

    /// The further fields of some records, each once, with how many records have it.
    func extraFields(of positions: some Sequence<Int>) -> [Problem] {
        let reader = ScoreReader(view, fields)
        var numbers: [ViewID: Int] = [:]
        var numbersByName: [[UInt16]: Int] = [:]
        var counts: [(name: [UInt16], count: Int)] = []
        for position in positions {
            guard let places = reader.places(in: element(position)) else { continue }
            for place in 0..<places.contents.count
            where place != places.name && place != places.score && place != places.date {
                guard let key = view.item(place, of: places.contents).key else { continue }
                if numbers[key] == nil {
                    let name = view.text(key).map { Array($0.prefix(80)) } ?? []
                    numbers[key] = numbersByName[name] ?? counts.count
                    if numbersByName[name] == nil { counts.append((name, 0)) }
                    numbersByName[name] = numbers[key]
                }
                if let number = numbers[key] { counts[number].count += 1 }
            }
        }
        return counts.map { .scoresExtra($0.name, count: $0.count) }
    }
}
