import SaveCodec

/// The two files that are compared, as the operands name them.
struct DiffOperands {
    /// One of the files.
    struct File {
        /// What is read; nil for a file that is not there.
        let name: String?
        /// What messages and reports call it.
        let title: String
    }

    let before: File
    let after: File
    /// The path of the file in the repository, if git is the caller.
    let path: String?
    /// The permissions before and after, if git says that they changed.
    private(set) var modes: (String, String)?

    /// The file that is not there, in what git says.
    static let absent = "/dev/null"

    init(_ arguments: Arguments) throws(UsageError) {
        let operands = arguments.operands
        guard arguments.has(.git) else {
            guard operands.count == 2 else { throw .operandCount(operands.count, expected: "two files to compare") }
            guard operands != ["-", "-"] else { throw .inputTwice }
            before = File(name: operands[0], title: operands[0])
            after = File(name: operands[1], title: operands[1])
            path = nil
            return
        }
        // Of a renamed file git adds the new path and what it says of it; of an unmerged one it gives the path alone.
        guard [1, 7, 9].contains(operands.count) else {
            throw .operandCount(
                operands.count, expected: "those of a diff driver: PATH FILE HASH MODE FILE HASH MODE")
        }
        let newPath = operands.count == 9 ? operands[7] : operands[0]
        path = newPath
        before = Self.file(operands, 1, "a/" + operands[0])
        after = Self.file(operands, 4, "b/" + newPath)
        guard operands.count > 1, operands[3] != operands[6], operands[3] != ".", operands[6] != "." else { return }
        modes = (operands[3], operands[6])
    }

    private static func file(_ operands: [String], _ position: Int, _ title: String) -> File {
        let name = position < operands.count && operands[position] != absent ? operands[position] : nil
        return File(name: name, title: title)
    }
}
