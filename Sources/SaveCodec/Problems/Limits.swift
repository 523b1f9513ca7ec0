/// The limits beyond which a reader or writer refuses a file.
public struct Limits: Sendable {
    /// The maximum number of containers nested in one another. The default is 512, as in Core Foundation.
    public var maxDepth: Int

    /// The expanded size allowed per byte of the file.
    ///
    /// The expanded size is the number of objects plus the bytes of their contents, with all shared objects written
    /// out.
    public var expansionFactor: Int

    /// The expanded size allowed for a file of any size, to which the size allowed by ``expansionFactor`` is added.
    public var expansionFloor: Int

    /// The factor that multiplies the limits on sizes and value counts, but not those on depth.
    public var workFactor: Int

    /// The byte count of the file as it is stored, if its contents are larger because layers were removed; otherwise
    /// nil. Limits that depend on a size then allow little or nothing for the bytes of the contents beyond this count.
    var storedSize: Int?

    /// Creates limits, with defaults for omitted ones.
    public init(
        maxDepth: Int = 512, expansionFactor: Int = 64, expansionFloor: Int = 4 << 20, workFactor: Int = 1
    ) {
        self.maxDepth = maxDepth
        self.expansionFactor = expansionFactor
        self.expansionFloor = expansionFloor
        self.workFactor = workFactor
    }
}

// MARK: Work

extension Limits {
    /// Returns the maximum number of bytes that may be read to search a file of a given size.
    ///
    /// Objects of a binary file may overlap, so their total size can far exceed the size of the file.
    package func maxReadByteCount(of size: Int) -> Int {
        let stored = storedPart(of: size)
        return work(16, stored, besides: size - stored)
    }

    /// Returns the maximum number of bytes that may be written to show a file of a given size.
    package func maxShownByteCount(of size: Int) -> Int {
        let stored = storedPart(of: size)
        return work(64, stored, besides: (size - stored).multipliedSaturated(by: 4))
    }

    /// Returns the maximum number of values in a file of a given size.
    ///
    /// A value takes at least one byte, so only the contents of a compressed file and the rows of a database can exceed
    /// this limit.
    func maxValueCount(of size: Int) -> Int {
        storedPart(of: size).multipliedSaturated(by: 4).addingSaturated(1 << 20).multipliedSaturated(by: workFactor)
    }

    /// Returns the maximum byte count of contents that are searched for the cause of damage, in a file of a given size.
    ///
    /// Only the contents of a compressed file can exceed it.
    func maxDiagnosedByteCount(of size: Int) -> Int {
        storedPart(of: size).multipliedSaturated(by: 64).addingSaturated(1 << 20).multipliedSaturated(by: workFactor)
    }

    /// Returns the maximum total number of bytes that the layers of a file of a given size may decode to.
    ///
    /// This is 64 MiB plus 256 times the size, and at most 2 GiB, both multiplied by ``workFactor``.
    package func maxDecodedByteCount(of size: Int) -> Int {
        min(work(256, size), (2 << 30).multipliedSaturated(by: workFactor))
    }

    /// Throws if a repair of a file of a given size has found more values and losses than the file may have.
    func check(valueCount: Int, inFileOf size: Int) throws(Problem) {
        let allowed = maxValueCount(of: size)
        if valueCount > allowed { throw .tooManyValues(allowed) }
    }

    private func storedPart(of size: Int) -> Int { min(size, storedSize ?? size) }

    private func work(_ factor: Int, _ size: Int, besides rest: Int = 0) -> Int {
        size.multipliedSaturated(by: factor).addingSaturated(rest).addingSaturated(64 << 20)
            .multipliedSaturated(by: workFactor)
    }
}

extension Int {
    /// Returns the sum, or `Int.max` on overflow.
    package func addingSaturated(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// Returns the product, or `Int.max` on overflow.
    package func multipliedSaturated(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
