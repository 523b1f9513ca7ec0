package import SaveCodec
import Synchronization

/// The nested saves of a file that is written as JSON. Each is shown as if it were a file of its own.
///
///     prefs  data 62 70 6C 69 73 74 …  ─▶  "prefs": {"$bplist": {"gems": 7}}
package final class NestedSaveRenderer: Sendable {
    private struct State {
        /// The number of bytes of JSON that the saves may still take.
        var room: Int
        var problem: Problem?
        var unopened = 0
        var commentCount = 0
    }

    private let options: WriteOptions
    private let nesting: NestedSaveOptions
    private let state: Mutex<State>

    /// - Parameters:
    ///   - imageSize: The `imageSize` of the document that is written, which determines the limits.
    ///   - nesting: The depth and the limits for opening saves.
    ///   - options: The style of the JSON.
    ///   - room: The number of bytes of JSON that all saves together may take; nil for the default.
    package init(imageSize: Int, _ nesting: NestedSaveOptions, _ options: WriteOptions, room: Int? = nil) {
        self.options = options
        // Saves at deeper levels could not be read back.
        let levels = min(nesting.levels, NestedSaveText.maxLevel)
        self.nesting = NestedSaveOptions(levels: levels, limits: nesting.limits, isRaw: nesting.isRaw).opened(
            for: imageSize)
        state = Mutex(State(room: room ?? nesting.limits.maxShownByteCount(of: imageSize)))
    }

    /// The number of data values that begin like a property list but are written as data.
    ///
    /// They are unreadable, or JSON cannot represent them completely.
    package var unopenedCount: Int { state.withLock { $0.unopened } }
    /// The number of comments in nested texts, which the JSON does not contain.
    package var commentCount: Int { state.withLock { $0.commentCount } }

    /// Calls `write` with options that show nested saves, and outputs the JSON that it writes.
    ///
    /// - Throws: A problem, before anything is written, if the saves are far larger than the document.
    package func write(
        to output: inout ByteWriter, _ write: (WriteOptions, inout ByteWriter) throws(Problem) -> Void
    ) throws(Problem) {
        var text = ByteWriter()
        var options = options
        if nesting.levels > 0 { options.nested = { [self] in open($0, nesting, isOutermost: true) } }
        try write(options, &text)
        if let problem = state.withLock({ $0.problem }) { throw problem }
        let bytes = text.takeBytes()
        // A short text may describe far larger data, which readers would refuse.
        do throws(Problem) {
            _ = try Document.readSave(bytes, as: .json, limits: nesting.limits)
        } catch {
            // The location is in a text that the user never sees.
            var problem = error
            problem.location = nil
            throw problem
        }
        output.write(bytes)
    }

    private func open(_ data: ArraySlice<UInt8>, _ nesting: NestedSaveOptions, isOutermost: Bool) -> OpenedNestedSave? {
        // A nested save in a read-only format could not be written back.
        guard let format = NestedSaveOptions.format(of: data), format.writing != nil,
            state.withLock({ $0.problem == nil })
        else { return nil }
        do throws(Problem) {
            let inner = try nesting.within(data.count)
            guard let write = writer(Array(data), as: format, inner) else {
                state.withLock { $0.unopened += 1 }
                return nil
            }
            return OpenedNestedSave(as: format, isOutermost ? bounded(write) : write)
        } catch {
            state.withLock { $0.problem = error }
            return nil
        }
    }

    /// Returns a function that writes a save, or nil if the save is unreadable or its JSON would be incomplete.
    private func writer(_ bytes: [UInt8], as format: Format, _ inner: NestedSaveOptions?) -> OpenedNestedSave.Writer? {
        let limits = nesting.limits
        // Bytes that a reader warns about, such as text after a property list, are not in the document.
        guard let document = try? Document.read(bytes, as: format, limits: limits),
            document.warnings.allSatisfy({ Self.representableWarnings.contains($0.kind.id) }),
            document.losses(as: format, limits: limits).isEmpty,
            // The tag in the JSON names the format, but cannot record that an XML file uses short element names.
            format.writing?.nearestStyle(to: bytes).hasShortTags != true
        else { return nil }
        var options = options
        if let inner { options.nested = { [self] in open($0, inner, isOutermost: false) } }
        guard let write = contents(document, options) else { return nil }
        let text = (try? format.definition.utf8Text(of: bytes)) ?? []
        let count = format.definition.comments(in: text).count
        state.withLock { $0.commentCount += count }
        return write
    }

    /// The warnings of readers about values that JSON can represent, and about bytes that are no value.
    private static let representableWarnings: Set<String> = ["binary.null", "binary.wide-integer", "binary.gap"]

    private func contents(_ document: Document, _ options: WriteOptions) -> OpenedNestedSave.Writer? {
        let limits = nesting.limits
        guard !nesting.isRaw, KeyedArchive.isArchive(document) else {
            guard (try? document.checkExpansion(limits)) != nil else { return nil }
            return { indentation, output in
                JSONWriter.writeValue(
                    of: document, root: document.root, indentation: indentation, options: options, to: &output)
            }
        }
        guard let archive = try? KeyedArchive(document, limits: limits), GraphJSON.losses(in: archive).isEmpty,
            let scan = try? GraphJSON.scan(archive, limits)
        else { return nil }
        return { indentation, output in
            var writer = GraphJSONWriter(archive, scan: scan, options: options, indentation: indentation)
            writer.write(to: &output)
        }
    }

    /// Returns a writer that fails if the remaining room is exceeded, because a few bytes may describe much text.
    private func bounded(_ write: @escaping OpenedNestedSave.Writer) -> OpenedNestedSave.Writer {
        { [self] indentation, output in
            do throws(Problem) {
                let room = state.withLock { $0.room }
                let text = try NestedSaveText.bytes(within: room) { write(indentation, &$0) }
                state.withLock { $0.room -= text.count }
                output.write(text)
            } catch {
                state.withLock { $0.problem = error }
            }
        }
    }
}
