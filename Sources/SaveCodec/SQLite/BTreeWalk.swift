/// A cell of a b-tree: its offset, its rowid (0 in an index), and the range of its payload.
struct BTreeCell {
    let offset: Int
    let rowid: Int64
    /// The offset of the payload.
    let start: Int
    /// The number of payload bytes on the cell's own page.
    let localSize: Int
    /// The size of the whole payload in bytes. If it exceeds `localSize`, the rest is on overflow pages, and the number
    /// of the first of them follows the local bytes.
    let size: Int

    var isWhole: Bool { localSize == size }
}

/// The set of pages read so far. A page can be added only once. Therefore no b-tree or list of overflow pages can
/// contain a cycle, and all of them together are no larger than the file.
struct VisitedPages {
    private var used = Bitmap(count: 0)

    /// Creates an empty set that cannot take pages.
    init() {}

    init(_ file: DatabaseFile) {
        used = Bitmap(count: file.pageCount + 1)
    }

    /// Adds a page to the set.
    ///
    /// - Parameters:
    ///   - what: A description of the reference to the page, for messages.
    ///   - position: The offset of the reference.
    /// - Throws: A problem if the page does not exist or is already in the set.
    mutating func take(
        _ number: Int, of file: DatabaseFile, for what: @autoclosure () -> String, at position: Int
    ) throws(Problem) {
        guard number >= 1, number <= file.pageCount else {
            throw Problem(
                "sqlite.page-range",
                "\(what()) is page \(number); the file has \(Phrase.count(file.pageCount, "page"))",
                at: .byte(position))
        }
        guard !used.contains(number) else {
            throw Problem(
                "sqlite.page-shared", "\(what()) is page \(number), which is in use elsewhere", at: .byte(position))
        }
        used.insert(number)
    }

    func contains(_ number: Int) -> Bool { used.contains(number) }
}

/// An iterator over the cells of a b-tree in key order, which checks each page it visits.
///
///     table    interior page   child │ rowid 7 │ child │ rowid 15 │ last child      rowids only guide the search
///              leaf page       size, rowid 1, payload │ size, rowid 2, payload │ …
///     index    interior page   child │ payload │ child │ payload │ last child        payloads are entries too
///              leaf page       payload │ payload │ …
///
/// The rows of a `WITHOUT ROWID` table are entries of an index. Each thrown problem concerns one page, cell or list of
/// overflow pages. The caller can request the next cell after an error.
struct BTreeWalk {
    enum Kind {
        case table, index
    }

    private struct Page {
        let number: Int
        /// The offset of the b-tree header. On page 1 it follows the file header.
        let header: Int
        let isLeaf: Bool
        let cellCount: Int
        /// The number of bytes left for cells. A negative number would mean that cells overlap.
        var room: Int
        /// The number of the next step. The steps of a leaf are its cells; the steps of an interior page alternate
        /// between children and cells, beginning and ending with a child.
        var next = 0

        var pointers: Int { header + (isLeaf ? 8 : 12) }
    }

    private let kind: Kind
    private let root: (number: Int, location: Int)
    private let title: String
    private var stack: [Page] = []
    private var hasStarted = false
    private var lastRowid: Int64?

    /// - Parameters:
    ///   - root: The number of the root page.
    ///   - position: The offset of that number.
    ///   - table: The name of the table, for messages.
    init(_ kind: Kind, from root: Int, at position: Int, of table: String) {
        self.kind = kind
        self.root = (root, position)
        title = "the root of the table \(Phrase.quoted(table))"
    }

    /// Returns the next cell, or nil at the end.
    mutating func next(in file: DatabaseFile, _ pages: inout VisitedPages) throws(Problem) -> BTreeCell? {
        if !hasStarted {
            hasStarted = true
            let title = title
            try enter(root.number, of: file, &pages, for: title, at: root.location)
        }
        while let page = stack.last {
            let position = page.next
            guard position < (page.isLeaf ? page.cellCount : 2 * page.cellCount + 1) else {
                stack.removeLast()
                continue
            }
            stack[stack.count - 1].next += 1
            if page.isLeaf {
                return try cell(position, of: page, in: file, &pages)
            } else if position % 2 == 0 {
                try enterChild(position / 2, of: page, in: file, &pages)
            } else if kind == .index {
                return try cell(position / 2, of: page, in: file, &pages)
            } else {
                try checkKey(position / 2, of: page, in: file)
            }
        }
        return nil
    }

    // MARK: Pages

    private mutating func enter(
        _ number: Int, of file: DatabaseFile, _ pages: inout VisitedPages, for what: @autoclosure () -> String,
        at position: Int
    ) throws(Problem) {
        try pages.take(number, of: file, for: what(), at: position)
        let header = file.start(ofPage: number) + (number == 1 ? DatabaseFile.headerSize : 0)
        let flags = file.bytes[header]
        let isLeaf = flags == (kind == .table ? 13 : 10)
        guard isLeaf || flags == (kind == .table ? 5 : 2) else {
            throw Problem(
                "sqlite.page-kind",
                "page \(number) begins with \(flags); expected \(kind == .table ? "5 or 13" : "2 or 10") for a page of "
                    + (kind == .table ? "a table" : "a table without rowid"), at: .byte(header))
        }
        let count = Int(file.bytes.bigEndian(at: header + 3, width: 2))
        let room = file.start(ofPage: number) + file.usableSize - (header + (isLeaf ? 8 : 12)) - 2 * count
        guard room >= 0 else {
            throw Problem(
                "sqlite.cell-count", "page \(number) has a cell count of \(count), more than it has room for",
                at: .byte(header + 3))
        }
        stack.append(Page(number: number, header: header, isLeaf: isLeaf, cellCount: count, room: room))
    }

    private mutating func enterChild(
        _ position: Int, of page: Page, in file: DatabaseFile, _ pages: inout VisitedPages
    ) throws(Problem) {
        let offset = position == page.cellCount ? page.header + 8 : try offset(ofCell: position, of: page, in: file)
        let child = Int(file.bytes.bigEndian(at: offset, width: 4))
        try enter(child, of: file, &pages, for: "child \(position) of page \(page.number)", at: offset)
    }

    /// Returns the offset of a cell, which must be after the cell pointers and at least four bytes before the end of
    /// the page.
    private func offset(ofCell position: Int, of page: Page, in file: DatabaseFile) throws(Problem) -> Int {
        let pointerOffset = page.pointers + 2 * position
        let pointer = Int(file.bytes.bigEndian(at: pointerOffset, width: 2))
        let offset = file.start(ofPage: page.number) + pointer
        guard offset >= page.pointers + 2 * page.cellCount, pointer <= file.usableSize - 4 else {
            throw Problem(
                "sqlite.cell-range",
                "cell \(position) of page \(page.number) is at \(pointer), outside the page content",
                at: .byte(pointerOffset))
        }
        return offset
    }

    // MARK: Cells

    private mutating func cell(
        _ position: Int, of page: Page, in file: DatabaseFile, _ pages: inout VisitedPages
    ) throws(Problem) -> BTreeCell {
        let offset = try offset(ofCell: position, of: page, in: file)
        let end = file.start(ofPage: page.number) + file.usableSize
        guard let cell = BTreeCell(at: offset, kind, isLeaf: page.isLeaf, before: end, in: file) else {
            throw Problem(
                "sqlite.cell-length", "cell \(position) of page \(page.number) extends beyond the page",
                at: .byte(offset))
        }
        let size = max(cell.end - offset, 4)
        stack[stack.count - 1].room -= size
        guard stack[stack.count - 1].room >= 0 else {
            throw Problem(
                "sqlite.cell-overlap",
                "the cells of page \(page.number) overlap; together they are larger than the page",
                at: .byte(offset))
        }
        if kind == .table { try checkOrder(of: cell.rowid, at: offset, on: page, isKey: false) }
        try checkOverflow(of: cell, in: file, &pages)
        return cell
    }

    /// Checks that the key of an interior page of a table is not smaller than any rowid before it.
    private mutating func checkKey(_ position: Int, of page: Page, in file: DatabaseFile) throws(Problem) {
        let offset = try offset(ofCell: position, of: page, in: file)
        var end = offset + 4
        guard
            let key = DatabaseFile.varint(
                in: file.bytes, at: &end, before: file.start(ofPage: page.number) + file.usableSize)
        else {
            throw Problem(
                "sqlite.cell-length", "cell \(position) of page \(page.number) extends beyond the page",
                at: .byte(offset))
        }
        try checkOrder(of: key, at: offset, on: page, isKey: true)
    }

    private mutating func checkOrder(
        of rowid: Int64, at offset: Int, on page: Page, isKey: Bool
    ) throws(Problem) {
        if let last = lastRowid, rowid < last || rowid == last && !isKey {
            throw Problem(
                "sqlite.order", "rowid \(rowid) on page \(page.number) follows \(last); expected ascending rowids",
                at: .byte(offset))
        }
        lastRowid = rowid
    }

    /// Marks the overflow pages of a payload as used. Each begins with the number of the next one.
    private func checkOverflow(of cell: BTreeCell, in file: DatabaseFile, _ pages: inout VisitedPages) throws(Problem) {
        var rest = cell.size - cell.localSize
        guard rest > 0 else { return }
        guard rest <= file.pageCount * (file.usableSize - 4) else {
            throw Problem(
                "sqlite.payload-size",
                "a payload of \(Phrase.count(cell.size, "byte")) is larger than the file",
                at: .byte(cell.offset))
        }
        var offset = cell.start + cell.localSize
        while rest > 0 {
            let page = Int(file.bytes.bigEndian(at: offset, width: 4))
            try pages.take(page, of: file, for: "the next overflow page", at: offset)
            rest -= file.usableSize - 4
            offset = file.start(ofPage: page)
        }
    }
}

extension BTreeCell {
    /// Creates the cell at an offset; nil if its size is invalid or it extends past `end`.
    init?(at offset: Int, _ kind: BTreeWalk.Kind, isLeaf: Bool, before end: Int, in file: DatabaseFile) {
        var position = isLeaf ? offset : offset + 4
        guard let size = DatabaseFile.varint(in: file.bytes, at: &position, before: end), size >= 0,
            size <= Int32.max,
            let rowid = kind == .index ? 0 : DatabaseFile.varint(in: file.bytes, at: &position, before: end)
        else { return nil }
        let local = Self.localSize(Int(size), kind, usableSize: file.usableSize)
        self.init(offset: offset, rowid: rowid, start: position, localSize: local, size: Int(size))
        if self.end > end { return nil }
    }

    var end: Int { start + localSize + (isWhole ? 0 : 4) }

    /// Returns the number of payload bytes on the cell's own page: all of them if they fit. Otherwise the rest fills
    /// whole overflow pages. If the page has too little room for that, the number is the minimum.
    private static func localSize(_ size: Int, _ kind: BTreeWalk.Kind, usableSize: Int) -> Int {
        let most = kind == .table ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
        guard size > most else { return size }
        let least = (usableSize - 12) * 32 / 255 - 23
        let full = least + (size - least) % (usableSize - 4)
        return full <= most ? full : least
    }

    /// Returns an array that contains the payload as contiguous bytes, and the index of its first byte. The array is
    /// the file itself or, for a payload with overflow pages, a copy of the payload. The walk has already checked these
    /// pages.
    func payload(in file: DatabaseFile) -> (source: [UInt8], start: Int) {
        guard !isWhole else { return (file.bytes, start) }
        var payload: [UInt8] = []
        payload.reserveCapacity(size)
        payload += file.bytes[start..<start + localSize]
        var offset = start + localSize
        while payload.count < size {
            offset = file.start(ofPage: Int(file.bytes.bigEndian(at: offset, width: 4)))
            let count = min(size - payload.count, file.usableSize - 4)
            payload += file.bytes[offset + 4..<offset + 4 + count]
        }
        return (payload, 0)
    }
}
