/// How the code units of a text are laid out in bytes, told by its byte order mark or by where its first zeros stand.
struct UnicodeForm {
    /// Bytes per code unit: 1, 2 or 4.
    let unitSize: Int
    /// Whether the most significant byte comes first.
    let isBigEndian: Bool
    /// The size of the byte order mark in bytes, 0 if there is none.
    let markLength: Int

    init(of bytes: [UInt8]) {
        let first = Array(bytes.prefix(4))
        switch (first.first, first.dropFirst().first) {
        case (0xEF, 0xBB) where first.starts(with: [0xEF, 0xBB, 0xBF]): self.init(1, true, mark: 3)
        case (0xFF, 0xFE) where first == [0xFF, 0xFE, 0, 0]: self.init(4, false, mark: 4)
        case (0xFF, 0xFE): self.init(2, false, mark: 2)
        case (0xFE, 0xFF): self.init(2, true, mark: 2)
        case (0, 0) where first == [0, 0, 0xFE, 0xFF]: self.init(4, true, mark: 4)
        default: self.init(zerosOf: first)
        }
    }

    /// Without a mark the first character, which is ASCII in every format, shows the layout by the zeros around it.
    private init(zerosOf first: [UInt8]) {
        switch first.map({ $0 == 0 }) {
        case [true, true, true, false]: self.init(4, true, mark: 0)
        case [false, true, true, true]: self.init(4, false, mark: 0)
        case [true, false, true, false], [true, false]: self.init(2, true, mark: 0)
        case [false, true, false, true], [false, true]: self.init(2, false, mark: 0)
        default: self.init(1, true, mark: 0)
        }
    }

    private init(_ unitSize: Int, _ isBigEndian: Bool, mark: Int) {
        self.unitSize = unitSize
        self.isBigEndian = isBigEndian
        markLength = mark
    }
}
