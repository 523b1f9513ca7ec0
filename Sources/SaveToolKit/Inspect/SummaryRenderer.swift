import SaveCodec
import SaveOperations

/// Writes the numbers of a document:
///
///     binary property list, 214 bytes
///     root: dictionary
///     depth: 3
///     objects: 12 (2 containers and 1 scalar shared, 0 unreachable)
///     keys: 4
///
///     kind        objects  contents     bytes
///     dictionary        2         4
///     string            4                  31
struct SummaryRenderer {
    let summary: Summary
    let format: Format
    /// The size of the file in bytes.
    let size: Int
    /// The defaults under the file, and how they lie there; nil if there are none.
    let lower: (file: DefaultsFile, layers: PreferenceLayers)?

    /// Writes the summary.
    func render(to output: inout ByteWriter) {
        output.write("\(format.title), \(Counted.of(size, "byte"))")
        if let (file, _) = lower { output.write(", over \(file.format.title), \(Counted.of(file.size, "byte"))") }
        output.write("\n")
        output.write("root: \(summary.root.rawValue)\n")
        output.write("depth: \(summary.depth)\n")
        output.write("objects: \(summary.reachable)\(remarks)\n")
        output.write("keys: \(summary.keys)\n")
        if let (_, layers) = lower { output.write("origins: \(OriginNote.summary(layers))\n") }
        let payloads = Payload.allCases.compactMap { kind in
            summary.payloads[kind].map { Counted.of($0, kind.rawValue) }
        }
        if !payloads.isEmpty { output.write("nested: \(payloads.joined(separator: ", "))\n") }
        output.write("\n")
        writeRow(("kind", "objects", "contents", "bytes"), to: &output)
        for kind in NodeKind.allCases {
            guard let tally = summary.tallies[kind] else { continue }
            let isContainer = [.dictionary, .array, .set].contains(kind)
            writeRow(
                (
                    kind.rawValue, "\(tally.objects)", isContainer ? "\(tally.contents)" : "",
                    isContainer ? "" : "\(tally.bytes)"
                ), to: &output)
        }
    }

    private var remarks: String {
        var remarks: [String] = []
        if summary.sharedContainers > 0 { remarks.append(Counted.of(summary.sharedContainers, "shared container")) }
        if summary.sharedScalars > 0 { remarks.append(Counted.of(summary.sharedScalars, "shared scalar")) }
        if summary.unreachable > 0 { remarks.append("\(summary.unreachable) more unreachable") }
        return remarks.isEmpty ? "" : ", " + remarks.joined(separator: ", ")
    }

    private func writeRow(_ cells: (String, String, String, String), to output: inout ByteWriter) {
        var line = cells.0 + String(repeating: " ", count: max(0, 10 - cells.0.utf8.count))
        for cell in [cells.1, cells.2, cells.3] {
            line += String(repeating: " ", count: max(1, 12 - cell.utf8.count)) + cell
        }
        while line.hasSuffix(" ") { line.removeLast() }
        output.write(line + "\n")
    }
}

extension Format {
    /// What the format is called in a sentence.
    var title: String {
        definition.title
    }

    /// The title behind "in".
    var titleWithArticle: String {
        definition.article + title
    }
}
