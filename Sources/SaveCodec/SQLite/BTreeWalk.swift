/// A cell of a b-tree: where its payload stands, and the rowid of a row that has one.
struct BTreeCell {
    /// Where the cell starts.
    let offset: Int
    let rowid: Int64
    /// Where the payload starts, and how many bytes of it are on the page.
    let start: Int
    let localSize: Int
    /// The size of the whole payload. What is not on the page is on overflow pages, and the number of the first of them
    /// stands behind what is.
    let size: Int

    /// Whether all of the payload is on the page.
    var isWhole: Bool { localSize == size }
}

/// The pages that have been met. Each belongs to one place, so that no b-tree and no list of pages goes round in a circle,
/// and all of them together hold no more than the file.
struct PageUse {
    private var used = Bitmap(count: 0)

    /// Of no file.
    init() {}

    init(_ file: DatabaseFile) {
        used = Bitmap(count: file.pageCount + 1)
    }

    /// Takes a page.
    ///
    /// - Parameters:
    ///   - what: what refers to it, for the message.
    ///   - place: where that is.
    mutating func take(
        _ number: Int, of file: DatabaseFile, for what: @autoclosure () -> String, at place: Int
    ) throws(Problem) {
        guard number >= 1, number <= file.pageCount else {
            throw Problem(
                "sqlite.page-range",
                "\(what()) is page \(number); the file has \(Phrase.count(file.pageCount, "page"))",
                at: .byte(place))
        }
        guard !used.contains(number) else {
            throw Problem(
                "sqlite.page-shared", "\(what()) is page \(number), which is in use elsewhere", at: .byte(place))
        }
        used.insert(number)
    }
}

/// Goes through the cells of a b-tree in the order of their keys, and checks every page on the way.
///
///     table    interior page   child │ rowid 7 │ child │ rowid 15 │ last child      rowids only tell the way
///              leaf page       size, rowid 1, payload │ size, rowid 2, payload │ …
///     index    interior page   child │ payload │ child │ payload │ last child        payloads are entries, too
///              leaf page       payload │ payload │ …
///
/// Rows of a table WITHOUT ROWID are entries of an index. What is thrown concerns one page, cell or list of overflow pages;
/// whoever wants to can ask for the next cell all the same.
struct BTreeWalk {
    enum Kind {
        case table, index
    }

    /// A page of the b-tree.
    private struct Page {
        let number: Int
        /// Where the header of the b-tree stands: behind that of the file on page 1.
        let header: Int
        let isLeaf: Bool
        let cellCount: Int
        /// How many bytes are left for cells, which together take no more than the page has.
        var room: Int
        /// The next step: of a leaf its cells, of any other page child, cell, child, cell, last child.
        var next = 0

        var pointers: Int { header + (isLeaf ? 8 : 12) }
    }

    private let kind: Kind
    private let root: (number: Int, place: Int)
    /// What the root is called.
    private let title: String
    private var stack: [Page] = []
    private var hasStarted = false
    private var lastRowid: Int64?

    /// - Parameters:
    ///   - root: the number of the root page.
    ///   - place: where that number stands.
    ///   - table: the name of the table, for messages.
    init(_ kind: Kind, from root: Int, at place: Int, of table: String) {
        self.kind = kind
        self.root = (root, place)
        title = "the root of the table \(Phrase.quoted(table))"
    }

    /// The next cell; nil at the end.
    mutating func next(in file: DatabaseFile, _ use: inout PageUse) throws(Problem) -> BTreeCell? {
        if !hasStarted {
            hasStarted = true
            let title = title
            try enter(root.number, of: file, &use, for: title, at: root.place)
        }
        while let page = stack.last {
            let position = page.next
            guard position < (page.isLeaf ? page.cellCount : 2 * page.cellCount + 1) else {
                stack.removeLast()
                continue
            }
            stack[stack.count - 1].next += 1
            if page.isLeaf {
                return try cell(position, of: page, in: file, &use)
            } else if position % 2 == 0 {
                try enterChild(position / 2, of: page, in: file, &use)
            } else if kind == .index {
                return try cell(position / 2, of: page, in: file, &use)
            } else {
                try checkKey(position / 2, of: page, in: file)
            }
        }
        return nil
    }

    // MARK: Pages

    private mutating func enter(
        _ number: Int, of file: DatabaseFile, _ use: inout PageUse, for what: @autoclosure () -> String, at place: Int
    ) throws(Problem) {
        try use.take(number, of: file, for: what(), at: place)
        let header = file.start(ofPage: number) + (number == 1 ? DatabaseFile.headerSize : 0)
        let flags = file.bytes[header]
        let isLeaf = flags == (kind == .table ? 13 : 10)
        guard isLeaf || flags == (kind == .table ? 5 : 2) else {
            throw Problem(
                "sqlite.page-kind",
                "page \(number) begins with \(flags); expected \(kind == .table ? "5 or 13" : "2 or 10"), a page of "
                    + (kind == .table ? "a table" : "a table without rowid"), at: .byte(header))
        }
        let count = Int(file.bytes.bigEndian(at: header + 3, width: 2))
        let room = file.start(ofPage: number) + file.usableSize - (header + (isLeaf ? 8 : 12)) - 2 * count
        guard room >= 0 else {
            throw Problem(
                "sqlite.cell-count", "page \(number) counts \(count) cells, more than it has room for",
                at: .byte(header + 3))
        }
        stack.append(Page(number: number, header: header, isLeaf: isLeaf, cellCount: count, room: room))
    }

    private mutating func enterChild(
        _ position: Int, of page: Page, in file: DatabaseFile, _ use: inout PageUse
    ) throws(Problem) {
        let place = position == page.cellCount ? page.header + 8 : try offset(ofCell: position, of: page, in: file)
        let child = Int(file.bytes.bigEndian(at: place, width: 4))
        try enter(child, of: file, &use, for: "child \(position) of page \(page.number)", at: place)
    }

    /// Where a cell starts: behind the pointers, with at least four bytes on the page.
    private func offset(ofCell position: Int, of page: Page, in file: DatabaseFile) throws(Problem) -> Int {
        let place = page.pointers + 2 * position
        let pointer = Int(file.bytes.bigEndian(at: place, width: 2))
        let offset = file.start(ofPage: page.number) + pointer
        guard offset >= page.pointers + 2 * page.cellCount, pointer <= file.usableSize - 4 else {
            throw Problem(
                "sqlite.cell-range", "cell \(position) of page \(page.number) is at \(pointer), outside its content",
                at: .byte(place))
        }
        return offset
    }

    // MARK: Cells

    private mutating func cell(
        _ position: Int, of page: Page, in file: DatabaseFile, _ use: inout PageUse
    ) throws(Problem) -> BTreeCell {
        let offset = try offset(ofCell: position, of: page, in: file)
        let end = file.start(ofPage: page.number) + file.usableSize
        guard let cell = BTreeCell(at: offset, kind, isLeaf: page.isLeaf, before: end, in: file) else {
            throw Problem(
                "sqlite.cell-length", "cell \(position) of page \(page.number) reaches beyond the page",
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
        if kind == .table { try take(cell.rowid, at: offset, on: page, isKey: false) }
        try checkOverflow(of: cell, in: file, &use)
        return cell
    }

    /// Checks the key of an interior page of a table: no rowid in front of it is larger.
    private mutating func checkKey(_ position: Int, of page: Page, in file: DatabaseFile) throws(Problem) {
        let offset = try offset(ofCell: position, of: page, in: file)
        var end = offset + 4
        guard
            let key = DatabaseFile.varint(
                in: file.bytes, at: &end, before: file.start(ofPage: page.number) + file.usableSize)
        else {
            throw Problem(
                "sqlite.cell-length", "cell \(position) of page \(page.number) reaches beyond the page",
                at: .byte(offset))
        }
        try take(key, at: offset, on: page, isKey: true)
    }

    private mutating func take(
        _ rowid: Int64, at offset: Int, on page: Page, isKey: Bool
    ) throws(Problem) {
        if let last = lastRowid, rowid < last || rowid == last && !isKey {
            throw Problem(
                "sqlite.order", "rowid \(rowid) on page \(page.number) comes behind \(last); expected rising rowids",
                at: .byte(offset))
        }
        lastRowid = rowid
    }

    /// Takes the overflow pages of a payload, each of which begins with the number of the next.
    private func checkOverflow(of cell: BTreeCell, in file: DatabaseFile, _ use: inout PageUse) throws(Problem) {
        var rest = cell.size - cell.localSize
        guard rest > 0 else { return }
        guard rest <= file.pageCount * (file.usableSize - 4) else {
            throw Problem(
                "sqlite.payload-size", "a payload of \(cell.size) bytes is larger than the file", at: .byte(cell.offset)
            )
        }
        var place = cell.start + cell.localSize
        while rest > 0 {
            let page = Int(file.bytes.bigEndian(at: place, width: 4))
            try use.take(page, of: file, for: "the next overflow page", at: place)
            rest -= file.usableSize - 4
            place = file.start(ofPage: page)
        }
    }
}

extension BTreeCell {
    /// The cell at an offset; nil if it does not end on the page.
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

    /// Where the cell ends on its page.
    var end: Int { start + localSize + (isWhole ? 0 : 4) }

    /// How many bytes of a payload are on the page: all if they fit, else so many that the overflow pages become full if
    /// that is not too much.
    private static func localSize(_ size: Int, _ kind: BTreeWalk.Kind, usableSize: Int) -> Int {
        let most = kind == .table ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
        guard size > most else { return size }
        let least = (usableSize - 12) * 32 / 255 - 23
        let full = least + (size - least) % (usableSize - 4)
        return full <= most ? full : least
    }

    /// The payload as bytes in a row: on the page itself, or put together from there and the overflow pages, which have
    /// been checked.
    func payload(in file: DatabaseFile) -> (source: [UInt8], start: Int) {
        guard !isWhole else { return (file.bytes, start) }
        var payload: [UInt8] = []
        payload.reserveCapacity(size)
        payload += file.bytes[start..<start + localSize]
        var place = start + localSize
        while payload.count < size {
            place = file.start(ofPage: Int(file.bytes.bigEndian(at: place, width: 4)))
            let count = min(size - payload.count, file.usableSize - 4)
            payload += file.bytes[place + 4..<place + 4 + count]
        }
        return (payload, 0)
    }
}
