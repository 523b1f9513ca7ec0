/// The parsed C types of a typedstream, in the notation of Objective-C's `@encode`:
///
///     "i{_NSPoint=ff}[2@]"      i   {   f   f   [   @        a type precedes the types that it consists of
///                               1   4   3   4   6   6        and has the number of the type after them
struct TypeEncodings {
    /// A type. The structure is small, because every letter of a file may be a type.
    struct Node {
        fileprivate let start: Int
        fileprivate var length: UInt32 = 0
        /// The number of the following type.
        fileprivate var following: UInt32 = 0
        /// The element count of an array.
        fileprivate let elements: UInt32
        /// The letter or opening bracket.
        let code: UInt8

        var count: Int { Int(elements) }
        var end: Int { Int(following) }
        var text: Range<Int> { start..<start + Int(length) }
    }

    /// The types in a shared string.
    struct List {
        let types: Range<Int>
        /// The first type in the list, at any depth, whose values take bytes.
        let firstStored: Int?
    }

    /// The type of objects in streams of version 3, which do not write it.
    static let object = 0

    private(set) var nodes = [Node(start: 0, following: 1, elements: 0, code: UInt8(ascii: "@"))]
    /// The parsed shared strings by number. Streams refer to the same string repeatedly, and a short string can
    /// describe many values.
    private var parsed: [Int: Result<List, Problem>] = [:]

    /// Returns the types in a shared string.
    ///
    /// - Throws: A problem with its location if the string is invalid.
    mutating func list(
        ofString number: Int, at text: Range<Int>, in bytes: [UInt8], maxDepth: Int
    ) throws(Problem) -> List {
        if let known = parsed[number] { return try known.get() }
        let list = Result { () throws(Problem) in try parse(text, in: bytes, maxDepth: maxDepth) }
        parsed[number] = list
        return try list.get()
    }

    private mutating func parse(_ text: Range<Int>, in bytes: [UInt8], maxDepth: Int) throws(Problem) -> List {
        let first = nodes.count
        var parser = TypeParser(text, in: bytes, after: nodes, maxDepth: maxDepth)
        // Gives the parser the only copy, so that appending does not copy the array.
        nodes = []
        let outcome = Result { () throws(Problem) in try parser.run() }
        nodes = parser.nodes
        try outcome.get()
        let types = first..<nodes.count
        return List(types: types, firstStored: firstStored(types))
    }

    private func firstStored(_ types: Range<Int>) -> Int? {
        var type = types.lowerBound
        while type < types.upperBound {
            switch nodes[type].code {
            case UInt8(ascii: "["): type = nodes[type].count == 0 ? nodes[type].end : type + 1
            case UInt8(ascii: "{"), UInt8(ascii: "!"): type += 1
            default: return type
            }
        }
        return nil
    }

    /// Whether bytes of the file are a valid list of types.
    static func areTypes(_ text: Range<Int>, in bytes: [UInt8], maxDepth: Int) -> Bool {
        var parser = TypeParser(text, in: bytes, after: [], maxDepth: maxDepth)
        return (try? parser.run()) != nil
    }
}

/// A parser of type lists, which appends to the types that were parsed before.
private struct TypeParser {
    private let bytes: [UInt8]
    private let text: Range<Int>
    private let maxDepth: Int
    private var position: Int
    private var open: [Int] = []
    private(set) var nodes: [TypeEncodings.Node]

    init(_ text: Range<Int>, in bytes: [UInt8], after nodes: [TypeEncodings.Node], maxDepth: Int) {
        (self.text, self.bytes, self.nodes, self.maxDepth) = (text, bytes, nodes, maxDepth)
        position = text.lowerBound
    }

    mutating func run() throws(Problem) {
        guard !text.isEmpty else {
            throw Problem("typedstream.type", "the type of a value is empty", at: .byte(position))
        }
        while position < text.upperBound {
            let code = bytes[position]
            switch code {
            case UInt8(ascii: "["): try openArray()
            case UInt8(ascii: "{"): try openStruct()
            case UInt8(ascii: "]"), UInt8(ascii: "}"): try close(code)
            default:
                guard Self.simple.contains(code) else { throw .unknownType(code, at: position) }
                add(code)
                end(nodes.count - 1)
            }
        }
        if let unclosed = open.last {
            throw Problem(
                "typedstream.type", "\"\(Unicode.Scalar(nodes[unclosed].code))\" in a type is not closed",
                at: .byte(nodes[unclosed].start))
        }
    }

    private static let simple = Set("cCsSiIlLqQBfd*@#:%+!".utf8)

    /// Adds a type whose end is not known yet.
    private mutating func add(_ code: UInt8, count: Int = 0, length: Int = 1) {
        nodes.append(TypeEncodings.Node(start: position, elements: UInt32(count), code: code))
        position += length
    }

    /// Ends a type at the position, so that the next one follows it.
    private mutating func end(_ type: Int) {
        nodes[type].length = UInt32(truncatingIfNeeded: position - nodes[type].start)
        nodes[type].following = UInt32(truncatingIfNeeded: nodes.count)
    }

    private mutating func begin(_ code: UInt8, count: Int = 0, length: Int) throws(Problem) {
        // The property list of the values adds containers around them.
        guard open.count + 3 < maxDepth else { throw .tooDeep(maxDepth, at: .byte(position)) }
        open.append(nodes.count)
        add(code, count: count, length: length)
    }

    private mutating func openArray() throws(Problem) {
        let digits = bytes[(position + 1)..<text.upperBound].prefix(while: \.isDigit)
        var count = 0
        for digit in digits {
            // The count was below 2³² before, so this step stays below 2³⁶.
            count = 10 * count + Int(digit - 0x30)
            guard count <= Int(UInt32.max) else {
                throw Problem(
                    "typedstream.type", "the type of an array has more than 4294967295 elements", at: .byte(position))
            }
        }
        guard !digits.isEmpty else {
            throw Problem("typedstream.type", "the type of an array has no element count", at: .byte(position))
        }
        try begin(UInt8(ascii: "["), count: count, length: 1 + digits.count)
    }

    /// Begins a struct, and moves past its name and `=` if it has a name.
    private mutating func openStruct() throws(Problem) {
        let name = bytes[(position + 1)..<text.upperBound].prefix { !"=[](){}".utf8.contains($0) }
        let isNamed = name.endIndex < text.upperBound && bytes[name.endIndex] == UInt8(ascii: "=")
        try begin(UInt8(ascii: "{"), length: isNamed ? name.count + 2 : 1)
    }

    private mutating func close(_ bracket: UInt8) throws(Problem) {
        guard let begun = open.popLast(), nodes[begun].code == bracket - 2 else {
            throw Problem(
                "typedstream.type", "\"\(Unicode.Scalar(bracket))\" in a type has no opening bracket",
                at: .byte(position))
        }
        position += 1
        guard bracket == UInt8(ascii: "}") || begun + 1 < nodes.count else {
            throw Problem("typedstream.type", "the type of an array has no element type", at: .byte(nodes[begun].start))
        }
        end(begun)
    }
}

extension Problem {
    fileprivate static func unknownType(_ code: UInt8, at offset: Int) -> Problem {
        if code == UInt8(ascii: "(") {
            return Problem(
                "typedstream.type", "found a union; its size is known only to the machine that wrote it",
                at: .byte(offset))
        }
        let isPrintable = (0x21...0x7E).contains(code)
        let found = isPrintable ? "\"\(Unicode.Scalar(code))\"" : Hexadecimal.prefixed(code)
        return Problem(
            "typedstream.type", "found \(found) in a type; expected one of cCsSiIlLqQBfd*%:@#+!{[", at: .byte(offset))
    }
}
