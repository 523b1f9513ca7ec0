import Dispatch
import Synchronization

/// The result for one of many files.
protocol FileResult: Sendable {
    /// The number of bytes that the result holds until it is reported; 0 if they are few.
    var size: Int { get }
}

extension FileResult {
    var size: Int { 0 }
}

/// Reads many files and processes several at a time.
///
/// A file is read when its turn comes, and discarded after it is processed. Results are reported in the order of the
/// files.
struct ParallelFiles: Sendable {
    /// The folder that relative names start from.
    let folder: String
    /// The bytes of standard input, if it is one of the files.
    let input: [UInt8]

    /// The number of files that are processed at a time.
    static let workers = max(1, CurrentProcess.processorCount)

    /// The number of files in a batch, whose results are reported together. It is large enough to keep all processors
    /// busy.
    static let batchSize = 16 * workers

    /// The size of a batch's results, in bytes, above which no more files are started.
    private static let largestBatch = 64 << 20

    /// Returns the results of files in their order. A result is nil for a file that was found in a folder and is not a
    /// save. If the results are large, only the first ones are returned, and the caller repeats the call for the rest.
    ///
    /// - Parameters:
    ///   - body: Makes a result from the bytes of a file, or from the error in reading it.
    func results<Outcome: FileResult>(
        on files: ArraySlice<InputFile>, workers: Int = ParallelFiles.workers,
        _ body: @Sendable (Result<[UInt8], SystemError>, InputFile) -> Outcome
    ) -> [Outcome?] {
        let next = Atomic(files.startIndex)
        let held = Atomic(0)
        let results = Mutex([Outcome?](repeating: nil, count: files.count))
        DispatchQueue.concurrentPerform(iterations: max(1, min(workers, files.count))) { _ in
            while held.load(ordering: .relaxed) < Self.largestBatch {
                let position = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard position < files.endIndex else { return }
                guard let result = result(of: files[position], body) else { continue }
                held.wrappingAdd(result.size, ordering: .relaxed)
                results.withLock { $0[position - files.startIndex] = result }
            }
        }
        let count = min(next.load(ordering: .relaxed), files.endIndex) - files.startIndex
        return results.withLock { Array($0.prefix(count)) }
    }

    /// Passes the results of all files to `take`, batch by batch.
    ///
    /// - Parameter verb: The word for the activity in the display of progress, such as `searching`.
    /// - Returns: The skipped files, to be reported once the output is complete.
    func forEachBatch<Outcome: FileResult>(
        of files: [InputFile], verb: String, _ invocation: Invocation,
        _ body: @Sendable (Result<[UInt8], SystemError>, InputFile) -> Outcome, then take: ([Outcome]) throws -> Void
    ) throws -> SkippedFiles {
        defer { invocation.progress?.note(0, of: 0) }
        var skipped = SkippedFiles()
        var rest = files[...]
        while let first = rest.first {
            invocation.progress?.note(rest.startIndex, of: files.count)
            let results = invocation.during(verb, first.name) {
                self.results(on: rest.prefix(Self.batchSize), body)
            }
            try take(results.compactMap { $0 })
            for (file, result) in zip(rest, results) { skipped.note(file, isSave: result != nil) }
            rest = rest.dropFirst(results.count)
        }
        return skipped
    }

    private func result<Outcome>(
        of file: InputFile, _ body: (Result<[UInt8], SystemError>, InputFile) -> Outcome
    ) -> Outcome? {
        do throws(SystemError) {
            if let failure = file.failure { throw failure }
            if file.isBroken { return nil }
            return file.name == "-" ? body(.success(input), file) : try read(file, body)
        } catch {
            guard error == .noSuchFile, !file.isFound else { return body(.failure(error), file) }
            return body(Result { () throws(SystemError) in try GitRevision.read(file.name, from: folder) }, file)
        }
    }

    /// Ensures that files that may be large are read and processed one at a time.
    private static let turn = Mutex(())

    private func read<Outcome>(
        _ file: InputFile, _ body: (Result<[UInt8], SystemError>, InputFile) -> Outcome
    ) throws(SystemError) -> Outcome? {
        let path = FileSystem.path(file.name, from: folder)
        let descriptor = try Descriptor(opening: path, for: .reading)
        if file.isFound, !SaveDetection.hasKnownExtension(file.name) {
            guard file.filtering == nil else {
                let bytes = try descriptor.readSave(at: path)
                return file.isSave(bytes) ? body(.success(bytes), file) : nil
            }
            guard try SaveDetection.isSave(file.name, contents: descriptor) else { return nil }
        }
        guard try descriptor.status().mayBeLarge else {
            return body(.success(try descriptor.readSave(at: path)), file)
        }
        return try Self.turn.withLock { _ throws(SystemError) in
            body(.success(try descriptor.readSave(at: path)), file)
        }
    }
}

extension ParallelFiles {
    /// Prepares to read the given files.
    init(reading files: [InputFile], _ invocation: Invocation) throws {
        let readsInput = files.contains { $0.name == "-" }
        self.init(folder: invocation.folder, input: readsInput ? try invocation.read("-") : [])
    }
}
