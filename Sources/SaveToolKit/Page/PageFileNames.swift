import SaveCodec

/// The names of files in pages. People show pages to each other, and the folders that all files are in are private:
///
///     /volumes/ada/game/saves/slot1.save  ─▶  saves/slot1.save
///     /volumes/ada/game/old/slot1.save    ─▶  old/slot1.save
///
/// If the files have only the root folder in common, as many folders are shown as distinguish the names.
enum PageFileNames {
    /// Returns the names relative to the folder that all files are in. Names that do not begin at the same folder stay
    /// as they are.
    ///
    /// - Parameter areFull: Whether the names are returned unchanged.
    static func of(_ names: [String], areFull: Bool) -> [String] {
        // Standard input is not in a folder.
        let paths = names.filter { $0 != "-" }.map(steps)
        guard !areFull, let first = paths.first else { return names }
        var common = first.count - 1
        for path in paths {
            let pairs = zip(first.prefix(common), path.dropLast())
            common = pairs.prefix { $0.elementsEqual($1) }.count
        }
        let isRoot = common == 1 && first[0].isEmpty && paths.count > 1
        let shown = isRoot ? distinct(paths) : paths.map { $0.dropFirst(common) }
        var rest = shown[...]
        return names.map { name in
            guard name != "-", let steps = rest.popFirst() else { return name }
            return steps.map { String(Substring($0)) }.joined(separator: "/")
        }
    }

    /// Returns the names on the way to a file or folder. The name of a folder may end with a slash.
    private static func steps(_ name: String) -> [Substring.UTF8View] {
        var steps = name.utf8.split(separator: slash, omittingEmptySubsequences: false)
        if steps.count > 1, steps.last?.isEmpty == true { steps.removeLast() }
        return steps
    }

    /// Returns the last steps of each path, as many as make different paths different.
    private static func distinct(_ paths: [[Substring.UTF8View]]) -> [ArraySlice<Substring.UTF8View>] {
        func count(_ steps: Int) -> Int { Set(paths.map { $0.suffix(steps).map { String(Substring($0)) } }).count }
        let most = paths.reduce(1) { max($0, $1.count) }
        let wanted = count(most)
        // The number of different names never falls with more steps.
        var (steps, enough) = (1, most)
        while steps < enough {
            let middle = (steps + enough) / 2
            if count(middle) == wanted { enough = middle } else { steps = middle + 1 }
        }
        return paths.map { $0.suffix(steps) }
    }

    private static let slash = UInt8(ascii: "/")
}

extension Arguments {
    /// Returns the names for a page about files, safe to print.
    func pageNames(_ names: [String]) -> [String] {
        PageFileNames.of(names, areFull: has(.fullPath)).map(Invocation.shownName)
    }
}

extension Option {
    static let fullPath = Option("full-path", for: .output, help: "html: show whole paths")
}
