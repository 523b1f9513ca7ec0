import SaveCodec
import SaveOperations

/// Writes the numbers of a document, below its headline:
///
///     root         dictionary
///     objects      24: 3 containers, 21 scalars
///     keys         8
///     depth        2 containers within each other
///     shared       1 container, referred to more than once
///     unreachable  none
///
///     kind               objects     contents        bytes
///     dictionary               2            4
///     string                   4                        31
struct SummaryRenderer {
    let summary: Summary
    /// The defaults under the file, and how they lie there; nil if there are none.
    let lower: (file: DefaultsFile, layers: PreferenceLayers)?
    let text: SummaryText

    /// Writes the summary.
    func render(to output: inout ByteWriter) {
        writeFacts(to: &output)
        text.writeTable("kind", [noun, "contents", "bytes"], rows, to: &output)
    }

    private func writeFacts(to output: inout ByteWriter) {
        let containers = ValueKind.containers.reduce(0) { $0 + (summary.tallies[$1]?.objects ?? 0) }
        let parts = [Grouped.of(containers, "container"), Grouped.of(summary.reachable - containers, "scalar")]
        text.writeFact("root", summary.root.rawValue, to: &output)
        text.writeFact(
            noun, Grouped.of(summary.reachable) + ": " + parts.joined(separator: ", "), to: &output)
        text.writeFact("keys", Grouped.of(summary.keys), to: &output)
        text.writeFact("depth", Grouped.of(summary.depth, "container") + " within each other", to: &output)
        if !summary.isText { writeReferences(to: &output) }
        if let payloads = SummaryText.payloads(summary.payloads) { text.writeFact("in data", payloads, to: &output) }
        if let (_, layers) = lower { text.writeFact("origins", OriginNote.summary(layers), to: &output) }
    }

    /// The parts of a binary file, and of a text.
    private var noun: String { summary.isText ? "values" : "objects" }

    private func writeReferences(to output: inout ByteWriter) {
        text.writeFact(
            "shared",
            SummaryText.objects(
                [(summary.sharedContainers, "container"), (summary.sharedScalars, "scalar")],
                "referred to more than once"), to: &output)
        text.writeFact(
            "unreachable", SummaryText.objects([(summary.unreachable, "object")], "the root does not lead there"),
            to: &output)
    }

    private var rows: [Table.Row] {
        (ValueKind.containers + ValueKind.scalars).compactMap { kind in
            guard let tally = summary.tallies[kind] else { return nil }
            let isContainer = ValueKind.containers.contains(kind)
            return Table.Row(cells: [
                .text(kind.rawValue), .literal(Grouped.of(tally.objects)),
                .literal(isContainer ? Grouped.of(tally.contents) : ""),
                .literal(isContainer ? "" : Grouped.of(tally.bytes)),
            ])
        }
    }
}

extension ValueKind {
    fileprivate static let containers: [ValueKind] = [.dictionary, .array, .set]
    fileprivate static let scalars: [ValueKind] = [.string, .integer, .real, .boolean, .date, .data, .uid, .null]
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
