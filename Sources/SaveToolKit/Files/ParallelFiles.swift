import Dispatch
import Synchronization

/// What comes of one of many files.
protocol FileResult: Sendable {
    /// The number of bytes that it holds until it is told; 0 if they are few.
    var size: Int { get }
}

extension FileResult {
    var size: Int { 0 }
}

/// Reads files and does something with each, several at a time. A file is read when its turn comes and forgotten when it
/// is done; what comes of it is told in the order of the files.
struct ParallelFiles: Sendable {
    /// The folder that relative names start from.
    let folder: String
    /// What standard input holds, if that is to be read.
    let input: [UInt8]

    /// How many files are read at a time.
    static let workers = max(1, Process.processorCount)

    /// As many files are read before what came of them is told: enough to keep all processors busy.
    static let batchSize = 16 * workers

    /// What comes of files before it is told may take so many bytes, and that of one more file for each worker.
    private static let largestBatch = 64 << 20

    /// What comes of files, in their order; nil for those that were found in a folder and are none of ours. Of the first
    /// files only, if it takes much memory.
    ///
    /// - Parameters:
    ///   - body: makes a result of the bytes of a file, or of why it cannot be read.
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

    /// Does something with what comes of all files, batch by batch.
    ///
    /// - Parameter verb: what is done, for the display of progress: `searching`.
    func forEachBatch<Outcome: FileResult>(
        of files: [InputFile], verb: String, _ invocation: Invocation,
        _ body: @Sendable (Result<[UInt8], SystemError>, InputFile) -> Outcome, then take: ([Outcome]) throws -> Void
    ) throws {
        defer { invocation.progress?.note(0, of: 0) }
        var rest = files[...]
        while let first = rest.first {
            invocation.progress?.note(rest.startIndex, of: files.count)
            let results = invocation.during(verb, first.name) {
                self.results(on: rest.prefix(Self.batchSize), body)
            }
            try take(results.compactMap { $0 })
            rest = rest.dropFirst(results.count)
        }
    }

    private func result<Outcome>(
        of file: InputFile, _ body: (Result<[UInt8], SystemError>, InputFile) -> Outcome
    ) -> Outcome? {
        do throws(SystemError) {
            if let failure = file.failure { throw failure }
            return file.name == "-" ? body(.success(input), file) : try read(file, body)
        } catch {
            return body(.failure(error), file)
        }
    }

    /// What may take much memory is read and used one at a time.
    private static let turn = Mutex(())

    private func read<Outcome>(
        _ file: InputFile, _ body: (Result<[UInt8], SystemError>, InputFile) -> Outcome
    ) throws(SystemError) -> Outcome? {
        let path = FileSystem.path(file.name, from: folder)
        let descriptor = try Descriptor(opening: path, for: .reading)
        if file.isFound, !FoundFile.hasTellingName(file.name) {
            guard FoundFile.hasTellingHead(try descriptor.read(at: 0, count: FoundFile.headSize), file.name)
            else { return nil }
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
    /// Reads these files.
    init(reading files: [InputFile], _ invocation: Invocation) throws {
        let readsInput = files.contains { $0.name == "-" }
        self.init(folder: invocation.folder, input: readsInput ? try invocation.read("-") : [])
    }
}
